import { problem } from "../../model/messages.js";
import type { Reading } from "../../model/reading.js";
import type { BraceFault } from "../../model/setting-messages.js";
import type { Statement } from "../../syntax/tree.js";

/**
 * Where Vespa's parser of schemas ends an expression or a list of features elsewhere than its text does: it goes by braces alone,
 * and takes those of comments and texts for braces, too.
 */

/** What of a text matters here: texts and comments as a whole, braces, and ends of lines. */
const pieces =
  /"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"?|'[^'\\\r\n]*(?:\\[^\r\n][^'\\\r\n]*)*'?|#[^\r\n]*|[{}\n]/g;

/** So many levels of braces Vespa reads within those of an expression. */
const deepest = 3;

/** `expression: …` and `expression { … }`: whatever has a partner is counted, and must not nest too deeply. */
export const reportExpressionBraces = (statement: Statement, reading: Reading): void =>
  reportFound(statement, expressionFault, reading);

/** `match-features: …` and `match-features { … }`: the first brace that closes is the end. */
export const reportListBraces = (statement: Statement, reading: Reading): void =>
  reportFound(statement, listFault, reading);

interface CountedBrace {
  readonly sign: string;
  readonly at: number;
  /** Whether it stands in a comment or a text. */
  readonly isHidden: boolean;
}

interface FoundFault {
  readonly fault: BraceFault;
  readonly brace: CountedBrace;
}

function reportFound(
  { keyword }: Statement,
  faultOf: (braces: Iterable<CountedBrace>) => FoundFault | undefined,
  { report }: Reading,
): void {
  const { source, end } = keyword.span;
  const found = faultOf(bracesFrom(source.text, end));
  if (found === undefined) return;
  const { fault, brace } = found;
  const span = { source, start: brace.at, end: brace.at + 1 };
  report(problem("schema/brace", span, { fault, brace: brace.sign }));
}

/** The braces behind the colon or the brace that opens, up to where the text ends: at its brace, or with its line. */
function* bracesFrom(text: string, from: number): Iterable<CountedBrace> {
  const opening = /[:{]/.exec(text.slice(from));
  if (opening === null) return;
  const start = from + opening.index + 1;
  let depth = 0;
  for (const { 0: piece, index } of text.slice(start).matchAll(pieces)) {
    if (piece === "\n" && opening[0] === ":") return;
    if (piece === "}" && --depth < 0) return;
    if (piece === "{") depth++;
    const isHidden = piece.length > 1;
    for (const { 0: sign, index: within } of piece.matchAll(/[{}]/g))
      yield { sign, at: start + index + within, isHidden };
  }
}

function expressionFault(braces: Iterable<CountedBrace>): FoundFault | undefined {
  const unclosed: CountedBrace[] = [];
  let depth = 0;
  let closing: CountedBrace | undefined;
  for (const brace of braces) {
    depth += brace.sign === "{" ? 1 : -1;
    if (depth > deepest) return { fault: "deep", brace };
    if (brace.isHidden && brace.sign === "{") unclosed.push(brace);
    if (brace.isHidden && brace.sign === "}" && unclosed.pop() === undefined) closing ??= brace;
    if (depth < 0 && closing !== undefined) return { fault: "hidden", brace: closing };
  }
  const last = unclosed.at(-1);
  return depth > 0 && last !== undefined ? { fault: "hidden", brace: last } : undefined;
}

function listFault(braces: Iterable<CountedBrace>): FoundFault | undefined {
  for (const brace of braces) if (brace.isHidden && brace.sign === "}") return { fault: "in list", brace };
  return undefined;
}
