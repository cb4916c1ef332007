import type { Span } from "../language/source/span.js";

/** A span of a text that becomes another one. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/** A text with edits, of which no two meet. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const { span, text: part } of [...edits].sort((a, b) => a.span.start - b.span.start)) {
    parts.push(text.slice(end, span.start), part);
    end = span.end;
  }
  return parts.join("") + text.slice(end);
}
