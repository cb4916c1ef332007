import type { Problem } from "../../source/problem.js";
import type { Source } from "../../source/span.js";
import { problem } from "../messages.js";

/** One problem a line: a pair of curly quotes is one mistake. */
export function strangersAt(offsets: readonly number[], source: Source): Problem[] {
  const isNew = (offset: number, at: number): boolean =>
    at === 0 || /[\r\n;]/.test(source.text.slice(offsets[at - 1], offset));
  return offsets.filter(isNew).map((offset) => characterProblem(offset, source));
}

function characterProblem(start: number, source: Source): Problem {
  const character = String.fromCodePoint(source.text.codePointAt(start) ?? 0);
  return problem("syntax/character", { source, start, end: start + character.length }, { character });
}
