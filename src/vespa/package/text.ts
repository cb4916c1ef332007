import type { Span } from "../../language/source/span.js";

/** The texts of spans. */

export const textOf = ({ source, start, end }: Span): string => source.text.slice(start, end);

/** A span without the white space at its ends. */
export function trimmed({ source, start, end }: Span): Span {
  const text = source.text.slice(start, end);
  const from = start + text.length - text.trimStart().length;
  return { source, start: Math.min(from, end), end: Math.max(from, start + text.trimEnd().length) };
}

/** A text that may stand in quotes. */
export function unquoted(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text;
}

/** A text with spaces in the place of its comments, so that places stay what they are. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/"[^"\n]*"|'[^'\n]*'|#[^\r\n]*/g, (found) =>
    found.startsWith("#") ? " ".repeat(found.length) : found,
  );
