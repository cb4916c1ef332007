import type { CellArray } from "../../../../language/types/cell.js";
import { element, intAt, numberAt } from "../../../../language/values/element.js";
import { cellsOf, stridesOf } from "../../../../language/values/shape.js";
import type { Tensor } from "../../../../language/values/tensor.js";
import type { GatherStep } from "../../ir/step.js";
import type { Slot, Step } from "../../loop.js";
import { describeGather, labelledAxes } from "../../values/gather.js";
import type { Gather } from "../../values/value.js";
import type { CompiledStep, StepContext } from "../steps.js";
import { isRun, offsetsAlong } from "./block-offsets.js";
import { rowMover } from "./label-kernels.js";
import { LabelWalk, workOfLabel } from "./label-walk.js";

/**
 * A step that copies cells from where labels say. Its parts are the indexes of the axes along which labels differ; each is a
 * block, whose cells are as far from its first in all parts. A block whose label is not there is zeros.
 */
export function compiledGather(
  { gather, writes, span, isOnce }: GatherStep,
  { slotOf, unloadedSlotOf, emitsCode, arena }: StepContext,
): CompiledStep {
  const outer = labelledAxes(gather);
  const sizes = gather.sizes.slice(0, outer);
  const block = blockOf(gather, outer);
  const from = (block.copyPart === undefined ? slotOf : unloadedSlotOf)(gather.cells.slot);
  const target = slotOf(writes);
  const labels = gather.labels.map((label) => ({ ...label, slot: slotOf(label.access.slot) }));
  const extent = cellsOf(sizes);
  const parts = {
    kind: "gather",
    cellType: gather.cells.cellType,
    from: { ...gather.cells, slot: from, stride: element(gather.labels, 0).stride },
    into: { slot: target, offset: 0, strides: stridesOf([...sizes, block.length]).slice(0, -1), stride: 0 },
    ...{ sizes, labels, length: block.length },
  } as const;
  const moveRows = block.isRun && emitsCode ? rowMover(parts, arena) : undefined;
  const copier = (): Step["run"] =>
    blockCopier(block, from, target, new LabelWalk(sizes, gather.cells, labels));
  const step: Step = {
    extent,
    work: writes.length + extent * labels.length * workOfLabel,
    description: describeGather(gather),
    run: moveRows === undefined ? copier() : onceLoaded(from, moveRows, copier),
  };
  return { step, span, isOnce };
}

/** What moves cells that are in a block, and until then copies them from the tensor that has them. */
function onceLoaded(from: Slot, move: Step["run"], copier: () => Step["run"]): Step["run"] {
  if (from.unloaded === undefined) return move;
  const copy = copier();
  return (first, end) => (from.unloaded === undefined ? move : copy)(first, end);
}

function blockCopier(block: CellBlock, from: Slot, target: Slot, walk: LabelWalk): Step["run"] {
  const { length, copy, copyPart } = block;
  return (first, end) => {
    const { unloaded } = from;
    const output = target.block.cells as NumberCells; // a gather has no bits of numbers, here and below
    const input = unloaded === undefined ? (from.block.cells as NumberCells) : undefined;
    for (let part = first; part < end; ) {
      const blocks = { starts: walk.starts, count: walk.moveTo(part, end), at: part * length };
      if (input !== undefined) copy(input, blocks, output);
      else if (unloaded !== undefined) copyPart?.(unloaded, blocks, output);
      part += blocks.count;
    }
  };
}

/** Cells that are numbers, and not bits of numbers. */
export type NumberCells = Exclude<CellArray, BigInt64Array>;

/** Blocks that lie behind each other in the output from a cell on: where each begins in the input; NaN where it is zeros. */
interface Blocks {
  readonly starts: Float64Array;
  readonly count: number;
  readonly at: number;
}

/** How cells are copied that lie in the same way in each block. */
interface CellBlock {
  readonly length: number;
  /** Whether they lie one behind the other. */
  readonly isRun: boolean;
  readonly copy: (from: NumberCells, blocks: Blocks, into: NumberCells) => void;
  /** The same of a constant whose cells are in no block, so that a large table of which few rows are read needs none. */
  readonly copyPart?: (from: Tensor, blocks: Blocks, into: NumberCells) => void;
}

/** Blocks of at least so many neighbouring cells are copied as a whole. */
const longBlock = 32;

function blockOf({ sizes, cells }: Gather, outer: number): CellBlock {
  const inner = sizes.slice(outer);
  const strides = cells.strides.slice(outer);
  const length = cellsOf(inner);
  if (length === 1) return { length, isRun: true, copy: copySingleCells };
  if (!isRun(inner, strides)) {
    const offsets = offsetsAlong(inner, strides);
    return { length, isRun: false, copy: (from, blocks, into) => copyScattered(from, blocks, into, offsets) };
  }
  if (length < longBlock)
    return { length, isRun: true, copy: (from, blocks, into) => copyRuns(from, blocks, into, length) };
  return {
    ...{ length, isRun: true },
    copy: (from, blocks, into) =>
      copyLong(blocks, into, length, (start, cells) => cells.set(from.subarray(start, start + length))),
    copyPart: (from, blocks, into) =>
      copyLong(blocks, into, length, (start, cells) => from.copyPartTo(cells, start)),
  };
}

// In these loops the verifier saw that each cell is there. `>>> 0` makes an integer of a start, once for all its cells.

function copySingleCells(from: NumberCells, { starts, count, at }: Blocks, into: NumberCells): void {
  for (let each = 0; each < count; each++) {
    const start = numberAt(starts, each);
    into[at + each] = Number.isNaN(start) ? 0 : (from[start >>> 0] as number);
  }
}

function copyRuns(from: NumberCells, { starts, count, at }: Blocks, into: NumberCells, length: number): void {
  for (let each = 0, to = at; each < count; each++, to += length) {
    const start = numberAt(starts, each);
    if (Number.isNaN(start)) into.fill(0, to, to + length);
    else {
      const first = start >>> 0;
      for (let cell = 0; cell < length; cell++) into[to + cell] = from[first + cell] as number;
    }
  }
}

function copyScattered(
  from: NumberCells,
  { starts, count, at }: Blocks,
  into: NumberCells,
  offsets: Int32Array,
): void {
  const { length } = offsets;
  for (let each = 0, to = at; each < count; each++, to += length) {
    const start = numberAt(starts, each);
    if (Number.isNaN(start)) into.fill(0, to, to + length);
    else {
      const first = start >>> 0;
      for (let cell = 0; cell < length; cell++)
        into[to + cell] = from[first + intAt(offsets, cell)] as number;
    }
  }
}

function copyLong(
  { starts, count, at }: Blocks,
  into: NumberCells,
  length: number,
  copy: (start: number, cells: NumberCells) => void,
): void {
  for (let each = 0, to = at; each < count; each++, to += length) {
    const start = numberAt(starts, each);
    const cells = into.subarray(to, to + length);
    if (Number.isNaN(start)) cells.fill(0);
    else copy(start, cells);
  }
}
