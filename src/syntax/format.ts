import type { Problem } from "../source/problem.js";
import type { Source } from "../source/span.js";
import { Tokens, weave } from "./comments.js";
import { linesOf } from "./lines.js";
import { begin, bracket, type Comment, end, lineBreak, token } from "./pieces.js";
import { parseText } from "./parse.js";
import { alone, type Part, parenthesised, piecesOf, typeParts } from "./print.js";
import type * as Tree from "./tree.js";

/**
 * The one layout of programs. Every statement begins a line; empty lines between statements stay, at most one together;
 * comments stay above, behind and inside what they were written at. The text means what it meant, and to lay it out
 * again changes nothing.
 */
export interface Formatted {
  /** Nothing where the text has a problem. */
  readonly text?: string;
  readonly problems: readonly Problem[];
}

export function format(source: Source, width = 100): Formatted {
  const { tree, problems, tokens, comments } = parseText(source);
  if (tree === undefined || problems.length > 0) return { problems };
  const page = new Page(source, width);
  const known = new Tokens(tokens.filter(({ text }) => text !== ""));
  let [at, next] = [0, 0];
  /** The comments before an offset that are still to be written. */
  const commentsBefore = (offset: number): Tree.Word[] => {
    const from = next;
    while (next < comments.length && (comments[next]?.span.start ?? offset) < offset) next++;
    return comments.slice(from, next);
  };
  for (const [number, statement] of tree.statements.entries()) {
    const start = tokens[at]?.span.start ?? 0;
    while (at < tokens.length && tokens[at]?.text !== "") at++;
    const stop = tokens[at - 1]?.span.end ?? start;
    at++;
    page.between(commentsBefore(start), tree.statements[number - 1], statement);
    page.statement(statement, commentsBefore(stop), known, { start, stop });
  }
  page.between(commentsBefore(Number.POSITIVE_INFINITY));
  return { text: page.text, problems };
}
