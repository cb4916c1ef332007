import { SphexError } from "../../index.js";
import { thrownText } from "../../language/source/thrown.js";
import { readSetup } from "../../vespa/compat/compat.js";
import { pageCells } from "../document/page-cells.js";
import { documentOf, type NewCell, type PageDocument } from "../document/page-document.js";
import { storedDocument } from "../document/storage.js";
import type { ImportedProfile, PackageText } from "../profile/profile-request.js";
import { filesInArchive } from "./archive.js";
import { dialectIn } from "./dialect-remark.js";
import { modelProgram } from "./import-model.js";
import type { DroppedFile, Imported, ImportFault } from "./import-request.js";
import { tensorCell } from "./import-tensor.js";

/** What one file becomes: parts of what all become together. */
type Part =
  | { readonly document: PageDocument }
  | { readonly cell: NewCell }
  | { readonly files: readonly PackageText[] }
  | { readonly documents: string }
  | { readonly query: string }
  | { readonly response: string };

/** What files of an application package may be named. */
const packageEnds = [".sd", ".profile", ".expression", ".xml", ".json", ".tbf"];
const isPackageFile = (name: string): boolean => packageEnds.some((end) => name.endsWith(end));

// biome-ignore format: a table
const readers: Readonly<Record<string, (file: DroppedFile) => Part | Promise<Part>>> = {
  ".sphex":   (file) => ({ document: programDocument(textIn(file)) }),
  ".sd":      (file) => ({ files: [packageText(file)] }),
  ".profile": (file) => ({ files: [packageText(file)] }),
  ".zip":     async (file) => ({ files: (await filesInArchive(file, isPackageFile)).map(packageText) }),
  ".json":    jsonPart,
  ".jsonl":   (file) => ({ documents: textIn(file) }),
  ".csv":     async (file) => ({ cell: await tensorCell(file) }),
  ".npy":     async (file) => ({ cell: await tensorCell(file) }),
  ".npz":     async (file) => ({ cell: await tensorCell(file) }),
  ".tbf":     async (file) => ({ cell: await tensorCell(file) }),
  ".tensor":  async (file) => ({ cell: await tensorCell(file) }),
  ".txt":     async (file) => ({ cell: await tensorCell(file) }),
  ".onnx":    async (file) => ({ document: documentOf([await modelProgram(file)], { mode: "program" }) }),
};

function programDocument(file: string): PageDocument {
  const { text, dialect } = dialectIn(file);
  return documentOf([{ kind: "program", text }], { mode: "program", dialect });
}

/** The ends of names that can be read, for the dialog that chooses files. */
const importEnds: readonly string[] = Object.keys(readers);

/** What files become. One that is wrong hides none of the others. */
export async function imported(files: readonly DroppedFile[]): Promise<Imported> {
  const parts: Part[] = [];
  const faults: ImportFault[] = [];
  const isPackage = files.some(({ name }) => name.endsWith(".sd"));
  for (const file of files) {
    try {
      // Beside a schema, files in folders are those of its package.
      if (isPackage && file.name.includes("/") && isPackageFile(file.name))
        parts.push({ files: [packageText(file)] });
      else parts.push(await readerOf(file)(file));
    } catch (error) {
      faults.push({ name: file.name, message: messageOf(error) });
    }
  }
  return { ...together(parts), faults };
}

function readerOf({ name }: DroppedFile): (file: DroppedFile) => Part | Promise<Part> {
  const lower = name.toLowerCase();
  const end = importEnds.find((each) => lower.endsWith(each));
  const reader = end === undefined ? undefined : readers[end];
  if (reader === undefined) throw new Error(`files that can be read end in ${importEnds.join(" ")}`);
  return reader;
}

function messageOf(error: unknown): string {
  if (error instanceof SphexError) return error.problems[0]?.message ?? error.message;
  return thrownText(error);
}

/** With another character in the place of theirs, two labels could be one. */
function textIn({ bytes }: DroppedFile): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("it is not text in UTF-8");
  }
}

/** Lines end as in editors. */
const packageText = (file: DroppedFile): PackageText => ({
  path: file.name,
  text: textIn(file).replaceAll(/\r\n?/g, "\n"),
});

/** JSON is a document of ours, one of the playground, a response, a request, documents or a tensor: it says by its members. */
async function jsonPart(file: DroppedFile): Promise<Part> {
  const text = textIn(file);
  const document = storedDocument(text);
  if (document !== undefined) return { document };
  const members = membersOf(text);
  if (members.has("f"))
    return { document: documentOf(pageCells(readSetup({ name: file.name, text })), { dialect: "vespa" }) };
  if (members.has("root")) return { response: text };
  if (["put", "fields", "id", "pathId"].some((each) => members.has(each))) return { documents: text };
  if ([...members].some((each) => each === "yql" || each.startsWith("input") || each.startsWith("ranking")))
    return { query: text };
  return { cell: await tensorCell(file) };
}

/** The names of the members of an object, or of the first of a list. */
function membersOf(text: string): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return new Set(typeof first === "object" && first !== null ? Object.keys(first) : []);
  } catch {
    return new Set(); // reading it tells what is wrong
  }
}

function together(parts: readonly Part[]): Omit<Imported, "faults"> {
  const last = (pick: (part: Part) => string | undefined): string => parts.map(pick).findLast(Boolean) ?? "";
  const profile: ImportedProfile = {
    files: parts.flatMap((part) => ("files" in part ? part.files : [])),
    documents: last((part) => ("documents" in part ? part.documents : undefined)),
    query: last((part) => ("query" in part ? part.query : undefined)),
    response: last((part) => ("response" in part ? part.response : undefined)),
  };
  const documents = parts.flatMap((part) => ("document" in part ? [part.document] : []));
  return {
    document: documents.at(-1),
    cells: parts.flatMap((part) => ("cell" in part ? [part.cell] : [])),
    profile,
  };
}
