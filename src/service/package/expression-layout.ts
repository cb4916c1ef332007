import type { Span } from "../../language/source/span.js";
import { format } from "../../language/syntax/pretty-printer/format.js";
import type { TextEdit } from "../text-edits.js";

/**
 * The canonical layout of an expression within a schema, where only a range is laid out at a time: the layout of a schema is its
 * author's. What follows `expression:` stays on its line; within braces, lines begin where the first one does.
 */

/** How wide a line may be, with what stands before the expression. */
const widest = 100;

/** The least width that an expression gets, however far on the right it begins. */
const narrowest = 40;

/** The edit that lays an expression out; none where it cannot be read, or is laid out. */
export function expressionEdit(span: Span): TextEdit | undefined {
  const { source, start, end } = trimmed(span);
  const { text } = source;
  const written = text.slice(start, end);
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const isAlone = before.trim() === "";
  const isBraced = text.slice(0, start).trimEnd().endsWith("{");
  const isLine = !isBraced || (!isAlone && !written.includes("\n"));
  const width = isLine ? Number.POSITIVE_INFINITY : Math.max(narrowest, widest - before.length);
  // Within parentheses it is one statement, however many lines it has; the layout leaves them out.
  const { text: formatted, problems } = format({ name: source.name, text: `(${written})` }, width);
  if (formatted === undefined || problems.length > 0) return undefined;
  const indentation = `\n${/^\s*/.exec(before)?.[0] ?? ""}${isAlone ? "" : "  "}`;
  const laidOut = formatted.trimEnd().replaceAll("\n", indentation);
  return laidOut === written ? undefined : { span: { source, start, end }, text: laidOut };
}

function trimmed({ source, start, end }: Span): Span {
  const text = source.text.slice(start, end);
  const [from, to] = [text.length - text.trimStart().length, text.trimEnd().length];
  return { source, start: start + from, end: start + Math.max(from, to) };
}
