import { parseProgram } from "../language/syntax/parse.js";
import { format } from "../language/syntax/pretty-printer/format.js";
import type { Statement } from "../language/syntax/tree.js";
import type { Analysis } from "./analysis.js";
import type { TextEdit } from "./text-edits.js";

/**
 * The canonical layout of a program as edits of its parts, statements and what stands between them: what is laid out already is left
 * alone, and with it the cursor and the marks of an editor. The ends of lines stay as they are.
 */
export function programLayout({ source, tree }: Pick<Analysis, "source" | "tree">): readonly TextEdit[] {
  const { text: formatted, problems } = format(source);
  if (formatted === undefined || problems.some((each) => each.isError)) return [];
  const text = source.text.includes("\r\n") ? formatted.replaceAll("\n", "\r\n") : formatted;
  const { tree: laidOut } = parseProgram({ name: source.name, text });
  const [before, after] = [bordersOf(tree.statements), bordersOf(laidOut?.statements ?? [])];
  if (before.length !== after.length) return [{ span: { source, start: 0, end: source.text.length }, text }];
  const edits: TextEdit[] = [];
  let [start, from] = [0, 0];
  for (const [at, end] of [...before, source.text.length].entries()) {
    const to = after[at] ?? text.length;
    const part = text.slice(from, to);
    if (part !== source.text.slice(start, end)) edits.push({ span: { source, start, end }, text: part });
    [start, from] = [end, to];
  }
  return edits;
}

/** Where each statement begins and ends. */
const bordersOf = (statements: readonly Statement[]): readonly number[] =>
  statements.flatMap(({ span }) => [span.start, span.end]);
