import { SphexError } from "../../../../language/source/problem.js";
import { type CellArray, cellTypes } from "../../../../language/types/cell.js";
import type { TensorType } from "../../../../language/types/type.js";
import { copyCells } from "../../../../language/values/data/array-cells.js";
import type { TensorDescription } from "../../../../language/values/description.js";
import { element, intAt, numberAt } from "../../../../language/values/element.js";
import { type LabelIndex, labelsOf } from "../../../../language/values/labels/label-index.js";
import { cellsOf, stridesOf } from "../../../../language/values/shape.js";
import { Tensor } from "../../../../language/values/tensor.js";
import { type Labels, oneRow } from "../../../../language/values/tensor-storage.js";
import { problem } from "../../../messages.js";
import { ResultStorage } from "../../layouts/result-storage.js";
import type { Arena, Block } from "../../memory/arena.js";
import { type Product, productOf } from "../../sparse/product.js";
import { offsetAlong } from "../../values/tables.js";
import { type Axis, type BufferAccess, cellsIn, type FactorAxis } from "../../values/value.js";
import { copyOf } from "../marshalling.js";
import { copyLines, type Lines, tileSize } from "./strided-copy.js";

/** A stored value that leaves the engine. */
export interface Result {
  readonly axes: readonly Axis[];
  readonly access: BufferAccess;
}

/** Cells that are not written to any more: a block, or a copy of one. */
export type Cells = { readonly block: Block } | { readonly copy: CellArray };

/** Labels and cells that are read where they lie. */
class LayoutStorage extends ResultStorage {
  readonly rows: number;
  readonly cells: number;
  private holders = 0;
  private isDisposed = false;

  constructor(
    private readonly layout: ResultLayout,
    /** Absent once they are disposed of. */
    private from: Cells | undefined,
    private readonly isDisposable: boolean,
    /** The arena of the block, where other runs may read it. */
    private readonly arena: Arena | undefined,
  ) {
    super();
    this.rows = layout.rows;
    this.cells = layout.count;
  }

  get index(): LabelIndex | undefined {
    return this.layout.factors.length === 1 ? this.layout.product.factor.index : undefined;
  }

  blockIn(arena: Arena): Block | undefined {
    const { layout } = this;
    const from = this.from;
    if (this.arena !== arena || from === undefined || !("block" in from)) return undefined;
    return from.block.length === layout.count && layout.isCanonical ? from.block : undefined;
  }

  labels(): Labels {
    return this.layout.type.isDense ? oneRow : labelsOf(this.layout.product.factor.index);
  }

  data(into?: CellArray): CellArray {
    const { layout, from } = this;
    if (from === undefined) {
      const { type } = layout;
      const source = { name: "tensor", text: `${type}` };
      const span = { source, start: 0, end: source.text.length };
      throw new SphexError([problem("value/disposed", span, { type })]);
    }
    if ("block" in from) return layout.canonical(from.block.cells, into);
    // Nobody else has the copy.
    return into === undefined && layout.isCanonical && from.copy.length === layout.count
      ? from.copy
      : layout.canonical(from.copy, into);
  }

  dispose(): void {
    const { from } = this;
    if (!this.isDisposable || from === undefined) return;
    this.isDisposed = true;
    if (this.holders > 0) return;
    this.from = undefined;
    if ("block" in from) this.arena?.disposeUnlessRead(from.block);
  }

  hold(): () => void {
    this.holders++;
    return () => {
      this.holders--;
      if (this.isDisposed) this.dispose();
    };
  }

  description(): TensorDescription {
    const { from, isDisposable, layout } = this;
    const isView = from !== undefined && "block" in from && !isDisposable;
    return layout.description(isView ? "view" : "owner");
  }
}

/** A dimension along which cells lie, and are copied. */
interface Dimension {
  readonly axis: number;
  readonly size: number;
  /** Absent where they lie as a table says. */
  readonly stride: number | undefined;
  readonly targetStride: number;
}

/** How to read the cells of a stored value in canonical order. */
export class ResultLayout {
  readonly factors: readonly FactorAxis[];
  /** For each indexed dimension of the type, its position among the axes. */
  readonly indexed: readonly number[];
  readonly sizes: readonly number[];
  readonly rows: number;
  /** Cells of all rows. */
  readonly count: number;
  /** Whether the cells lie one behind the other, in the order of the axes, and those in canonical order. */
  readonly isPlain: boolean;
  private cachedProduct: Product | undefined;

  constructor(
    readonly type: TensorType,
    readonly result: Result,
  ) {
    const { axes } = result;
    this.factors = axes.filter((axis): axis is FactorAxis => axis.factor !== undefined);
    this.indexed = type.indexed.map(({ name }) => axes.findIndex((axis) => axis.name === name));
    this.sizes = this.indexed.map((at) => element(axes, at).size);
    this.rows = cellsIn(this.factors);
    this.count = this.rows * cellsOf(this.sizes);
    this.isPlain = this.hasPlainStrides();
  }

  /**
   * A tensor whose cells lie so. It is disposable where their memory is its own. The arena has the block of a result, which may be
   * an input as it is.
   */
  tensor(cells: Cells, isDisposable = false, arena?: Arena): Tensor {
    return Tensor.ofStorage(this.type, this.sizes, new LayoutStorage(this, cells, isDisposable, arena));
  }

  /** The tensor of cells that nobody else has. */
  tensorOfCopy(copy: CellArray): Tensor {
    const { count, type, sizes } = this;
    if (!type.isDense || !this.isPlain) return this.tensor({ copy });
    return Tensor.of(type, sizes, oneRow, copy.length === count ? copy : copy.slice(0, count));
  }

