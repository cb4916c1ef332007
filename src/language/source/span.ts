/**
 * Spans of texts. Every tree node and every problem has a span; lines and columns are computed only when
 * a problem is shown.
 */

/** A text and what to call it in a message: a file's name, `expression`, `prelude`. */
export interface Source {
  readonly name: string;
  readonly text: string;
  /** The number of its first line, where it is a part of a longer text; 1 otherwise. */
  readonly firstLine?: number;
}

/** A half-open range of UTF-16 code units of a source. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** What is written in a span. */
export const textIn = ({ source, start, end }: Span): string => source.text.slice(start, end);

/** The smallest span that holds both; they must be of one source. */
export function through(first: Span, last: Span): Span {
  return { source: first.source, start: first.start, end: last.end };
}

/** A line and a column, both from 1. */
export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in code points: what an editor calls the column. */
  readonly column: number;
}

/** The line and column of an offset; CR LF, LF and a lone CR each end a line. */
export function positionOf(source: Source, offset: number): Position {
  const { starts, pairs } = linesOf(source);
  const line = countUntil(starts, offset);
  const start = starts[line - 1] ?? 0;
  const doubled = countUntil(pairs, offset - 1) - countUntil(pairs, start - 1);
  return { line: line + linesBefore(source), column: offset - start - doubled + 1 };
}

/** The offsets at which the lines of a text start, in ascending order. */
export const lineStarts = (source: Source): readonly number[] => linesOf(source).starts;

/** A line of a text, without the break that ends it. */
export interface Line {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** The line that an offset is in; a line break belongs to the line that it ends. */
export function lineAt(source: Source, offset: number): Line {
  const { starts } = linesOf(source);
  const { text } = source;
  const number = countUntil(starts, offset);
  const next = starts[number];
  const isDouble = next !== undefined && text[next - 1] === "\n" && text[next - 2] === "\r";
  const end = next === undefined ? text.length : next - (isDouble ? 2 : 1);
  return { number: number + linesBefore(source), start: starts[number - 1] ?? 0, end };
}

const linesBefore = ({ firstLine = 1 }: Source): number => firstLine - 1;

/** Where the lines of a text start, and the second halves of its surrogate pairs, both in ascending order. */
interface Lines {
  readonly starts: readonly number[];
  readonly pairs: readonly number[];
}

/** Found once for a text: it may have a problem in each of its lines. */
const cachedLines = new WeakMap<Source, Lines>();

function linesOf(source: Source): Lines {
  const cached = cachedLines.get(source);
  if (cached !== undefined) return cached;
  const { text } = source;
  const starts = [0];
  const pairs: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (code === lineFeed || (code === carriageReturn && next !== lineFeed)) starts.push(at + 1);
    else if ((code & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00) pairs.push(at + 1);
  }
  const lines = { starts, pairs };
  cachedLines.set(source, lines);
  return lines;
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** How many of some ascending numbers are at most a number. */
function countUntil(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Data of an embedder has no span: the problem points at a text that stands for it. */
export function spanOfText(name: string, text: string): Span {
  return { source: { name, text }, start: 0, end: text.length };
}
