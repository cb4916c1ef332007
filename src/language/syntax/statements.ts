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

const roles = new Set(["input", "constant", "variable", "persistent", "model"]);
const opening = new Set(["(", "[", "{"]);
const closing = new Set([")", "]", "}"]);

/** How the statements of a text with mistakes are told apart. */
interface Recovery {
  /** Whether brackets may have no partners: then what comes after an empty line is a statement, too. */
  readonly isUnbalanced: boolean;
}

/**
 * The tokens of a program, without line breaks and with an END after every statement. Where there is a mistake, a line that
 * begins like a definition is a statement in any case.
 */
export function endStatements(tokens: readonly IToken[], recovery?: Recovery): IToken[] {
  const result: IToken[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    const isNew =
      recovery !== undefined && token.tokenType === newline && beginsStatement(tokens, at + 1, recovery);
    if (isNew) depth = 0;
    const spelling = token.tokenType.name;
    if (opening.has(spelling)) depth++;
    else if (closing.has(spelling)) depth = Math.max(0, depth - 1);
    // The first of several line breaks stands for all.
    if (token.tokenType === newline && tokens[at - 1]?.tokenType === newline) continue;
    if (
      (token.tokenType === semicolon && (depth === 0 || recovery?.isUnbalanced === true)) ||
      (token.tokenType === newline && depth === 0 && (isNew || endsAt(result.at(-1), tokens, at)))
    ) {
      if (result.length > 0 && result.at(-1)?.tokenType !== end) result.push(endToken(token.startOffset));
    } else if (token.tokenType !== newline) result.push(token);
  }
  const last = result.at(-1);
  if (last !== undefined && last.tokenType !== end)
    result.push(endToken(last.startOffset + last.image.length));
  return result;
}

/** Whether a line looks like one that begins a statement. */
function beginsStatement(tokens: readonly IToken[], at: number, { isUnbalanced }: Recovery): boolean {
  const spelling = (ahead: number): string => tokens[at + ahead]?.tokenType.name ?? "";
  if (spelling(0) === "newline") return isUnbalanced;
  if (roles.has(spelling(0)) && /^\w/.test(tokens[at + 1]?.image ?? "")) return true;
  if (!/^[\w@]/.test(tokens[at]?.image ?? "")) return false;
  if (spelling(1) !== "(") return spelling(1) === "=";
  let next = 2;
  while (/^(?:[\w@$]+|,)$/.test(tokens[at + next]?.image ?? "")) next++;
  return spelling(next) === ")" && spelling(next + 1) === "=";
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

/** The tokens of each statement, after which an empty one stands. */
export function statementsOf(tokens: readonly IToken[]): IToken[][] {
  const parts: IToken[][] = [[]];
  for (const token of tokens) {
    parts.at(-1)?.push(token);
    if (token.tokenType === end) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}
