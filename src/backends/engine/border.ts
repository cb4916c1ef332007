import type { CellArray, CellType } from "../../types/cell.js";
import { cellTypes } from "../../types/cell.js";
import type { TensorType } from "../../types/type.js";
import { LabelIndex, labelsOf } from "../../values/label-index.js";
import { cellsOf, stridesOf } from "../../values/shape.js";
import { Tensor } from "../../values/tensor.js";
import type { Arena, Block } from "./arena.js";
import type { Access, Slot } from "./loop.js";
import { factorAxis, indexedAxis } from "./plan/axes.js";
import { type Axis, cellsIn, type FactorAxis, stored, type Value } from "./plan/value.js";
import { boxOf } from "./sparse/box.js";
import { productOf } from "./sparse/product.js";

/** Where tensors become values of the engine, and values tensors again. */

/** A tensor of more cells than these is kept in the arena once it is there; a smaller one is copied each time. */
export const smallCells = 1024;

const indexes = new WeakMap<object, LabelIndex>();

/** The index of a tensor's rows; the same one for the same tensor. */
export function indexOf(tensor: Tensor): LabelIndex {
  const known = indexes.get(tensor);
  if (known !== undefined) return known;
  const index = indexes.get(tensor.labels) ?? LabelIndex.of(tensor.labels, tensor.type.mapped.length);
  indexes.set(tensor, index);
  indexes.set(tensor.labels, index);
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

/** The cells of a tensor in the arena, where they stay as long as the tensor does. */
export function blockOf(arena: Arena, tensor: Tensor): Block {
  const known = blocks.get(tensor);
  if (known?.arena === arena) return known.block;
  const { data, type } = tensor;
  const block = arena.allocate(type.cellType, data.length);
  if (block === undefined) throw new RangeError("Array buffer allocation failed");
  copyCells(data, block.cells);
  blocks.set(tensor, { arena, block });
  return block;
}

export function copyCells(from: CellArray, to: CellArray): void {
  // Both are arrays of the same kind, since both are of one cell type.
  (to as Float64Array).set(from as Float64Array);
}

/** Cells that nobody will write to any more. */
export type Cells = { readonly block: Block } | { readonly copy: CellArray };

/**
 * A tensor of a type whose cells are those of a stored value, in whatever layout they are. `dispose` gives their block
 * back, if it is the tensor's own.
 */
export function tensorOf(
  type: TensorType,
  { axes, access }: Result,
  cells: Cells,
  dispose?: () => void,
): Tensor {
  const indexed = type.indexed.map(({ name }) => axes.findIndex((axis) => axis.name === name));
  const sizes = indexed.map((at) => axes[at]?.size ?? 0);
  const factors = axes.filter((axis): axis is FactorAxis => axis.factor !== undefined);
  const rows = cellsIn(factors);
  const count = rows * cellsOf(sizes);
  const read = (): CellArray => ("block" in cells ? cells.block.cells : cells.copy);
  const isInOrder = indexed.every((at, place) => at === axes.length - indexed.length + place);
  if (isInOrder && isPlain(axes, access, count) && "copy" in cells && type.isDense)
    return new Tensor(
      type,
      sizes,
      [[]],
      cells.copy.length === count ? cells.copy : cells.copy.slice(0, count),
    );
  const layout = new Layout(type, axes, factors, access, sizes, indexed);
  const tensor = Tensor.kept(type, sizes, {
    rows,
    cells: count,
    labels: () => (type.isDense ? [[]] : labelsOf(layout.product.factor.index)),
    data: () => layout.data(read(), rows),
    description: () => ({
      cellType: type.cellType,
      dimensions: type.indexed.map(({ name }) => name),
      shape: sizes,
      size: count,
      rank: type.dimensions.length,
      strides: indexed.map((at) => stepOf(access, at) ?? 0),
      offset: access.offset,
      rows,
      rowStride: layout.rowStride,
      readOnly: true,
      mode: "block" in cells && dispose === undefined ? "view" : "owner",
    }),
    ...(dispose === undefined ? {} : { dispose }),
  });
  if (factors.length > 0 && layout.isOneFactor) indexes.set(tensor, layout.product.factor.index);
  return tensor;
}

/** A stored value that leaves the engine. */
export interface Result {
  readonly axes: readonly Axis[];
  readonly access: Access;
}

const stepOf = ({ steps }: Access, axis: number): number | undefined => {
  const step = steps[axis];
  return typeof step === "number" ? step : undefined;
};

/** Whether the cells lie one behind the other in the order of the axes. */
function isPlain(axes: readonly Axis[], { offset, steps }: Access, count: number): boolean {
  if (offset !== 0) return false;
  const strides = stridesOf(axes.map(({ size }) => size));
  return count === 0 || axes.every(({ size }, at) => size === 1 || steps[at] === strides[at]);
}

/** How to read cells in canonical order. */
class Layout {
  private known: ReturnType<typeof productOf> | undefined;

  constructor(
    private readonly type: TensorType,
    private readonly axes: readonly Axis[],
    private readonly factors: readonly FactorAxis[],
    private readonly access: Access,
    private readonly sizes: readonly number[],
    private readonly indexed: readonly number[],
  ) {}

  get isOneFactor(): boolean {
    return this.factors.length === 1;
  }

  get product(): ReturnType<typeof productOf> {
    this.known ??= productOf(this.factors.map(({ factor }) => factor));
    return this.known;
  }

  /** Where it is the same from row to row, and rows come in the order in which they lie. */
  get rowStride(): number | undefined {
    const { axes, factors, access, sizes } = this;
    if (factors.length === 0) return cellsOf(sizes);
    const [only] = factors;
    return only !== undefined && factors.length === 1 ? stepOf(access, axes.indexOf(only)) : undefined;
  }

  data(from: CellArray, rows: number): CellArray {
    const { access, axes, indexed, sizes, type } = this;
    const block = cellsOf(sizes);
    const count = rows * block;
    const isCanonical =
      this.factors.length === 0 || (this.isOneFactor && this.product.rowsOf[0] === undefined);
    const inOrder = indexed.every((at, place) => at === axes.length - indexed.length + place);
    if (isCanonical && inOrder && isPlain(axes, access, count)) return from.slice(0, count);
    const into = cellTypes[type.cellType].allocate(count);
    const offsets = this.blockOffsets(block);
    const starts = this.rowStarts(rows);
    for (let row = 0, at = 0; row < rows; row++) {
      const start = starts[row] ?? 0;
      for (const offset of offsets) into[at++] = from[start + offset] ?? 0;
    }
    return into;
  }

  private blockOffsets(block: number): Float64Array {
    const { access, indexed, sizes } = this;
    let offsets = Float64Array.of(0);
    for (const [place, size] of sizes.entries()) {
      const next = new Float64Array(offsets.length * size);
      let at = 0;
      for (const offset of offsets)
        for (let index = 0; index < size; index++)
          next[at++] = offset + distance(access, indexed[place] ?? 0, index);
      offsets = next;
    }
    return offsets.length === block ? offsets : offsets.slice(0, block);
  }

  private rowStarts(rows: number): Float64Array {
    const { access, axes, factors } = this;
    const starts = new Float64Array(rows).fill(access.offset);
    if (factors.length === 0) return starts;
    for (const [at, factor] of factors.entries()) {
      const axis = axes.indexOf(factor);
      const map = this.product.rowsOf[at];
      for (let row = 0; row < rows; row++)
        starts[row] = (starts[row] ?? 0) + distance(access, axis, map?.[row] ?? row);
    }
    return starts;
  }
}

function distance({ steps }: Access, axis: number, place: number): number {
  const step = steps[axis] ?? 0;
  return typeof step === "number" ? step * place : Number(step.block.cells[place] ?? 0);
}

export type { CellType };
