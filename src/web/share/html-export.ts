import { SphexError, showTensor, type Tensor } from "../../index.js";
import { type DocumentCell, type PageDocument, type ResultView, viewOf } from "../document/page-document.js";
import { type CellResults, cellText } from "./cell-results.js";

/** How the parts of a document look that are not text. */
export interface HtmlLook {
  /** Remarks, rendered, by the ids of their cells. */
  readonly remarks: Readonly<Record<string, string>>;
  readonly picture: (tensor: Tensor, view: ResultView, title: string) => string | undefined;
}

/**
 * A document as one page of HTML that needs no other file, and runs nothing: its policy forbids scripts, whatever is in it.
 * Remarks come rendered and safe; all else is escaped here.
 */
export function htmlOf({ cells }: PageDocument, results: CellResults, look: HtmlLook): string {
  const sections = cells.map((cell) => sectionOf(cell, results, look)).filter((each) => each !== "");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(titleOf(cells))}</title>
<style>${style}</style>
</head>
<body>
<main>
${sections.join("\n")}
</main>
</body>
</html>
`;
}

function sectionOf(cell: DocumentCell, results: CellResults, { remarks, picture }: HtmlLook): string {
  if (cell.kind === "remark") return `<section class="remark">${remarks[`${cell.id}`] ?? ""}</section>`;
  if (cell.text.trim() === "") return "";
  const values = results(cell.id)
    .filter(({ isLiteral }) => !isLiteral)
    .map(({ key, tensor }) => valueHtml(key, tensor, pictureOf(tensor, viewOf(cell.views, key), picture)));
  return `<section class="cell"><pre class="code">${escaped(cellText(cell))}</pre>${values.join("")}</section>`;
}

/** The most cells that are written out. */
const mostCells = 1_000;
const width = 100;

function valueHtml(key: string, tensor: Tensor, picture: string | undefined): string {
  const type = `${tensor.type}`;
  const title = key === "" ? type : `${key}: ${type}`;
  const text =
    tensor.data.length > mostCells
      ? `${showTensor(tensor).slice(type.length + 1, 2_000)} …`
      : withoutType(showTensor(tensor, { format: "pretty", width }), type);
  return `<p class="type">${escaped(title)}</p>${picture ?? `<pre class="value">${escaped(text)}</pre>`}`;
}

/** The lines below the type, which may take several. */
function withoutType(text: string, type: string): string {
  const lines = text.split("\n");
  let told = "";
  for (const [at, line] of lines.entries()) {
    told += line.trimStart();
    if (told === type) return lines.slice(at + 1).join("\n");
  }
  return text;
}

/** The picture that the view asks for, where the tensor can be drawn so. */
function pictureOf(tensor: Tensor, view: ResultView, picture: HtmlLook["picture"]): string | undefined {
  const { kind } = view;
  if (kind !== "heat" && kind !== "bars" && kind !== "line") return undefined;
  try {
    const svg = picture(tensor, view, "");
    return svg && `<figure>${svg}</figure>`;
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

/** The first heading. */
function titleOf(cells: readonly DocumentCell[]): string {
  for (const cell of cells) {
    const line = cell.kind === "remark" ? cell.text.trim().split("\n")[0] : undefined;
    if (line?.startsWith("# ")) return line.slice(2).trim();
  }
  return "Sphex";
}

const signs: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => signs[sign] ?? "");

const style = `
body { font: 16px/1.55 system-ui, sans-serif; margin: 2rem auto; max-width: 46rem; padding: 0 1rem; }
pre { font: 13px/1.45 ui-monospace, monospace; margin: 0; overflow-x: auto; }
.cell { border-left: 3px solid #8885; margin: 1.25rem 0; padding: 0.25rem 0 0.25rem 1rem; }
.code { font-weight: 600; white-space: pre-wrap; }
.type { color: GrayText; font: 12px ui-monospace, monospace; margin: 0.5rem 0 0.25rem; }
figure { background: #fff; margin: 0; overflow-x: auto; }
`;
