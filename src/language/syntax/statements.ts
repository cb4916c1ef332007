import type { IToken } from "chevrotain";
import { operatorSymbols } from "../scalar/operators.js";
import { end, newline, semicolon } from "./tokens.js";

/**
 * Where statements end, decided on the tokens before the grammar sees them: at a `;`, or at a line break outside
 * brackets, unless the token before it or after it continues the statement.
 */
const continuesAfter = new Set<string>([...operatorSymbols, "=", ",", ":", ".", "!", "$"]);
const continuesBefore = new Set<string>([
  ...operatorSymbols.filter((each) => each !== "-"),
  "=",
  ",",
  ":",
  ".",
  ")",
  "]",
  "}",
]);

const opening = new Set(["(", "[", "{"]);
const closing = new Set([")", "]", "}"]);

/** The tokens of a program, without line breaks and with an END after every statement. */
export function endStatements(tokens: readonly IToken[]): IToken[] {
  const result: IToken[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    const spelling = token.tokenType.name;
    if (opening.has(spelling)) depth++;
    else if (closing.has(spelling)) depth = Math.max(0, depth - 1);
    // The first of several line breaks stands for all.
    if (token.tokenType === newline && tokens[at - 1]?.tokenType === newline) continue;
    if (
      token.tokenType === semicolon ||
      (token.tokenType === newline && depth === 0 && endsAt(result.at(-1), tokens, at))
    ) {
      if (result.length > 0 && result.at(-1)?.tokenType !== end) result.push(endToken(token.startOffset));
    } else if (token.tokenType !== newline) result.push(token);
  }
  const last = result.at(-1);
  if (last !== undefined && last.tokenType !== end)
    result.push(endToken(last.startOffset + last.image.length));
  return result;
}

/** Whether the line break at this index ends a statement, whose last token is `last`. */
function endsAt(last: IToken | undefined, tokens: readonly IToken[], at: number): boolean {
  if (last !== undefined && continuesAfter.has(last.tokenType.name)) return false;
  let next = at + 1;
  while (tokens[next]?.tokenType === newline) next++;
  const after = tokens[next]?.tokenType;
  return after === undefined || !continuesBefore.has(after.name);
}

/** The tokens of a single expression, in which line breaks are ignored. */
export function ignoreLines(tokens: readonly IToken[]): IToken[] {
  return tokens.filter((token) => token.tokenType !== newline);
}

function endToken(offset: number): IToken {
  return { image: "", startOffset: offset, tokenType: end, tokenTypeIdx: end.tokenTypeIdx ?? 0 };
}
