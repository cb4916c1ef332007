import { clip, columnsOf, type Grapheme, graphemesOf, isSimple, textOf } from "./columns.js";
import { inked } from "./palette.js";
import { type Line, lineAt, positionOf, type Source, type Span } from "./span.js";

/**
 * The lines of a source that a problem is about, with its spans marked below them. A long line is shown as a window around the span.
 */

/** What stands around the lines of an excerpt. */
export interface ExcerptFrame {
  /** The columns of what stands before a line. */
  readonly margin: number;
  /** The columns of the line itself. */
  readonly width: number;
  /** What stands before a line: its number, or nothing, and a sign. */
  readonly gutter: (sign: string, number?: string) => string;
  readonly paint: Paint;
}

/** How many columns the name of a source takes at most. */
const longestName = 300;

/** How the parts of a problem are coloured. */
export const styles = {
  error: (text: string) => inked("red", text, true),
  warning: (text: string) => inked("brown", text, true),
  note: (text: string) => inked("teal", text, true),
  sentence: (text: string) => `\x1b[1m${text}\x1b[0m`,
  code: (text: string) => inked("grey", text),
  frame: (text: string) => inked("blue", text),
  hint: (text: string) => inked("teal", text),
} as const;
export type Paint = (style: keyof typeof styles, text: string) => string;

/** A span to be marked, and its label. */
export interface Mark {
  readonly span: Span;
  readonly sign: string;
  readonly style: keyof typeof styles;
  readonly label: string;
}

/** The part of a mark in one line. */
interface Segment extends Mark {
  readonly start: number;
  readonly end: number;
}

/** A span over several lines is marked in its first line, to the end, and in its last one, from the first word. */
function segments(mark: Mark): { line: Line; segment: Segment }[] {
  const { source, start, end } = mark.span;
  const first = lineAt(source, start);
  const last = lineAt(source, Math.max(start, end - 1));
  if (first.number === last.number) {
    return [
      { line: first, segment: { ...mark, start: Math.min(start, first.end), end: Math.min(end, first.end) } },
    ];
  }
  const indent = /^\s*/.exec(source.text.slice(last.start, last.end))?.[0].length ?? 0;
  return [
    { line: first, segment: { ...mark, start: Math.min(start, first.end), end: first.end, label: "" } },
    { line: last, segment: { ...mark, start: last.start + indent, end: Math.min(end, last.end) } },
  ];
}

/** The marked lines of one source, under the position of the first mark. */
export function excerpt(
  source: Source,
  marks: readonly Mark[],
  { width, gutter, paint }: ExcerptFrame,
): string[] {
  const lines = new Map<number, { line: Line; segments: Segment[] }>();
  for (const { line, segment } of marks.flatMap(segments)) {
    const existing = lines.get(line.number)?.segments ?? [];
    lines.set(line.number, { line, segments: [...existing, segment] });
  }
  const { line, column } = positionOf(source, marks[0]?.span.start ?? 0);
  const shown = [gutter(`┌ ${clip(source.name, longestName)}:${line}:${column}`)];
  let before = 0;
  for (const [number, { line, segments }] of [...lines].sort(([a], [b]) => a - b)) {
    if (before > 0 && number > before + 1) shown.push(gutter("⋮"));
    const window = windowOf(source.text, line, segments[0]?.start ?? 0, segments[0]?.end ?? 0, width);
    shown.push(`${gutter("│", `${number}`)} ${window.text}`);
    shown.push(...underlines(window, segments, width, paint).map((text) => `${gutter("│")} ${text}`));
    before = number;
  }
  return shown;
}

/** What is shown of a line. */
interface Window {
  readonly text: string;
  readonly cells: readonly Grapheme[];
  /** The column of the first cell shown. */
  readonly shift: number;
}

/** All of a line if it fits into the width, otherwise a part around a mark in it. */
function windowOf(text: string, line: Line, from: number, to: number, width: number): Window {
  // Far more than can be shown, and no more: a line may be the whole of a large file.
  const isPlain = isSimple(
    text.slice(Math.max(line.start, from - width), Math.min(line.end, from + 2 * width)),
  );
  let start = Math.max(line.start, from - (isPlain ? 1 : 4) * width);
  if (/[\udc00-\udfff]/.test(text.charAt(start)) && start > line.start) start--;
  const end = Math.min(line.end, from + (isPlain ? 2 : 8) * width);
  const cells = graphemesOf(text.slice(start, end), start);
  const isWhole = start === line.start && end === line.end;
  const right = ({ column, columns }: Grapheme): number => column + columns;
  const total = cells.map(right).at(-1) ?? 0;
  if (isWhole && total <= width) return { text: textOf(cells), cells, shift: 0 };
  const markStart = cells.find((each) => each.end > from)?.column ?? total;
  const markEnd = cells.find((each) => each.end >= to)?.column ?? total;
  // A third of the width stands before the mark, less where the mark needs it, but at least 8 columns.
  const before = Math.max(8, Math.min(Math.floor(width / 3), width - 4 - (markEnd - markStart)));
  const first = Math.min(Math.max(0, markStart - before), Math.max(0, total - width + 2));
  const cutsStart = first > 0 || start > line.start;
  const last = first + width - (cutsStart ? 1 : 0) - 1;
  const visible = cells.filter((each) => each.column >= first && right(each) <= last);
  const cutsEnd = visible.at(-1)?.end !== line.end;
  const shift = (visible[0]?.column ?? 0) - (cutsStart ? 1 : 0);
  return { text: `${cutsStart ? "…" : ""}${textOf(visible)}${cutsEnd ? "…" : ""}`, cells: visible, shift };
}

/** A segment at its columns in the window. */
interface Underline extends Segment {
  readonly from: number;
  readonly to: number;
}

function underline(segment: Segment, { cells, shift }: Window): Underline | undefined {
  const [first, last] = [cells[0], cells.at(-1)];
  if (first === undefined || last === undefined) return { ...segment, from: 0, to: 1 };
  if (segment.start > last.end || (segment.end < first.start && segment.sign !== "^")) return undefined;
  const start = cells.find((each) => each.end > segment.start)?.column ?? last.column + last.columns;
  const end = cells.findLast((each) => each.start < segment.end);
  const from = start - shift;
  return {
    ...segment,
    from,
    to: Math.max(from + 1, end === undefined ? 0 : end.column + end.columns - shift),
  };
}

/** The lines under a line: its marks, in as many rows as they need, and their labels beside or below them. */
function underlines(window: Window, segments: readonly Segment[], width: number, paint: Paint): string[] {
  const rows: Underline[][] = [];
  for (const mark of segments.flatMap((each) => underline(each, window) ?? [])) {
    const free = rows.find((row) => row.every((each) => mark.to <= each.from || each.to <= mark.from));
    if (free === undefined) rows.push([mark]);
    else free.push(mark);
  }
  return rows.flatMap((row) => {
    row.sort((a, b) => a.from - b.from);
    let [text, column] = ["", 0];
    for (const { from, to, sign, style } of row) {
      text += " ".repeat(from - column) + paint(style, sign.repeat(to - from));
      column = to;
    }
    const last = row.at(-1);
    const beside = last !== undefined && last.to + 1 + columnsOf(last.label) <= width;
    const below = row.filter((each) => each.label !== "" && !(beside && each === last)).reverse();
    const labels = below.map(({ from, label, style }) => {
      return " ".repeat(Math.max(0, Math.min(from, width - columnsOf(label)))) + paint(style, label);
    });
    return [beside && last.label !== "" ? `${text} ${paint(last.style, last.label)}` : text, ...labels];
  });
}
