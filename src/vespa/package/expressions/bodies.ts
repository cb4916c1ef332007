import type { Span } from "../../../language/source/span.js";
import type { Expression, Word } from "../../../language/syntax/tree.js";
import { type Profile, phaseNames } from "../model/model.js";

/** What a phase or a function computes. */
export interface Body {
  readonly tree: Expression;
  /** Of the text, with the comments around the expression. */
  readonly span: Span;
  /** Those of the function. */
  readonly parameters: readonly Word[];
}

/** The expressions of a rank profile that could be read: of its phases, and then of its functions. */
export function bodiesOf({ phases, functions }: Pick<Profile, "phases" | "functions">): readonly Body[] {
  const ofPhases = phaseNames.map((each) => ({ expression: phases[each]?.expression, parameters: [] }));
  return [...ofPhases, ...functions.values()].flatMap(({ expression, parameters }) =>
    expression?.tree === undefined ? [] : [{ tree: expression.tree, span: expression.span, parameters }],
  );
}
