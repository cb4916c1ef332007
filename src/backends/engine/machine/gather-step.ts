import type { CellArray } from "../../../language/types/cell.js";
import { intAt, numberAt } from "../../../language/values/element.js";
import { cellsOf } from "../../../language/values/shape.js";
import type { Tensor } from "../../../language/values/tensor.js";
import type { GatherStep } from "../ir/step.js";
import type { Step } from "../loop.js";
import { describeGather, labelledAxes } from "../values/gather.js";
import type { Gather } from "../values/value.js";
import { isRun, offsetsAlong } from "./block-offsets.js";
import { LabelWalk, workOfLabel } from "./label-walk.js";
import type { CompiledStep, StepContext } from "./steps.js";

/**
 * A step that copies cells from where labels say. Its parts are the indexes of the axes along which labels differ; each is a
 * block, whose cells are as far from its first in all parts. A block whose label is not there is zeros.
 */
export function compiledGather(
  { gather, writes, span, isOnce }: GatherStep,
  { slotOf, unloadedSlotOf }: StepContext,
): CompiledStep {
  const outer = labelledAxes(gather);
  const sizes = gather.sizes.slice(0, outer);
  const block = blockOf(gather, outer);
  const from = (block.copyPart === undefined ? slotOf : unloadedSlotOf)(gather.cells.slot);
  const target = slotOf(writes);
  const labels = gather.labels.map((label) => ({ ...label, slot: slotOf(label.access.slot) }));
  const walk = new LabelWalk(sizes, gather.cells, labels);
  const extent = cellsOf(sizes);
  const step: Step = {
    extent,
    work: writes.length + extent * labels.length * workOfLabel,
    description: describeGather(gather),
    run: (first, end) => {
      const { length, copy, copyPart } = block;
      const { unloaded } = from;
      const output = target.block.cells as NumberCells; // a gather has no bits of numbers, here and below
      const input = unloaded === undefined ? (from.block.cells as NumberCells) : undefined;
      for (let part = first; part < end; ) {
        const count = walk.moveTo(part, end);
        for (let each = 0; each < count; each++) {
          const start = numberAt(walk.starts, each);
          const at = (part + each) * length;
          if (Number.isNaN(start)) output.fill(0, at, at + length);
          else if (input !== undefined) copy(input, start, output, at);
          else if (unloaded !== undefined) copyPart?.(unloaded, start, output, at);
        }
        part += count;
      }
    },
  };
  return { step, span, isOnce };
}

/** Cells that are numbers, and not bits of numbers. */
export type NumberCells = Exclude<CellArray, BigInt64Array>;

/** Cells that are copied at once, from any first cell on. */
interface CellBlock {
  readonly length: number;
  readonly copy: (from: NumberCells, start: number, into: NumberCells, at: number) => void;
  /** The same of a constant whose cells are in no block, so that a large table of which few rows are read needs none. */
  readonly copyPart?: (from: Tensor, start: number, into: NumberCells, at: number) => void;
}

/** Blocks of at least so many neighbouring cells are copied as a whole. */
const longBlock = 32;

function blockOf({ sizes, cells }: Gather, outer: number): CellBlock {
  const inner = sizes.slice(outer);
  const strides = cells.strides.slice(outer);
  const length = cellsOf(inner);
  const isWhole = isRun(inner, strides);
  if (isWhole && length >= longBlock)
    return {
      length,
      copy: (from, start, into, at) => into.set(from.subarray(start, start + length), at),
      copyPart: (from, start, into, at) => from.copyPartTo(into.subarray(at, at + length), start),
    };
  if (isWhole)
    return {
      length,
      copy: (from, start, into, at) => {
        for (let cell = 0; cell < length; cell++) into[at + cell] = from[start + cell] as number; // the verifier saw that it is there
      },
    };
  const offsets = offsetsAlong(inner, strides);
  return {
    length,
    copy: (from, start, into, at) => {
      for (let cell = 0; cell < length; cell++)
        into[at + cell] = from[start + intAt(offsets, cell)] as number; // the verifier saw that it is there
    },
  };
}
