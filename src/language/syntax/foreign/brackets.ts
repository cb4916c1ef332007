import { endsOperand, isCloser, isOpener, type Lexeme, lexemesOf } from "./lexemes.js";

/** The bracket that is open where a text ends, what stands before it, and whether commas separate what is in it so far. */
interface InnermostBracket {
  readonly text: string;
  readonly outer: Lexeme | undefined;
  readonly hasCommas: boolean;
}

function innermost(before: string): InnermostBracket | undefined {
  const lexemes = lexemesOf(before);
  let [depth, hasCommas] = [0, false];
  for (const [at, lexeme] of [...lexemes.entries()].reverse()) {
    if (isCloser(lexeme)) depth++;
    else if (isOpener(lexeme) && depth-- === 0)
      return { text: lexeme.text, outer: lexemes[at - 1], hasCommas };
    else if (depth === 0 && lexeme.text === ",") hasCommas = true;
  }
  return undefined;
}

/** Whether a comma separates values where a text ends: in lists and calls, and not in parentheses that group. */
export function separatesByCommas(before: string): boolean {
  const open = innermost(before);
  return open !== undefined && (open.text !== "(" || endsOperand(open.outer));
}

/**
 * Whether a semicolon may separate values where a text ends. Outside brackets it stands between statements; after commas, between
 * rows or between numbers with decimal commas.
 */
export const separatesBySemicolons = (before: string): boolean => innermost(before)?.hasCommas === false;
