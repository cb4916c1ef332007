import type { Problem } from "../../../language/source/problem.js";
import type { Source } from "../../../language/source/span.js";

/**
 * A brace that is missing, or too many, moves the ends of blocks: what stands behind it is read as something else, and names that
 * are defined there are not found. Only the brace is told then, with what was wrong before it.
 */
export function withoutConsequencesOfBraces(problems: readonly Problem[]): readonly Problem[] {
  const broken = new Map<Source, number>();
  for (const { code, span } of problems)
    if (isBrace(code)) broken.set(span.source, Math.min(span.start, broken.get(span.source) ?? span.start));
  if (broken.size === 0) return problems;
  const firstIn = new Map<Source, number>();
  for (const { code, span } of problems)
    if (code === "syntax/unexpected")
      firstIn.set(span.source, Math.min(span.start, firstIn.get(span.source) ?? span.start));
  return problems.filter(({ code, span }) => {
    const brace = broken.get(span.source);
    if (isBrace(code)) return true;
    if (brace === undefined) return !ofNames.test(code);
    // Where a brace closes nothing, the one that it should close is missing where something else was expected.
    return span.start <= Math.min(brace, firstIn.get(span.source) ?? brace) && !ofNames.test(code);
  });
}

const isBrace = (code: string): boolean => code === "schema/unclosed" || code === "schema/unopened";

/** The problems of names and of what has to be there: both may be hidden. */
const ofNames = /^(?:feature|field|model|name|phase|profile|query)\/|^schema\/(?:unknown|no-expression)$/;
