import { EOF, type IRecognitionException, type IToken } from "chevrotain";
import type { Problem } from "../../source/problem.js";
import type { Source, Span } from "../../source/span.js";
import { spanOf } from "../brackets.js";
import { problem } from "../messages.js";
import { end } from "../tokens.js";
import { expectedAt, expectedBehind, foundAt } from "./expectations.js";

/** An error of the parser as a problem. */
export function syntaxProblem(
  { token, message }: IRecognitionException,
  tokens: readonly IToken[],
  source: Source,
): Problem {
  const at = token.tokenType === EOF ? tokens.length : tokens.indexOf(token);
  const previous = tokens[at - 1];
  const span =
    token.tokenType === EOF || token.tokenType === end ? endOf(source, previous) : spanOf(token, source);
  const before = textBefore(tokens, at, source);
  if (token.tokenType.name === "=") return problem("syntax/equals", span, { behind: behindEquals(before) });
  const found = foundAt(token);
  const expected = expectedBehind(previous, expectedAt(message), found);
  return problem("syntax/unexpected", span, { found, expected, before });
}

/** What a single `=` stands behind: `{x` of an address, `+` as of an assignment, or anything else. */
function behindEquals(before: string): "address" | "operator" | undefined {
  if (/\{(?:[^{}]*,)?\s*[\w@$]+$/.test(before)) return "address";
  return /[-+*/%^:]$/.test(before) ? "operator" : undefined;
}

/** The text of a statement up to one of its tokens; of a long one the end, which is all that hints look at. */
function textBefore(tokens: readonly IToken[], at: number, source: Source): string {
  const first = tokens.findLastIndex((each, index) => index < at && each.tokenType === end) + 1;
  const last = tokens[at - 1];
  if (last === undefined || first >= at) return "";
  const stop = last.startOffset + last.image.length;
  return source.text.slice(Math.max(tokens[first]?.startOffset ?? 0, stop - 1000), stop);
}

/** An empty span right after the last token, where something is missing. */
export function endOf(source: Source, previous: IToken | undefined): Span {
  const start =
    previous === undefined || Number.isNaN(previous.startOffset)
      ? 0
      : previous.startOffset + previous.image.length;
  return { source, start, end: start };
}
