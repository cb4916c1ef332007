import { aggregators } from "../../../../language/scalar/aggregators.js";
import { intAt, numberAt } from "../../../../language/values/element.js";
import { cellsOf } from "../../../../language/values/shape.js";
import type { ScatterStep } from "../../ir/step.js";
import type { Slot, Step } from "../../loop.js";
import { labelledAxes } from "../../values/gather.js";
import { describeScatter } from "../../values/scatter.js";
import type { Scatter } from "../../values/value.js";
import type { CompiledStep, StepContext } from "../steps.js";
import { isRun, offsetsAlong } from "./block-offsets.js";
import type { NumberCells } from "./gather-step.js";
import { rowMover } from "./label-kernels.js";
import { LabelWalk, type SlottedLabel, workOfLabel } from "./label-walk.js";

/**
 * A step that folds cells where labels say. Its parts are the indexes of the axes along which the label differs, one after the other, since
 * several may have the same label; of each a block is folded, but where its label is not there.
 */
export function compiledScatter(
  { scatter, writes, span, isOnce }: ScatterStep,
  { slotOf, emitsCode, arena }: StepContext,
): CompiledStep {
  const outer = labelledAxes(scatter);
  const sizes = scatter.sizes.slice(0, outer);
  const [from, target] = [slotOf(scatter.cells.slot), slotOf(writes)];
  const labels = scatter.labels.map((label) => ({ ...label, slot: slotOf(label.access.slot) }));
  const extent = cellsOf(sizes);
  const inner = scatter.sizes.slice(outer);
  const parts = {
    kind: `scatter ${scatter.aggregator}`,
    cellType: scatter.cells.cellType,
    from: { ...scatter.cells, slot: from, stride: 0 },
    into: { slot: target, offset: 0, strides: scatter.strides, stride: scatter.labels[0].stride },
    ...{ sizes, labels, length: cellsOf(inner) },
  } as const;
  const areRuns = [scatter.cells.strides, scatter.strides].every((each) => isRun(inner, each.slice(outer)));
  const foldRows = areRuns && emitsCode ? rowMover(parts, arena) : undefined;
  const foldParts = foldRows ?? partFolder(scatter, outer, from, target, labels);
  const step: Step = {
    extent,
    work: writes.length + cellsOf(scatter.sizes) + extent * workOfLabel,
    description: describeScatter(scatter),
    run: (first, end) => {
      if (first === 0) doublesOf(target).fill(aggregators[scatter.aggregator].start);
      foldParts(first, end);
    },
  };
  return { step, span, isOnce };
}

const doublesOf = ({ block }: Slot): Float64Array => block.cells as Float64Array; // a target is of doubles

function partFolder(
  scatter: Scatter,
  outer: number,
  from: Slot,
  target: Slot,
  labels: readonly SlottedLabel[],
): Step["run"] {
  const sizes = scatter.sizes.slice(0, outer);
  const fold = blockFolder(scatter, outer);
  const sources = new LabelWalk(sizes, scatter.cells, []);
  const targets = new LabelWalk(sizes, { offset: 0, strides: scatter.strides }, labels);
  return (first, end) => {
    const input = from.block.cells as NumberCells; // a scatter has no bits of numbers
    const output = doublesOf(target);
    for (let part = first; part < end; ) {
      sources.moveTo(part, end);
      const count = targets.moveTo(part, end);
      fold(input, sources.starts, output, targets.starts, count);
      part += count;
    }
  };
}

/** Folds the cells of blocks into those of a target: where each begins in the two; NaN where it is folded into none. */
type BlockFolder = (
  from: NumberCells,
  starts: Float64Array,
  into: Float64Array,
  targets: Float64Array,
  count: number,
) => void;

function blockFolder({ aggregator, sizes, cells, strides }: Scatter, outer: number): BlockFolder {
  const { step } = aggregators[aggregator];
  const inner = sizes.slice(outer);
  const [sources, targets] = [cells.strides.slice(outer), strides.slice(outer)];
  if (isRun(inner, sources) && isRun(inner, targets)) {
    const length = cellsOf(inner);
    return blockByBlock((from, start, into, at) => {
      for (let cell = 0; cell < length; cell++)
        into[at + cell] = step(into[at + cell] as number, from[start + cell] as number);
    });
  }
  const [before, behind] = [offsetsAlong(inner, sources), offsetsAlong(inner, targets)];
  return blockByBlock((from, start, into, target) => {
    for (let cell = 0; cell < before.length; cell++) {
      const at = target + intAt(behind, cell);
      into[at] = step(into[at] as number, from[start + intAt(before, cell)] as number);
    }
  });
}

// In the loops above the verifier saw that each cell is there. `>>> 0` makes an integer of a start, once for all its cells.
const blockByBlock =
  (fold: (from: NumberCells, start: number, into: Float64Array, at: number) => void): BlockFolder =>
  (from, starts, into, targets, count) => {
    for (let each = 0; each < count; each++) {
      const target = numberAt(targets, each);
      if (!Number.isNaN(target)) fold(from, numberAt(starts, each) >>> 0, into, target >>> 0);
    }
  };
