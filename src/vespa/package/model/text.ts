import type { Source, Span } from "../../../language/source/span.js";
import type { Word } from "../../../language/syntax/tree.js";

/** The texts of spans. */

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

export const uncommented = ({ name, text }: Source): Source => ({ name, text: withoutComments(text) });

/** The words of a list, which blanks and commas part, with their places. */
export const wordsIn = (list: string, start: number, source: Span["source"]): readonly Word[] =>
  Array.from(list.matchAll(/[^\s,]+/g), ({ 0: text, index }): Word => {
    const at = start + index;
    return { text, span: { source, start: at, end: at + text.length } };
  });
