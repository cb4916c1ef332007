import { type Computed, cellsIn, type LoopDraft } from "../values/value.js";
import { Cutting } from "./cutting.js";
import { type Draft, withLoops } from "./draft.js";
import { SourceKinds } from "./source-kinds.js";

/** What has more cells than these is computed in each run: 8 MB of doubles. */
const mostHoisted = 2 ** 20;
/** So many cells are stored for a plan; of its loops the first come first, so that plans with further stages begin alike. */
const mostOfPlan = 2 ** 22;

/**
 * Stores what is the same in all runs and takes longer to compute than to read, as the cosines of a transform or a function of
 * weights that are fixed: the first run computes it, and the others read it.
 */
export function hoist(draft: Draft): Draft {
  const sources = new SourceKinds(draft);
  const hoisted = new Set<Computed>();
  let cellsLeft = mostOfPlan;
  const fits = (operand: Computed): boolean => {
    const cells = cellsIn(operand.axes);
    if (hoisted.has(operand)) return true;
    if (cells > Math.min(mostHoisted, cellsLeft)) return false;
    hoisted.add(operand);
    cellsLeft -= cells;
    return true;
  };
  const cutting = new Cutting(
    draft.storage,
    (operand, user) =>
      user.axes.length > 0 &&
      sources.isCostly(operand) &&
      sources.isFixed(operand) &&
      !sources.isFixed(user) &&
      fits(operand),
  );
  // One number, however long its program is, is computed as quickly as it is looked at here.
  const mayHave = ({ axes, source }: LoopDraft): boolean =>
    axes.length > 0 && sources.isCostly(source) && !sources.isFixed(source);
  return withLoops(draft, (loop, span) => (mayHave(loop) ? cutting.loop(loop, span) : loop));
}
