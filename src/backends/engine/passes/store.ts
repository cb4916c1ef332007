import { entry } from "../../../language/values/element.js";
import { weightOf } from "../values/source.js";
import type { Storage } from "../values/storage.js";
import { cellsIn } from "../values/value.js";
import { Cutting } from "./cutting.js";
import { type Draft, withLoops } from "./draft.js";
import { SourceKinds } from "./source-kinds.js";

/** What would be computed so many times is stored. */
const mostRepeats = 4;

/** Stores what a loop would compute again for every index of axes that it lacks, as a row's maximum in a softmax. */
export function store(draft: Draft): Draft {
  const cuttings = new Map<number, Cutting>();
  const kinds = new SourceKinds(draft);
  return withLoops(draft, (loop, span) => {
    const cells = cellsIn(loop.axes);
    if (!cuttings.has(cells)) cuttings.set(cells, cuttingFor(cells, draft.storage, kinds));
    return entry(cuttings, cells).loop(loop, span);
  });
}

/** A loop of so many cells sees no more of what has more axes: of a product of sparse tensors, say, a few rows. */
const cuttingFor = (loopCells: number, storage: Storage, kinds: SourceKinds): Cutting =>
  new Cutting(
    storage,
    (operand, user) =>
      weightOf(operand) > 0 &&
      cellsIn(operand.axes) * mostRepeats <= Math.min(cellsIn(user.axes), loopCells) &&
      !kinds.isOfIndexes(operand),
  );
