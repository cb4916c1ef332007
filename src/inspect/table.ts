import { clip, columnsOf, padded } from "../language/source/columns.js";
import { greatest } from "../language/source/lists.js";

/** Tables in aligned columns, and trees in their first column. Texts are not trusted: they go through `clip`. */

/** A column: what it tells of a row, its largest width, and the side that its texts are aligned to. */
export interface Column<Row> {
  readonly head?: string;
  readonly side: "start" | "end";
  readonly maxWidth: number;
  /** Empty where there is nothing to tell. */
  readonly text: (row: Row, at: number) => string;
}

/** The width that a text may have, in columns of a terminal. */
export interface DisplayOptions {
  readonly width?: number | undefined;
}

/** The least width of a first column. */
const narrowest = 20;

/** The least width of a last one. */
const narrowestLast = 10;

/**
 * A row for each item; a column without any text is left out. Where that is too wide, the first column is made narrower, and where
 * that is not enough, the last, if its texts begin on the left.
 */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width = Number.POSITIVE_INFINITY }: DisplayOptions = {},
): string[] {
  const texts = rows.map((row, at) => columns.map(({ text }) => text(row, at)));
  const [first, ...others] = columns;
  const lines = alignedLines(columns, texts);
  const excess = greatest(lines.map(columnsOf)) - width;
  if (excess <= 0 || first === undefined) return lines;
  const natural = greatest(texts.map(([text = ""]) => columnsOf(clip(text, first.maxWidth))));
  const narrow = { ...first, maxWidth: Math.min(first.maxWidth, Math.max(narrowest, natural - excess)) };
  const narrowed = alignedLines([narrow, ...others], texts);
  const last = others.at(-1);
  const rest = greatest(narrowed.map(columnsOf)) - width;
  if (rest <= 0 || last === undefined || last.side === "end") return narrowed;
  const lastNatural = greatest(texts.map((row) => columnsOf(clip(row.at(-1) ?? "", last.maxWidth))));
  const narrowLast = { ...last, maxWidth: Math.max(narrowestLast, lastNatural - rest) };
  return alignedLines([narrow, ...others.slice(0, -1), narrowLast], texts);
}

/** How a column looks, whatever it tells. */
type ColumnForm = Omit<Column<never>, "text">;

function alignedLines(columns: readonly ColumnForm[], rows: readonly (readonly string[])[]): string[] {
  const clipped = rows.map((row) => columns.map(({ maxWidth }, at) => clip(row[at] ?? "", maxWidth)));
  const used = columns.flatMap((_, at) => (clipped.some((row) => row[at] !== "") ? [at] : []));
  const heads = columns.map(({ head = "" }) => head);
  const lines = heads.some((head) => head !== "") ? [heads, ...clipped] : clipped;
  const widths = columns.map((_, at) => greatest(lines.map((line) => columnsOf(line[at] ?? ""))));
  return lines.map((line) =>
    used
      .map((at) => padded(line[at] ?? "", widths[at] ?? 0, columns[at]?.side === "end" ? "start" : "end"))
      .join("  ")
      .trimEnd(),
  );
}

/** The lines of a tree before an expression: `│ ├ `. */
export function branch(depth: number, above: string, isLast: boolean): { line: string; below: string } {
  if (depth === 0) return { line: "", below: "" };
  return { line: `${above}${isLast ? "└ " : "├ "}`, below: `${above}${isLast ? "  " : "│ "}` };
}

/** How many, where that is not 0. */
export const countText = (count: number): string => (count === 0 ? "" : `${count}`);

/** Milliseconds, with two digits that say something where there are only few. */
export const millisecondsText = (time: number, isFine = false): string =>
  time.toFixed(isFine && time < 0.1 ? 4 : 2);
