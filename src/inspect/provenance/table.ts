import { clip, columnsOf, padded } from "../../language/source/columns.js";
import { labelText } from "../../language/source/escapes.js";
import type { TextAddress } from "../../language/values/address.js";

/** Trees and tables in aligned columns. Texts are not trusted: they go through `clip`. */

/** The lines of a tree before an expression: `│ ├ `. */
export function branch(depth: number, above: string, isLast: boolean): { line: string; below: string } {
  if (depth === 0) return { line: "", below: "" };
  return { line: `${above}${isLast ? "└ " : "├ "}`, below: `${above}${isLast ? "  " : "│ "}` };
}

/** A column: its largest width, and the side that its texts are aligned to. */
export interface Column {
  readonly head?: string;
  readonly side: "start" | "end";
  readonly maxWidth: number;
}

/** The width that a text may have, in columns of a terminal. */
export interface DisplayOptions {
  readonly width?: number | undefined;
}

/** The least width of a first column. */
const narrowest = 20;

/**
 * Rows of texts in columns; a column without any text is left out. Where that is too wide, the first column is made
 * narrower.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY }: DisplayOptions = {},
): string[] {
  const [first, ...others] = columns;
  const lines = alignedLines(columns, rows);
  const excess = Math.max(0, ...lines.map(columnsOf)) - width;
  if (excess <= 0 || first === undefined) return lines;
  const natural = Math.max(...rows.map(([text = ""]) => columnsOf(clip(text, first.maxWidth))));
  const maxWidth = Math.max(narrowest, natural - excess);
  return maxWidth >= natural ? lines : alignedLines([{ ...first, maxWidth }, ...others], rows);
}

function alignedLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const clipped = rows.map((row) => columns.map(({ maxWidth }, at) => clip(row[at] ?? "", maxWidth)));
  const used = columns.flatMap((_, at) => (clipped.some((row) => row[at] !== "") ? [at] : []));
  const heads = columns.map(({ head = "" }) => head);
  const lines = heads.some((head) => head !== "") ? [heads, ...clipped] : clipped;
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => columnsOf(line[at] ?? ""))));
  return lines.map((line) =>
    used
      .map((at) => padded(line[at] ?? "", widths[at] ?? 0, columns[at]?.side === "end" ? "start" : "end"))
      .join("  ")
      .trimEnd(),
  );
}

/** `{x:0,k:'a label'}`; empty for the one cell of a scalar. */
export function addressText(address: TextAddress): string {
  const entries = Object.entries(address).map(([name, label]) => `${name}:${labelText(label)}`);
  return entries.length === 0 ? "" : `{${entries.join(",")}}`;
}
