import type { CellArray } from "../../../../language/types/cell.js";
import { indexed, TensorType } from "../../../../language/types/type.js";
import { requireOutput } from "../../../../language/values/data/output-array.js";
import { element } from "../../../../language/values/element.js";
import { Tensor } from "../../../../language/values/tensor.js";
import type { PlanResult } from "../../ir/step.js";
import type { Arena } from "../../memory/arena.js";
import { indexedAxis } from "../../values/axes.js";
import { storageOf } from "../../values/storage.js";
import type { Buffer } from "../../values/value.js";
import { copyOf, mostBytesLent, smallCells } from "../marshalling.js";
import type { PlanSlot } from "../slots.js";
import { ResultLayout } from "./result-layout.js";

/** A result becomes a tensor, run after run. */
export class ResultReader {
  readonly isScalar: boolean;
  /** Whether its cells may leave with their block. */
  readonly mayLeave: boolean;
  readonly offset: number;

  readonly type: TensorType;

  constructor(
    private readonly layout: ResultLayout,
    readonly slot: PlanSlot,
    private readonly arena: Arena,
    /** Whether no other result lies in the slot: the block is given back with the tensor then. */
    private readonly isAlone: boolean,
  ) {
    this.type = layout.type;
    this.isScalar = this.type.isScalar;
    this.mayLeave = !this.isScalar && slot.length > smallCells;
    this.offset = layout.result.access.offset;
  }

  /** Writes the cells to an array of a caller; none of them leave. */
  write(array: CellArray): void {
    const { layout, slot, type } = this;
    requireOutput(array, type, layout.count);
    if (this.isScalar)
      array[0] = slot.block.cells[this.offset] as number; // scalars are doubles
    else layout.canonical(slot.block.cells, array);
  }

  /** The result as a tensor of its own: its cells are copied, or leave with their block where there is room for that. */
  tensor(): Tensor {
    const { slot, type } = this;
    if (this.isScalar) return Tensor.scalar(slot.block.cells[this.offset] as number, type); // scalars are doubles
    const layout = this.layout;
    const arena = this.arena;
    const { block, isBorrowed } = slot;
    const isOwn = slot.own === block;
    if (block.length <= smallCells) return layout.tensorOfCopy(copyOf(block.cells));
    if (isBorrowed && !isOwn) {
      slot.isRead = true;
      arena.retain(block);
      return layout.tensor({ block }, false, arena);
    }
    // Memory that only the collector gives back must not run out before it comes.
    if (arena.bytesInUse > mostBytesLent || !arena.lend(block))
      return layout.tensor({ copy: copyOf(block.cells) }, true);
    slot.isRead = true;
    if (isOwn) {
      // The next run's cells must not be seen in this one's result.
      slot.own = undefined;
      return layout.tensor({ block }, false, arena);
    }
    slot.isTransferred = true;
    return layout.tensor({ block }, this.isAlone, arena);
  }
}

/** The results of a run, each a tensor of its own. */
export function resultTensors(results: readonly ResultReader[]): readonly Tensor[] {
  const [only] = results;
  if (results.length === 1 && only !== undefined) return [only.tensor()]; // the usual case, without a closure
  return results.map((result) => result.tensor());
}

/** A dimension that results have beyond their types, with its size. */
export interface Batch {
  readonly dimension: string;
  readonly size: number;
}

/** The readers of a plan's results, and the slots that these lie in. */
export function resultReaders(
  results: readonly PlanResult[],
  slotOf: (slot: Buffer) => PlanSlot,
  arena: Arena,
  batch: Batch | undefined,
): readonly ResultReader[] {
  const slots = results.map(({ value }) => slotOf(value.source.access.slot));
  return results.map((result, at) => {
    const slot = element(slots, at);
    const isAlone = slots.filter((each) => each === slot).length === 1;
    return new ResultReader(resultLayout(result, batch), slot, arena, isAlone);
  });
}

function resultLayout({ value, type }: PlanResult, batch: Batch | undefined): ResultLayout {
  const { access } = value.source;
  if (batch === undefined) return new ResultLayout(type, { axes: value.axes, access });
  const batchedType = batched(type, batch);
  if (value.axes.some(({ name }) => name === batch.dimension))
    return new ResultLayout(batchedType, { axes: value.axes, access });
  // What does not depend on the batch is the same in all of it.
  const axes = [indexedAxis(batch.dimension, batch.size), ...value.axes];
  const strides = [0, ...access.strides];
  const { sorted } = storageOf(axes);
  const inOrder = { ...access, strides: sorted.map((axis) => element(strides, axes.indexOf(axis))) };
  return new ResultLayout(batchedType, { axes: sorted, access: inOrder });
}

const batched = (type: TensorType, { dimension, size }: Batch): TensorType =>
  TensorType.of(type.cellType, [...type.dimensions, indexed(dimension, size)]);
