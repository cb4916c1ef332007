import { storeCells } from "../language/types/cell.js";
import type { TensorType } from "../language/types/type.js";
import { indexIn } from "../language/values/address.js";
import { Dictionary } from "../language/values/dictionary.js";
import { entry, intAt } from "../language/values/element.js";
import { LabelIndex, labelsOf } from "../language/values/label-index.js";
import { orderBy } from "../language/values/order.js";
import { cellsOf, stridesOf } from "../language/values/shape.js";
import { Tensor } from "../language/values/tensor.js";
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
  /** The labels of each mapped dimension, numbered as they come; none before the first cell. */
  private readonly labels: Map<string, number>[] = [];
  /** The number of each label of each cell, cell by cell. */
  private readonly labelNumbers = NumberList.ofIntegers();
  /** The indexes of each cell, cell by cell. */
  private readonly indexes = NumberList.ofDoubles();
  private readonly values = NumberList.ofDoubles();

  constructor(readonly type: TensorType) {}

  get count(): number {
    return this.values.length;
  }

  /** A cell, with its labels and its indexes in canonical order. */
  add(labels: readonly string[], indexes: readonly number[], value: number): void {
    for (const [at, label] of labels.entries()) {
      this.labels[at] ??= new Map();
      const numbers = this.labels[at];
      let number = numbers.get(label);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(label, number);
      }
      this.labelNumbers.push(number);
    }
    for (const index of indexes) this.indexes.push(index);
    this.values.push(value);
  }

  /** The tensor; nothing where it would have more cells than it may. Repeats are reported, and the last of them counts. */
  tensor(most: number, problems: CellProblems): Tensor | undefined {
    const type = this.type;
    const sizes = type.indexed.map(({ size }, axis) => size ?? this.sizeOf(axis));
    const blockCells = cellsOf(sizes);
    const { index, rowOf } = this.rows();
    const total = (type.isDense ? 1 : index.rows) * blockCells;
    if (total > most) return void problems.ofSize(total);
    const numbers = new Float64Array(total);
    const addresses = new Addresses(total, this.count);
    const strides = stridesOf(sizes);
    for (let cell = 0; cell < this.count; cell++) {
      let at = intAt(rowOf, cell) * blockCells;
      for (const [axis, stride] of strides.entries()) at += this.indexOf(cell, axis) * stride;
      const earlier = addresses.put(at, cell);
      if (earlier !== undefined) problems.ofRepeat(cell, earlier);
      numbers[at] = this.values.at(cell);
    }
    const labels = type.isDense ? [[]] : labelsOf(index);
    return Tensor.of(type, sizes, labels, storeCells(type.cellType, numbers));
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

  /** The distinct rows of labels in canonical order, and the row of each cell. */
  private rows(): { readonly index: LabelIndex; readonly rowOf: Int32Array } {
    const dictionaries: Dictionary[] = [];
    const ids: Int32Array[] = [];
    for (const [at, numbers] of this.labels.entries()) {
      const { dictionary, idOf } = sorted(numbers);
      dictionaries.push(dictionary);
      ids.push(this.idsOf(at, idOf));
    }
    const { count } = this;
    const order = orderBy(
      ids,
      dictionaries.map(({ size }) => size),
      count,
    );
    const rowOf = new Int32Array(count);
    const firsts = NumberList.ofIntegers();
    for (let at = 0; at < count; at++) {
      const cell = intAt(order, at);
      const isNew = at === 0 || ids.some((column) => column[cell] !== column[intAt(order, at - 1)]);
      if (isNew) firsts.push(cell);
      rowOf[cell] = firsts.length - 1;
    }
    const rows = ids.map((column) => firsts.array.map((cell) => intAt(column, cell)));
    return { index: new LabelIndex(dictionaries, rows, firsts.length), rowOf };
  }

  /** The id of each cell's label of a mapped dimension. */
  private idsOf(at: number, idOf: Int32Array): Int32Array {
    const width = this.labels.length;
    const ids = new Int32Array(this.count);
    for (let cell = 0; cell < ids.length; cell++)
      ids[cell] = intAt(idOf, this.labelNumbers.at(cell * width + at));
    return ids;
  }
}

/** The labels in canonical order, and the id of each by its number. */
function sorted(numbers: ReadonlyMap<string, number>): { dictionary: Dictionary; idOf: Int32Array } {
  const labels = [...numbers.keys()].sort();
  const idOf = new Int32Array(labels.length);
  for (const [id, label] of labels.entries()) idOf[entry(numbers, label)] = id;
  return { dictionary: Dictionary.ofSorted(labels), idOf };
}

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
