import { cellsIn } from "../values/value.js";
import { Cutting } from "./cutting.js";
import { type Draft, withLoops } from "./draft.js";
import { SourceKinds } from "./source-kinds.js";

/** What has more cells than these is computed in each run: 8 MB of doubles. */
const mostHoisted = 2 ** 20;

/**
 * Stores what is the same in all runs and takes longer to compute than to read, as the cosines of a transform or a function of
 * weights that are fixed: the first run computes it, and the others read it.
 */
export function hoist(draft: Draft): Draft {
  const sources = new SourceKinds(draft);
  const cutting = new Cutting(
    draft.storage,
    (operand, user) =>
      sources.isCostly(operand) &&
      user.axes.length > 0 &&
      cellsIn(operand.axes) <= mostHoisted &&
      sources.isFixed(operand) &&
      !sources.isFixed(user),
  );
  return withLoops(draft, (loop, span) =>
    sources.isCostly(loop.source) && !sources.isFixed(loop.source) ? cutting.loop(loop, span) : loop,
  );
}
