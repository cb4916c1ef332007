import { intAt, numberAt } from "../../../language/values/element.js";
import { cellsOf } from "../../../language/values/shape.js";
import type { ScatterStep } from "../ir/step.js";
import type { Step } from "../loop.js";
import { labelledAxes } from "../values/gather.js";
import { describeScatter } from "../values/scatter.js";
import type { Scatter } from "../values/value.js";
import { isRun, offsetsAlong } from "./block-offsets.js";
import type { NumberCells } from "./gather-step.js";
import { LabelWalk, workOfLabel } from "./label-walk.js";
import type { CompiledStep, StepContext } from "./steps.js";

/**
 * A step that adds cells where labels say. Its parts are the indexes of the axes along which the label differs, one after the other, since
 * several may have the same label; of each a block is added, but where its label is not there.
 */
export function compiledScatter(
  { scatter, writes, span, isOnce }: ScatterStep,
  { slotOf }: StepContext,
): CompiledStep {
  const outer = labelledAxes(scatter);
  const sizes = scatter.sizes.slice(0, outer);
  const add = blockAdder(scatter, outer);
  const [from, target] = [slotOf(scatter.cells.slot), slotOf(writes)];
  const labels = scatter.labels.map((label) => ({ ...label, slot: slotOf(label.access.slot) }));
  const sources = new LabelWalk(sizes, scatter.cells, []);
  const targets = new LabelWalk(sizes, { offset: 0, strides: scatter.strides }, labels);
  const extent = cellsOf(sizes);
  const step: Step = {
    extent,
    work: writes.length + cellsOf(scatter.sizes) + extent * workOfLabel,
    description: describeScatter(scatter),
    run: (first, end) => {
      const output = target.block.cells as Float64Array; // of doubles
      const input = from.block.cells as NumberCells; // a scatter has no bits of numbers
      if (first === 0) output.fill(0);
      for (let part = first; part < end; ) {
        sources.moveTo(part, end);
        const count = targets.moveTo(part, end);
        for (let each = 0; each < count; each++) {
          const to = numberAt(targets.starts, each);
          if (!Number.isNaN(to)) add(input, numberAt(sources.starts, each), output, to);
        }
        part += count;
      }
    },
  };
  return { step, span, isOnce };
}

/** Adds the cells of a block, from any first cell on, to those of a target. */
type BlockAdder = (from: NumberCells, start: number, into: Float64Array, to: number) => void;

function blockAdder({ sizes, cells, strides }: Scatter, outer: number): BlockAdder {
  const inner = sizes.slice(outer);
  const length = cellsOf(inner);
  const [sources, targets] = [cells.strides.slice(outer), strides.slice(outer)];
  if (isRun(inner, sources) && isRun(inner, targets))
    return (from, start, into, to) => {
      for (let cell = 0; cell < length; cell++)
        into[to + cell] = (into[to + cell] as number) + (from[start + cell] as number); // the verifier saw that they are there
    };
  const [before, behind] = [offsetsAlong(inner, sources), offsetsAlong(inner, targets)];
  return (from, start, into, to) => {
    for (let cell = 0; cell < length; cell++) {
      const at = to + intAt(behind, cell);
      into[at] = (into[at] as number) + (from[start + intAt(before, cell)] as number); // likewise
    }
  };
}
