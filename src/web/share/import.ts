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
import { arrayCells, tensorCell } from "./import-tensor.js";

/** What one file becomes: parts of what all become together. */
type Part =
  | { readonly document: PageDocument }
  | { readonly cell: NewCell }
  | { readonly files: readonly PackageText[] }
  | { readonly documents: string }
  | { readonly query: string }
  | { readonly response: string };

type Reader = (file: DroppedFile) => Part | readonly Part[] | Promise<Part | readonly Part[]>;

/** What files of an application package may be named. */
const packageEnds = [".sd", ".profile", ".expression", ".xml", ".json", ".tbf"];
const isPackageFile = (name: string): boolean => packageEnds.some((end) => name.endsWith(end));

/** The files of a package, and what lies beside them: documents, a query, a response. */
async function archiveParts(file: DroppedFile): Promise<readonly Part[]> {
  const files = await filesInArchive(file, (name) => isPackageFile(name) || name.endsWith(".jsonl"));
  return files.map((each) => {
    const beside = each.name.endsWith(".jsonl") ? linesPart(each) : requestPart(textIn(each));
    return beside ?? { files: [packageText(each)] };
  });
}

/** JSON by lines is documents. */
function linesPart(file: DroppedFile): Part {
  const text = textIn(file);
  const [first = ""] = text.trim().split("\n", 1);
  const part = requestPart(first);
  if (part !== undefined && "query" in part)
    throw new Error("it has a query on each line; rank profile mode takes one: drop it as query.json");
  return { documents: text };
}

// biome-ignore format: a table
const readers: Readonly<Record<string, Reader>> = {
  ".sphex":   (file) => ({ document: programDocument(textIn(file)) }),
  ".sd":      (file) => ({ files: [packageText(file)] }),
  ".profile": (file) => ({ files: [packageText(file)] }),
  ".zip":     archiveParts,
  ".json":    jsonPart,
  ".jsonl":   linesPart,
  ".csv":     (file) => ({ cell: tensorCell(file) }),
  ".npy":     (file) => ({ cell: tensorCell(file) }),
  ".npz":     async (file) => (await arrayCells(file)).map((cell) => ({ cell })),
  ".tbf":     (file) => ({ cell: tensorCell(file) }),
  ".tensor":  (file) => ({ cell: tensorCell(file) }),
  ".txt":     (file) => ({ cell: tensorCell(file) }),
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
      else for (const part of [await readerOf(file)(file)].flat()) parts.push(part);
    } catch (error) {
      faults.push({ name: file.name, message: messageOf(error) });
    }
  }
  return { ...together(parts), faults };
}

function readerOf({ name }: DroppedFile): Reader {
  const lower = name.toLowerCase();
  const end = importEnds.find((each) => lower.endsWith(each));
  const reader = end === undefined ? undefined : readers[end];
  if (reader === undefined) throw new Error(`files that can be read end in ${importEnds.join(" ")}`);
  return reader;
}

function messageOf(error: unknown): string {
  const [problem] = error instanceof SphexError ? error.problems : [];
  if (problem === undefined) return thrownText(error);
  const { message, found, hint } = problem.description;
  const { source, start } = problem.span;
  const line = source.text.slice(0, start).split("\n").length;
  const parts = [`line ${line}: ${message}`, found && `found ${found}`, hint];
  return parts.filter((part) => part !== undefined && part !== "").join("; ");
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
  return requestPart(text, members) ?? { cell: tensorCell(file) };
}

/** A response, documents or a request, by the members of its JSON; nothing of any other. */
function requestPart(text: string, members = membersOf(text)): Part | undefined {
  const has = (...names: readonly string[]): boolean => names.some((each) => members.has(each));
  if (has("root")) return { response: text };
  if (has("put", "fields", "pathId")) return { documents: text };
  // A query may have an id, and so may the fields of a document.
  if ([...members].some((each) => /^(?:yql$|input|ranking)/.test(each))) return { query: text };
  return has("id") ? { documents: text } : undefined;
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
