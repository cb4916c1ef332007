import type { Source, Span } from "../language/source/span.js";
import { parseText } from "../language/syntax/parse.js";

/** The comments of a program with their signs, in order. */
export const commentsIn = (source: Source): readonly { readonly text: string; readonly span: Span }[] =>
  parseText(source).comments;

/** The remark right above a statement: the lines of comment before it, without their signs. */
export function remarkAbove({ source, start }: Span): string | undefined {
  const { text } = source;
  const lines: string[] = [];
  let end = text.lastIndexOf("\n", start - 1);
  if (text.slice(end + 1, start).trim() !== "") return undefined;
  while (end > 0) {
    const before = text.lastIndexOf("\n", end - 1);
    const line = text.slice(before + 1, end).trim();
    const sign = line.startsWith("//") ? 2 : line.startsWith("#") ? 1 : 0;
    if (sign === 0) break;
    lines.unshift(line.slice(sign).trim());
    end = before;
  }
  return lines.length === 0 ? undefined : lines.join("\n");
}
