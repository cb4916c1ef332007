import type { IToken } from "chevrotain";
import type { Problem } from "../source/problem.js";
import type { Source, Span } from "../source/span.js";
import { problem } from "./messages.js";

/** The bracket that closes another; nothing for what is no opening bracket. */
function closerOf(spelling: string): string | undefined {
  switch (spelling) {
    case "(":
      return ")";
    case "[":
      return "]";
    case "{":
      return "}";
  }
  return undefined;
}

const isCloser = (spelling: string): boolean => spelling === ")" || spelling === "]" || spelling === "}";

/**
 * What is wrong with the brackets of a text: the first that has no partner, or nesting beyond the limit. Checked
 * before parsing, which recurses along brackets and along nothing else.
 */
export function bracketProblem(
  tokens: readonly IToken[],
  source: Source,
  limit: number,
): Problem | undefined {
  const open: IToken[] = [];
  for (const token of tokens) {
    const spelling = token.tokenType.name;
    if (closerOf(spelling) !== undefined) {
      open.push(token);
      if (open.length > limit) return problem("limit/nesting", spanOf(token, source), { limit });
    } else if (isCloser(spelling)) {
      const opener = open.pop();
      if (opener === undefined)
        return problem("syntax/unopened", spanOf(token, source), { bracket: spelling });
      const closer = closerOf(opener.tokenType.name) ?? "";
      if (closer !== spelling) {
        const related = [{ span: spanOf(opener, source), label: "opened here" }];
        return problem("syntax/mismatched", spanOf(token, source), { bracket: spelling, closer }, related);
      }
    }
  }
  const unclosed = open.at(-1);
  if (unclosed === undefined) return undefined;
  const bracket = unclosed.tokenType.name;
  return problem("syntax/unclosed", spanOf(unclosed, source), { bracket, closer: closerOf(bracket) ?? "" });
}

export function spanOf(token: IToken, source: Source): Span {
  return { source, start: token.startOffset, end: token.startOffset + token.image.length };
}
