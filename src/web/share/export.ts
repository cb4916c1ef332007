import { showTensor, type Tensor, tensorJson, visibleJson, writeTensor } from "../../index.js";
import { type ResultView, viewOf } from "../document/page-document.js";
import { storedForm } from "../document/storage.js";
import type { CellResults } from "./cell-results.js";
import { withDialect } from "./dialect-remark.js";
import type { DocumentExport, ExportedFile, ExportRequest, ValueExport } from "./export-request.js";
import { htmlOf } from "./html-export.js";
import { markdownOf } from "./markdown-export.js";
import { programText } from "./vespa-cells.js";
import { rankTestOf, schemaOf } from "./vespa-export.js";

interface DocumentForm {
  readonly name: string;
  readonly type: string;
  readonly write: (request: ExportRequest, results: CellResults, picture: DrawPicture) => string;
}

// biome-ignore format: a table
const documentForms: Readonly<Record<DocumentExport, DocumentForm>> = {
  sphex:       { name: "page.sphex",          type: "text/plain",       write: ({ document }) => withDialect(programText(document.cells), document.dialect) },
  markdown:    { name: "page.md",             type: "text/markdown",    write: ({ document }, results) => markdownOf(document, results) },
  html:        { name: "page.html",           type: "text/html",        write: ({ document, remarks = {} }, results, picture) => htmlOf(document, results, { remarks, picture }) },
  json:        { name: "page.json",           type: "application/json", write: valuesJson },
  profile:     { name: "page.sd",             type: "text/plain",       write: ({ document }) => schemaOf(document) },
  "rank-test": { name: "page.rank-test.yaml", type: "text/plain",       write: ({ document }, results) => rankTestOf(document, results) },
};

interface ValueForm {
  readonly ending: string;
  readonly type: string;
  readonly write: (tensor: Tensor, title: string, { picture, view }: Look) => string | Uint8Array;
}

/** How a value is looked at, and how that is drawn. */
interface Look {
  readonly picture: DrawPicture;
  readonly view: ResultView;
}

/** A picture of what a view shows of a tensor; nothing where that has no cells. */
export type DrawPicture = (tensor: Tensor, view: ResultView, title: string) => string | undefined;

// biome-ignore format: a table
const valueForms: Readonly<Record<ValueExport, ValueForm>> = {
  svg:          { ending: "svg",  type: "image/svg+xml",            write: svgOf },
  csv:          { ending: "csv",  type: "text/csv",                 write: (tensor) => writeTensor(tensor, "csv") },
  npy:          { ending: "npy",  type: "application/octet-stream", write: (tensor) => writeTensor(tensor, "npy") },
  literal:      { ending: "txt",  type: "text/plain",               write: (tensor) => `${showTensor(tensor)}\n` },
  "value-json": { ending: "json", type: "application/json",         write: (tensor) => writeTensor(tensor, "json") },
};

function svgOf(tensor: Tensor, title: string, { picture, view }: Look): string {
  const svg = picture(tensor, view, title);
  if (svg === undefined) throw new Error("there are no cells in this slice");
  return svg;
}

/**
 * A document, or a value of it, as a file.
 * @throws SphexError where the form cannot hold it.
 */
export function exported(request: ExportRequest, results: CellResults, picture: DrawPicture): ExportedFile {
  const { form, value } = request;
  if (isDocumentExport(form)) {
    const { name, type, write } = documentForms[form];
    return { name, type, content: write(request, results, picture) };
  }
  const { ending, type, write } = valueForms[form];
  const found = value && results(value.id).find(({ key }) => key === value.key);
  if (found === undefined || value === undefined) throw new Error("there is no such value");
  const title = titleOf(request, value);
  const cell = request.document.cells.find(({ id }) => id === value.id);
  const view = viewOf(cell === undefined || cell.kind === "remark" ? {} : cell.views, value.key);
  const content = write(found.tensor, title, { picture, view });
  return { name: `${fileName(title)}.${ending}`, type, content };
}

const isDocumentExport = (form: ExportRequest["form"]): form is DocumentExport => form in documentForms;

function titleOf({ document }: ExportRequest, { id, key }: NonNullable<ExportRequest["value"]>): string {
  const cell = document.cells.find((each) => each.id === id);
  if (key !== "") return key;
  return cell?.kind === "expression" ? cell.name : "";
}

/** A name that every system takes for a file. */
function fileName(title: string): string {
  const words = title.split(/\W+/).filter((word) => word !== "");
  return words.length === 0 ? "value" : words.join("-").slice(0, 80);
}

/** A document as it is stored, with the values of its cells: it can be opened again. */
function valuesJson({ document }: ExportRequest, results: CellResults): string {
  const stored = storedForm(document, (cell) => {
    if (cell.kind === "remark") return {};
    const values = results(cell.id).map(({ key, tensor }) => ({
      ...(key !== "" && { name: key }),
      ...tensorJson(tensor),
    }));
    return { values };
  });
  return `${visibleJson(stored)}\n`;
}
