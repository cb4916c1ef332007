import type { CellArray } from "../../language/types/cell.js";
import type { TensorType } from "../../language/types/type.js";
import { LabelIndex } from "../../language/values/label-index.js";
import { stridesOf } from "../../language/values/shape.js";
import type { Tensor } from "../../language/values/tensor.js";
import { type Arena, type Block, MemoryFull } from "./arena.js";
import type { Slot } from "./loop.js";
import { factorAxis, indexedAxis } from "./plan/axes.js";
import { type Axis, stored, type Value } from "./plan/value.js";
import { boxOf } from "./sparse/box.js";

/** Where tensors become values of the engine, and values tensors again. */

/** A tensor of more cells than these is kept in the arena once it is there; a smaller one is copied each time. */
export const smallCells = 512;

const indexes = new WeakMap<object, LabelIndex>();

/** The index of a tensor's rows; the same one for the same tensor. */
export function indexOf(tensor: Tensor): LabelIndex {
  const known = indexes.get(tensor);
  if (known !== undefined) return known;
  const index = indexes.get(tensor.labels) ?? sharedIndex(tensor.labels, tensor.type.mapped.length);
  indexes.set(tensor, index);
  indexes.set(tensor.labels, index);
  return index;
}

/** Tells the index of a tensor whose labels nobody has looked at. */
export function keepIndex(tensor: Tensor, index: LabelIndex): void {
  indexes.set(tensor, index);
}

/** Indexes of few rows by their labels, the latest last: tensors of the same labels share one, and with it their plans. */
const recent = new Map<string, LabelIndex>();
const mostRecent = 512;
const fewRows = 256;

function sharedIndex(labels: Tensor["labels"], width: number): LabelIndex {
  if (labels.length > fewRows) return LabelIndex.of(labels, width);
  let key = `${width}`;
  for (const row of labels) for (const label of row) key += `,${label.length}:${label}`;
  const index = recent.get(key) ?? LabelIndex.of(labels, width);
  recent.delete(key);
  recent.set(key, index);
  const [oldest = ""] = recent.keys();
  if (recent.size > mostRecent) recent.delete(oldest);
  return index;
}

/** The value that a tensor of this type, sizes and rows is when its cells are in a slot. */
export function valueIn(
  slot: Slot,
  type: TensorType,
  sizes: readonly number[],
  index: LabelIndex | undefined,
): Value {
  const factors = index === undefined ? [] : factorsOf(type, index);
  const axes: Axis[] = [
    ...factors.map(factorAxis),
    ...type.indexed.map(({ name }, at) => indexedAxis(name, sizes[at] ?? 0)),
  ];
  const steps = stridesOf(axes.map(({ size }) => size));
  return { axes, source: stored({ slot, cellType: type.cellType, offset: 0, steps }) };
}

/** Rows that fill their box are as good as a dense block. */
function factorsOf(type: TensorType, index: LabelIndex): ReturnType<typeof boxOf> & object {
  const factor = { names: type.mapped.map(({ name }) => name), index };
  return (factor.names.length > 1 ? boxOf(factor) : undefined) ?? [factor];
}

const blocks = new WeakMap<Tensor, { readonly arena: Arena; readonly block: Block }>();

/** Whether the cells of a tensor are in the arena. */
export const isKept = (arena: Arena, tensor: Tensor): boolean => blocks.get(tensor)?.arena === arena;

/** The cells of a tensor in the arena, where they stay as long as the tensor does. */
export function blockOf(arena: Arena, tensor: Tensor): Block {
  const known = blocks.get(tensor);
  if (known?.arena === arena) return known.block;
  const { data, type } = tensor;
  const block = arena.allocate(type.cellType, data.length);
  if (block === undefined) throw new MemoryFull();
  copyCells(data, block.cells);
  blocks.set(tensor, { arena, block });
  return block;
}

export function copyCells(from: CellArray, to: CellArray): void {
  // Both are arrays of the same kind, since both are of one cell type.
  (to as Float64Array).set(from as Float64Array);
}
