import { indexed, TensorType } from "../../../language/types/type.js";
import { Tensor } from "../../../language/values/tensor.js";
import type { PlanResult } from "../ir/step.js";
import type { Arena } from "../memory/arena.js";
import { indexedAxis } from "../values/axes.js";
import { storageOf } from "../values/storage.js";
import type { BufferAccess } from "../values/value.js";
import { mostBytesLent, smallCells } from "./marshalling.js";
import { ResultLayout } from "./result-layout.js";
import type { PlanSlot } from "./slots.js";

/** How a result becomes a tensor, run after run. */
export interface ResultReader {
  readonly type: TensorType;
  readonly layout: ResultLayout;
  readonly access: BufferAccess;
  readonly slot: PlanSlot;
}

/** A dimension that results have beyond their types, with its size. */
export interface Batch {
  readonly dimension: string;
  readonly size: number;
}

export function resultReader(
  { value, type }: PlanResult,
  slot: PlanSlot,
  batch: Batch | undefined,
): ResultReader {
  const { access } = value.source;
  if (batch === undefined || value.axes.some(({ name }) => name === batch.dimension)) {
    const batchedType = batch === undefined ? type : batched(type, batch);
    return {
      type: batchedType,
      layout: new ResultLayout(batchedType, { axes: value.axes, access }),
      access,
      slot,
    };
  }
  // What does not depend on the batch is the same in all of it.
  const axes = [indexedAxis(batch.dimension, batch.size), ...value.axes];
  const broadcastAccess = { ...access, strides: [0, ...access.strides] };
  const { sorted } = storageOf(axes);
  const inOrder = {
    ...broadcastAccess,
    strides: sorted.map((axis) => broadcastAccess.strides[axes.indexOf(axis)] ?? 0),
  };
  const batchedType = batched(type, batch);
  return {
    type: batchedType,
    layout: new ResultLayout(batchedType, { axes: sorted, access: inOrder }),
    access: inOrder,
    slot,
  };
}

const batched = (type: TensorType, { dimension, size }: Batch): TensorType =>
  TensorType.of(type.cellType, [...type.dimensions, indexed(dimension, size)]);

/** The result as a tensor of its own: a small one is copied, a large one leaves with its block. */
export function resultTensor(
  { type, layout, access, slot }: ResultReader,
  all: readonly ResultReader[],
  arena: Arena,
): Tensor {
  const { block, isBorrowed: isLent } = slot;
  if (type.isScalar) return Tensor.scalar(block.cells[access.offset] as number, type); // scalars are doubles
  const isOwn = slot.own === block;
  // Memory that only the collector gives back must not run out before it comes.
  const isScarce = (!isLent || isOwn) && arena.bytesInUse > mostBytesLent;
  if (block.length <= smallCells || isScarce) return layout.tensor({ copy: block.cells.slice() });
  slot.isRead = true;
  if (isLent) {
    // The next run's cells must not be seen in this one's result.
    if (isOwn) slot.own = undefined;
    return layout.tensor({ block });
  }
  const isAlone = all.filter((each) => each.slot === slot).length === 1;
  slot.isTransferred = true;
  return layout.tensor({ block }, isAlone ? () => arena.dispose(block) : undefined);
}
