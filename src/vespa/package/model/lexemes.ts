import { type Span, textIn } from "../../../language/source/span.js";

/** What the parser of Vespa's schemas takes a piece of text for. */
// biome-ignore format: a table
const patterns = {
  integer:       /-?\d+/y,
  long:          /-?\d+L/y,
  decimal:       /-?\d+\.\d+/y,
  name:          /[A-Za-z_]\w*/y,
  "dashed name": /[A-Za-z_][\w-]*/y,
  word:          /[\w.]+/y,
  path:          /[A-Za-z_][\w.-]*\/[\w./-]*|[A-Za-z_][\w.-]*/y,
  address:       /https?:[\w./-]*/y,
  text:          /"[^"]*"|'[^']*'/y,
  type:          /tensor(?:<[^<>]*>)?\([^()]*\)/y,
  parameter:     /\$[A-Za-z_]\w*/y,
  sign:          /[()[\]{}<>=?,.:$]/y,
};

/** Other characters have no meaning to it. */
export type LexemeKind = keyof typeof patterns | "unreadable";

export interface Lexeme {
  readonly kind: LexemeKind;
  readonly text: string;
  readonly span: Span;
}

/** White space, and comments. */
const space = /(?:\s|#[^\r\n]*(?![^\r\n]))*/y;

/** The pieces of a text in a schema, as Vespa's parser takes them: always the longest, and of two as long the first of the table. */
export function lexemesOf(span: Span): readonly Lexeme[] {
  const text = textIn(span);
  const lexemes: Lexeme[] = [];
  for (let at = after(space, text, 0); at < text.length; ) {
    let [kind, end]: [LexemeKind, number] = ["unreadable", at];
    for (const [each, pattern] of Object.entries(patterns)) {
      const reached = after(pattern, text, at);
      if (reached > end) [kind, end] = [each as LexemeKind, reached]; // a key of the table
    }
    if (kind === "unreadable") end = at + 1;
    const where = { source: span.source, start: span.start + at, end: span.start + end };
    lexemes.push({ kind, text: text.slice(at, end), span: where });
    at = after(space, text, end);
  }
  return lexemes;
}

/** Where a pattern ends that begins at a place; the place itself, if it does not. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
