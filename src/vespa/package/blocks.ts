import type { Source, Span } from "../../language/source/span.js";

/**
 * The braces of a schema: which closes which, found once for each file, so that what is not understood can be stepped
 * over. Braces in comments and in quoted text do not count.
 */
export interface Blocks {
  /** Where the partner of each opening brace is; of one that is never closed, the end of the text. */
  readonly closings: ReadonlyMap<number, number>;
  /** Opening braces that are never closed, and closing ones that close nothing. */
  readonly unclosed: readonly number[];
  readonly unopened: readonly number[];
}

const known = new WeakMap<Source, Blocks>();

export function blocksOf(source: Source): Blocks {
  const found = known.get(source) ?? findBlocks(source);
  known.set(source, found);
  return found;
}

function findBlocks({ text }: Source): Blocks {
  const closings = new Map<number, number>();
  const open: number[] = [];
  const unopened: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{") open.push(at);
    else if (character === "}") {
      const opened = open.pop();
      if (opened === undefined) unopened.push(at);
      else closings.set(opened, at);
    } else at = Math.max(at, pastOpaque(text, at) - 1);
  }
  for (const at of open) closings.set(at, text.length);
  return { closings, unclosed: open, unopened };
}

/** The offset behind a comment or a quoted text that begins here; the same offset where none does. */
export function pastOpaque(text: string, at: number): number {
  const character = text[at];
  if (character === "#") return lineEnd(text, at);
  // A quote without a partner in its line is only a character, and so is one that is escaped.
  if ((character !== '"' && character !== "'") || text[at - 1] === "\\") return at;
  for (let next = at + 1; next < text.length && text[next] !== "\n"; next++) {
    if (text[next] === "\\") next++;
    else if (text[next] === character) return next + 1;
  }
  return at;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Behind white space, and comments if they are to be skipped too; not beyond the end of a span. */
export function pastSpace({ source: { text } }: Span, at: number, end: number): number {
  let next = at;
  while (next < end) {
    if (/\s/.test(text[next] ?? "")) next++;
    else if (text[next] === "#") next = lineEnd(text, next);
    else break;
  }
  return Math.min(next, end);
}

/** A span without the white space at its ends. */
export function trimmed({ source, start, end }: Span): Span {
  const text = source.text.slice(start, end);
  const from = start + text.length - text.trimStart().length;
  return { source, start: Math.min(from, end), end: Math.max(from, start + text.trimEnd().length) };
}

export const textOf = ({ source, start, end }: Span): string => source.text.slice(start, end);
