import { atOnce, SliceMeter, type Slices } from "../language/limits/slices.js";
import type { TensorType } from "../language/types/type.js";
import { indexIn } from "../language/values/address.js";
import { storedCells } from "../language/values/data/array-cells.js";
import { intAt } from "../language/values/element.js";
import { labelSlices } from "../language/values/labels/label-index.js";
import { cellsOf, stridesOf } from "../language/values/shape.js";
import { Tensor } from "../language/values/tensor.js";
import { LabelColumns } from "./label-columns.js";
import { NumberList } from "./number-list.js";

/**
 * Tensors from cells with addresses, in any order, as several formats have them. Absent cells of a dense block
 * are 0; an unbound dimension is as long as its highest index asks.
 */

/** Cells are meant by their number, in the order in which they were added. */
export interface CellProblems {
  readonly ofSize: (cells: number) => void;
  readonly ofRepeat: (cell: number, earlier: number) => void;
}

/** The cells of a tensor so far, as numbers in a few lists, since a text may have millions of cells, or of dimensions. */
export class CellColumns {
  private readonly labels: LabelColumns;
  /** The indexes of each cell, cell by cell. */
  private readonly indexes = NumberList.ofDoubles();
  private readonly values = NumberList.ofDoubles();

  constructor(readonly type: TensorType) {
    this.labels = new LabelColumns(type.mapped.length);
  }

  get count(): number {
    return this.values.length;
  }

  /** A cell, with its labels and its indexes in canonical order. */
  add(labels: readonly string[], indexes: readonly number[], value: number): void {
    this.labels.add(labels);
    for (let axis = 0; axis < indexes.length; axis++) this.indexes.push(indexes[axis] as number); // of the list
    this.values.push(value);
  }

  /** The tensor; nothing where it would have more cells than it may. Repeats are reported, and the last of them counts. */
  tensor(most: number, problems: CellProblems): Tensor | undefined {
    return atOnce(this.slices(most, problems));
  }

  /** As `tensor`, in slices between which other work may go on. */
  *slices(most: number, problems: CellProblems): Slices<Tensor | undefined> {
    const type = this.type;
    const sizes = type.indexed.map(({ size }, axis) => size ?? this.sizeOf(axis));
    const blockCells = cellsOf(sizes);
    const { index, rowOf } = yield* this.labels.rows();
    const total = (type.isDense ? 1 : index.rows) * blockCells;
    if (total > most) return void problems.ofSize(total);
    const numbers = new Float64Array(total);
    const addresses = new Addresses(total, this.count);
    const strides = stridesOf(sizes);
    const meter = new SliceMeter();
    for (let cell = 0; cell < this.count; cell++) {
      let at = intAt(rowOf, cell) * blockCells;
      for (const [axis, stride] of strides.entries()) at += this.indexOf(cell, axis) * stride;
      const earlier = addresses.put(at, cell);
      if (earlier !== undefined) problems.ofRepeat(cell, earlier);
      numbers[at] = this.values.at(cell);
      if (meter.isFull(cellsPerAddress)) yield;
    }
    const labels = type.isDense ? [[]] : yield* labelSlices(index);
    return Tensor.of(type, sizes, labels, yield* storedCells(type.cellType, numbers));
  }

  private indexOf(cell: number, axis: number): number {
    return this.indexes.at(cell * this.type.indexed.length + axis);
  }

  /** How long an unbound dimension is with the indexes of all cells. */
  private sizeOf(axis: number): number {
    let size = 0;
    for (let cell = 0; cell < this.count; cell++) size = Math.max(size, this.indexOf(cell, axis) + 1);
    return size;
  }
}

/** To put a cell at its address takes as long as to copy so many. */
const cellsPerAddress = 4;

/** Which cell was the last at each address: in an array, unless few cells are far apart. */
class Addresses {
  private readonly array: Int32Array | undefined;
  private readonly map = new Map<number, number>();

  constructor(total: number, cells: number) {
    this.array = total <= 4 * cells ? new Int32Array(total).fill(-1) : undefined;
  }

  /** Puts a cell at an address; returns the one that was there. */
  put(address: number, cell: number): number | undefined {
    if (this.array === undefined) {
      const earlier = this.map.get(address);
      this.map.set(address, cell);
      return earlier;
    }
    const earlier = intAt(this.array, address);
    this.array[address] = cell;
    return earlier < 0 ? undefined : earlier;
  }
}

/** The index that a label is: whole, below the size where there is one; nothing for any other label. */
export function indexOf(label: string, size: number | undefined): number | undefined {
  const index = indexIn(label);
  return index !== undefined && index < (size ?? Number.POSITIVE_INFINITY) ? index : undefined;
}

/** What an index of a dimension must be, in words. */
export const indexText = (size: number | undefined): string =>
  size === undefined ? "an index from 0" : `an index from 0 to ${size - 1}`;
