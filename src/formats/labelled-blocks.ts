import { SliceMeter, type Slices } from "../language/limits/slices.js";
import type { TensorType } from "../language/types/type.js";
import { storedCells } from "../language/values/data/array-cells.js";
import { isAscending, offsetsAlong } from "../language/values/data/axis-order.js";
import { intAt, numberAt, textAt } from "../language/values/element.js";
import { labelSlices } from "../language/values/labels/label-index.js";
import { cellsOf } from "../language/values/shape.js";
import { Tensor } from "../language/values/tensor.js";
import { oneRow } from "../language/values/tensor-storage.js";
import { LabelColumns } from "./label-columns.js";
import { NumberList } from "./number-list.js";

/** The blocks of a tensor as a text has them one after the other, with labels and axes in the order in which its type is written. */
export class LabelledBlocks {
  private readonly labels: LabelColumns;
  private readonly numbers = NumberList.ofDoubles();
  /** For each mapped dimension, and each indexed one, in canonical order: its position in the order of the text. */
  private readonly positions: readonly number[];
  private readonly axisOrder: readonly number[];
  /** Along the axes of the text; of unbound dimensions, once they are known. */
  private readonly sizes: (number | undefined)[];

  constructor(
    private readonly type: TensorType,
    written: readonly string[],
  ) {
    const positionsOf = (dimensions: TensorType["dimensions"]): number[] =>
      written.flatMap((name) => {
        const at = dimensions.findIndex((each) => each.name === name);
        return at < 0 ? [] : [at];
      });
    this.axisOrder = positionsOf(type.indexed);
    const mapped = positionsOf(type.mapped);
    this.positions = type.mapped.map((_, at) => mapped.indexOf(at));
    this.sizes = this.axisOrder.map((at) => type.indexed[at]?.size);
    this.labels = new LabelColumns(type.mapped.length);
  }

  /** How many axes a block has. */
  get axes(): number {
    return this.sizes.length;
  }

  /** The next cell of the block. */
  add(value: number): void {
    this.numbers.push(value);
  }

  /** Whether so many items along an axis are as many as the type says, or as there were before. */
  fits(axis: number, count: number): boolean {
    this.sizes[axis] ??= count;
    return this.sizes[axis] === count;
  }

  /** Ends the block of these labels, which are in the order of the text. Always true. */
  close(labels: readonly string[]): true {
    this.labels.add(this.positions.map((position) => textAt(labels, position)));
    return true;
  }

  /** The tensor; nothing where two blocks have the same labels, or it would have more cells than it may. */
  *tensor(most: number): Slices<Tensor | undefined> {
    const type = this.type;
    const axisOrder = this.axisOrder;
    const sizes = type.indexed.map((_, at) => this.sizes[axisOrder.indexOf(at)] ?? 0);
    const blockCells = cellsOf(sizes);
    // Rows without a cell are none, and several of them are alike.
    const { index, rowOf } = yield* (
      blockCells === 0 && !type.isDense ? new LabelColumns(0) : this.labels
    ).rows();
    const total = this.numbers.length;
    if (total > most || index.rows < rowOf.length) return undefined;
    const numbers = new Float64Array(total);
    const offsets = isAscending(axisOrder) ? undefined : offsetsAlong(axisOrder, sizes);
    const meter = new SliceMeter();
    for (let block = 0; block < rowOf.length; block++) {
      const [from, to] = [block * blockCells, intAt(rowOf, block) * blockCells];
      for (let at = 0; at < blockCells; at++) {
        numbers[to + (offsets === undefined ? at : numberAt(offsets, at))] = this.numbers.at(from + at);
        if (meter.isFull(1)) yield;
      }
    }
    const labels = type.isDense ? oneRow : yield* labelSlices(index);
    return Tensor.of(type, sizes, labels, yield* storedCells(type.cellType, numbers));
  }
}
