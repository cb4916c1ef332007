import { clip, columnsOf, padded } from "../../language/source/columns.js";
import { labelText } from "../../language/source/escapes.js";
import type { TextAddress } from "../../language/values/address.js";

/** Trees and tables in columns of one width. All texts may come from strangers: they go through `clip`. */

/** How a tree is drawn before an expression: `│ ├ `. */
export function branch(depth: number, above: string, isLast: boolean): { line: string; below: string } {
  if (depth === 0) return { line: "", below: "" };
  return { line: `${above}${isLast ? "└ " : "├ "}`, below: `${above}${isLast ? "  " : "│ "}` };
}

/** A column: how wide it may be, and the side that its texts are drawn to. */
export interface Column {
  readonly head?: string;
  readonly side: "start" | "end";
  readonly most: number;
}

/** The columns of a terminal that a text may take. */
export interface Room {
  readonly width?: number | undefined;
}

/** How narrow a first column may become. */
const narrowest = 20;

/**
 * Rows of texts in columns; a column without any text is left out. Where that is too wide, the first column is made
 * narrower.
 */
export function aligned(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY }: Room = {},
): string[] {
  const [first, ...others] = columns;
  const lines = drawn(columns, rows);
  const excess = Math.max(0, ...lines.map(columnsOf)) - width;
  if (excess <= 0 || first === undefined) return lines;
  const own = Math.max(...rows.map(([text = ""]) => columnsOf(clip(text, first.most))));
  const most = Math.max(narrowest, own - excess);
  return most >= own ? lines : drawn([{ ...first, most }, ...others], rows);
}

function drawn(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const clipped = rows.map((row) => columns.map(({ most }, at) => clip(row[at] ?? "", most)));
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

/** `{x:0,k:'a label'}`; nothing for the one cell of a scalar. */
export function addressText(address: TextAddress): string {
  const entries = Object.entries(address).map(([name, label]) => `${name}:${labelText(label)}`);
  return entries.length === 0 ? "" : `{${entries.join(",")}}`;
}