  /** The rows of all factors as those of one. */
  get product(): Product {
    this.cachedProduct ??= productOf(this.factors.map(({ factor }) => factor));
    return this.cachedProduct;
  }

  private hasPlainStrides(): boolean {
    const { axes, access } = this.result;
    const first = axes.length - this.indexed.length;
    if (access.offset !== 0 || !this.indexed.every((at, dimension) => at === first + dimension)) return false;
    const strides = stridesOf(axes.map(({ size }) => size));
    return this.count === 0 || axes.every(({ size }, at) => size === 1 || access.strides[at] === strides[at]);
  }

  description(mode: TensorDescription["mode"]): TensorDescription {
    const { type, sizes, rows, count, result, factors } = this;
    const [factor] = factors;
    const ofRows = factor === undefined ? cellsOf(sizes) : this.strideOf(result.axes.indexOf(factor));
    return {
      cellType: type.cellType,
      dimensions: type.indexed.map(({ name }) => name),
      shape: sizes,
      size: count,
      rank: type.dimensions.length,
      strides: this.indexed.map((at) => this.strideOf(at) ?? 0),
      offset: result.access.offset,
      rows,
      rowStride: factors.length > 1 ? undefined : ofRows,
      readOnly: true,
      mode,
    };
  }

  /** The step along an axis, where it is the same all along it. */
  private strideOf(axis: number): number | undefined {
    const stride = this.result.access.strides[axis];
    return typeof stride === "number" ? stride : undefined;
  }

  /** Whether the cells lie one behind the other in canonical order. */
  get isCanonical(): boolean {
    const { factors, isPlain } = this;
    return (
      isPlain && (factors.length === 0 || (factors.length === 1 && this.product.rowsOf[0] === undefined))
    );
  }

  /** All cells in canonical order, in an array of their own or in one that is as long. */
  canonical(from: CellArray, array?: CellArray): CellArray {
    const { count } = this;
    if (this.isCanonical) {
      const cells = from.length === count ? from : from.subarray(0, count);
      if (array === undefined) return copyOf(cells);
      copyCells(cells, array);
      return array;
    }
    const into = array ?? cellTypes[this.type.cellType].allocate(count);
    copyLines(this.lines(), from, into);
    return into;
  }

  /** All cells as lines, along the dimension that is best for that. */
  private lines(): Lines {
    const dimensions = this.joinedDimensions();
    const last = dimensions.at(-1);
    const even = dimensions.filter(({ stride }) => stride !== undefined);
    const longest = even.reduce(
      (best, each) => (best !== undefined && best.size >= each.size ? best : each),
      even[0],
    );
    const line = last?.stride !== undefined && last.size >= tileSize ? last : longest;
    const distance = ({ stride = 1 }: Dimension): number => Math.abs(stride);
    const blockCells = cellsOf(this.sizes);
    let starts = this.rowStarts();
    let targets = multiples(blockCells, this.rows);
    // Lines that lie near each other follow each other.
    const others = dimensions.filter((each) => each !== line);
    for (const each of others.sort((one, other) => distance(other) - distance(one))) {
      starts = sums(starts, this.offsetsAlong(each));
      targets = sums(targets, multiples(each.targetStride, each.size));
    }
    const { size: length = 1, stride = 1, targetStride = 1 } = line ?? {};
    return { starts, targets, length, stride, targetStride };
  }

  /** The indexed dimensions in their order; the last ones as one, as far as their cells lie evenly. */
  private joinedDimensions(): readonly Dimension[] {
    const targetStrides = stridesOf(this.sizes);
    const joined: Dimension[] = [];
    for (let at = this.sizes.length - 1; at >= 0; at--) {
      const [axis, size, targetStride] = [this.indexed[at], this.sizes[at], targetStrides[at]];
      if (axis === undefined || size === undefined || targetStride === undefined)
        throw new Error("each indexed dimension has an axis");
      const stride = this.strideOf(axis);
      const [inner] = joined;
      const isEven = inner?.stride !== undefined && stride === inner.stride * inner.size;
      if (isEven && joined.length === 1) joined[0] = { ...inner, size: size * inner.size };
      else if (size !== 1 || stride === undefined) joined.unshift({ axis, size, stride, targetStride });
    }
    return joined;
  }

  private offsetsAlong({ axis, size, stride }: Dimension): Float64Array {
    if (stride !== undefined) return multiples(stride, size);
    return new Float64Array(size).map((_, index) => this.offsetAlong(axis, index));
  }

  /** Where the rows begin, in canonical order. */
  private rowStarts(): Float64Array {
    const starts = new Float64Array(this.rows).fill(this.result.access.offset);
    for (const [at, factor] of this.factors.entries()) {
      const axis = this.result.axes.indexOf(factor);
      const map = this.product.rowsOf[at];
      for (let row = 0; row < this.rows; row++) {
        const ownRow = map === undefined ? row : intAt(map, row);
        starts[row] = numberAt(starts, row) + this.offsetAlong(axis, ownRow);
      }
    }
    return starts;
  }

  private offsetAlong(axis: number, index: number): number {
    return offsetAlong(element(this.result.access.strides, axis), index);
  }
}

/** The multiples of a number, from 0 on. */
function multiples(of: number, count: number): Float64Array {
  const all = new Float64Array(count);
  for (let at = 0; at < count; at++) all[at] = at * of;
  return all;
}

/** Each of the first numbers plus each of the second. */
function sums(first: Float64Array, second: Float64Array): Float64Array {
  const all = new Float64Array(first.length * second.length);
  let next = 0;
  for (let at = 0; at < first.length; at++) {
    const number = first[at] as number; // within the list
    for (let other = 0; other < second.length; other++) all[next++] = number + (second[other] as number); // as above
  }
  return all;
}
