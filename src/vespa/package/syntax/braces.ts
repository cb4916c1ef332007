import { createTokenInstance, type IToken } from "chevrotain";
import type { Problem } from "../../../language/source/problem.js";
import type { Source, Span } from "../../../language/source/span.js";
import { problem as syntaxProblem } from "../../../language/syntax/messages.js";
import { problem } from "./messages.js";
import { newline, token } from "./tokens.js";

/** Tokens whose braces have partners, and what was wrong with them. */
export interface Balanced {
  readonly tokens: IToken[];
  readonly problems: readonly Problem[];
}

/** How deep braces may nest. */
const deepest = 100;

/**
 * Gives every brace its partner, so that whatever is wrong elsewhere, it is known where a block ends: what is never
 * closed closes at the end of the text, and what closes nothing is left out. Of several ends of lines one is left.
 */
export function balanced(all: readonly IToken[], source: Source): Balanced {
  const tokens: IToken[] = [];
  const open: IToken[] = [];
  const unopened: IToken[] = [];
  for (const each of all) {
    const { tokenType } = each;
    if (tokenType === newline && tokens.at(-1)?.tokenType === newline) continue;
    if (tokenType === token("{") && open.push(each) > deepest)
      return {
        tokens: [],
        problems: [syntaxProblem("limit/nesting", spanOf(each, source), { limit: deepest })],
      };
    if (tokenType === token("}") && open.pop() === undefined) unopened.push(each);
    else tokens.push(each);
  }
  const end = source.text.length;
  for (const _ of open) tokens.push(createTokenInstance(token("}"), "", end, end, 0, 0, 0, 0));
  // What stands around a brace that was forgotten is not closed either: only the innermost one is told.
  const problems = [
    ...open.slice(-1).map((each) => problem("schema/unclosed", spanOf(each, source), {})),
    ...unopened.slice(0, 1).map((each) => problem("schema/unopened", spanOf(each, source), {})),
  ];
  return { tokens, problems };
}

export const spanOf = ({ startOffset, image }: IToken, source: Source): Span => ({
  source,
  start: startOffset,
  end: startOffset + image.length,
});
