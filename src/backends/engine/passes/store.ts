import { weightOf } from "../values/source.js";
import { cellsIn } from "../values/value.js";
import { Cutting } from "./cutting.js";
import { type Draft, withLoops } from "./draft.js";

/** What would be computed so many times is stored. */
const mostRepeats = 4;

/** Stores what a loop would compute again for every index of axes that it lacks, as a row's maximum in a softmax. */
export function store(draft: Draft): Draft {
  const cutting = new Cutting(
    draft.storage,
    (operand, user) => weightOf(operand) > 0 && cellsIn(operand.axes) * mostRepeats <= cellsIn(user.axes),
  );
  return withLoops(draft, (loop, span) => cutting.loop(loop, span));
}
