import { clip, columnsOf, padded, wrapped } from "../language/source/columns.js";
import { append, greatest } from "../language/source/lists.js";
import { amount, type OptionRules } from "../language/source/option-rule.js";
import { element } from "../language/values/element.js";

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

export const displayRules: OptionRules<DisplayOptions> = { width: amount };

/** The least width of a first column. */
const narrowest = 20;

/** The least width of a last one. */
const narrowestLast = 12;

/**
 * A row for each item; a column without any text is left out. Where that is too wide, the first column is made narrower, and where
 * that is not enough, the last, if its texts begin on the left: they go on in the next line, or stand there, where hardly any room is;
 * and where not even the others have room, all but the first stand there.
 */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width = Number.POSITIVE_INFINITY }: DisplayOptions = {},
): string[] {
  const texts = rows.map((row, at) => columns.map(({ text }) => text(row, at)));
  const narrowed = narrowedFirst(columns, texts, width);
  const last = columns.at(-1);
  const excess = widest(alignedLines(narrowed, texts)) - width;
  if (excess <= 0 || last === undefined || columns.length < 2 || last.side === "end")
    return alignedLines(narrowed, texts);
  const natural = greatest(texts.map((row) => columnsOf(clip(row.at(-1) ?? "", last.maxWidth))));
  const room = natural - excess;
  const branchesBelow = texts.map((_, at) => branchesOf(texts[at + 1]?.[0] ?? ""));
  if (room < narrowestLast && columns.every(({ head = "" }) => head === "")) {
    const others = texts.map((row) => row.slice(0, -1));
    const lines = alignedLines(narrowedFirst(columns.slice(0, -1), others, width), others);
    if (widest(lines) > width) return stackedLines(columns, texts, branchesBelow, width);
    return lines.flatMap((line, at) => {
      const text = texts[at]?.at(-1) ?? "";
      const branches = element(branchesBelow, at).padEnd(prefixOf(line).length + 2);
      return text === "" ? [line] : [line, clip(branches + text, width)];
    });
  }
  const least = { ...last, maxWidth: Math.max(room, narrowestLast) };
  const broken = texts.flatMap((row, at) => {
    const [first = "", ...more] = wrapped(clip(row.at(-1) ?? "", last.maxWidth), least.maxWidth, 0);
    const blank = row.slice(1, -1).map(() => "");
    return [
      [...row.slice(0, -1), first],
      ...more.map((line) => [element(branchesBelow, at), ...blank, line]),
    ];
  });
  return alignedLines([...narrowed.slice(0, -1), least], broken);
}

/** Rows whose first text has a line of its own, and the others those below, within the branches of the tree. */
function stackedLines(
  columns: readonly ColumnForm[],
  texts: Texts,
  branchesBelow: readonly string[],
  width: number,
): string[] {
  return texts.flatMap(([first = "", ...others], at) => {
    const branches = element(branchesBelow, at).padEnd(prefixOf(first).length + 2);
    const room = Math.max(width - branches.length, narrowestLast);
    const below: string[] = [];
    for (const [index, text] of others.entries()) {
      const clipped = clip(text, element(columns, index + 1).maxWidth);
      const longer = below.length === 0 ? clipped : `${below.at(-1)}  ${clipped}`;
      if (clipped === "") continue;
      if (columnsOf(longer) <= room) below.splice(-1, 1, longer);
      else append(below, wrapped(clipped, room, 0));
    }
    return [clip(first, width), ...below.map((line) => clip(branches + line, width))];
  });
}

/** The columns, the first of them made narrower if all together are too wide. */
function narrowedFirst(columns: readonly ColumnForm[], texts: Texts, width: number): readonly ColumnForm[] {
  const [first, ...others] = columns;
  const excess = widest(alignedLines(columns, texts)) - width;
  if (excess <= 0 || first === undefined) return columns;
  const natural = greatest(texts.map(([text = ""]) => columnsOf(clip(text, first.maxWidth))));
  return [{ ...first, maxWidth: Math.min(first.maxWidth, Math.max(narrowest, natural - excess)) }, ...others];
}

type Texts = readonly (readonly string[])[];

const widest = (lines: readonly string[]): number => greatest(lines.map(columnsOf));

/** The branches of a tree that lead to a row, as they are above it. */
const branchesOf = (row: string): string => prefixOf(row).replace(/[├└]/g, "│").trimEnd();

const prefixOf = (row: string): string => /^(?:[│├└ ] )*/.exec(row)?.[0] ?? "";

/** How a column looks, whatever it tells. */
type ColumnForm = Omit<Column<never>, "text">;

function alignedLines(columns: readonly ColumnForm[], rows: readonly (readonly string[])[]): string[] {
  const clipped = rows.map((row) => columns.map(({ maxWidth }, at) => clip(element(row, at), maxWidth)));
  const used = columns.flatMap((_, at) => (clipped.some((row) => row[at] !== "") ? [at] : []));
  const heads = columns.map(({ head = "" }) => head);
  const lines = heads.some((head) => head !== "") ? [heads, ...clipped] : clipped;
  const widths = columns.map((_, at) => greatest(lines.map((line) => columnsOf(element(line, at)))));
  return lines.map((line) =>
    used
      .map((at) =>
        padded(element(line, at), element(widths, at), columns[at]?.side === "end" ? "start" : "end"),
      )
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
