/**
 * Spans of texts. Every tree node and every problem has a span; lines and columns are computed only when
 * a problem is shown.
 */

/** A text and what to call it in a message: a file's name, `expression`, `prelude`. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/** A half-open range of UTF-16 code units of a source. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** The smallest span that holds both; they must be of one source. */
export function through(first: Span, last: Span): Span {
  return { source: first.source, start: first.start, end: last.end };
}

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in code points: what an editor calls the column. */
  readonly column: number;
}

/** The line and column of an offset; CR LF, LF and a lone CR each end a line. */
export function positionOf(source: Source, offset: number): Position {
  const before = source.text.slice(0, offset).split(/\r\n|\r|\n/);
  const last = before[before.length - 1] ?? "";
  return { line: before.length, column: [...last].length + 1 };
}
