import { atOnce, type Slices } from "../limits/slices.js";
import { requireArgument, requireNumber, requireObject } from "../source/arguments.js";
import { isBranded } from "../source/brand.js";
import { checkCallOptions } from "../source/option-rule.js";
import { type CellArray, cellTypes, readCell, storeCells } from "../types/cell.js";
import { TensorType } from "../types/type.js";
import type { Address } from "./address.js";
import { CellLookup } from "./cell-lookup.js";
import { type Cell, type CellsOptions, CellWalk, cellsRules } from "./cell-walk.js";
import { cellsOfArray, copyCell, copyCells, storedCells } from "./data/array-cells.js";
import {
  type AxesOptions,
  type AxisOrder,
  axesRules,
  axisOrder,
  isAscending,
  offsetsAlong,
} from "./data/axis-order.js";
import { denseSizes, isCells, rowsOfCells, rowsOfNested, type TensorData } from "./data/build.js";
import { columnItems, isColumn, isStridedArray, packed } from "./data/foreign-arrays.js";
import { type JsonTensor, jsonOf } from "./data/json-form.js";
import { type NestedValue, nestedOf } from "./data/nested.js";
import { isNumberArray, type NumberArray } from "./data/number-array.js";
import { requireOutput } from "./data/output-array.js";
import type { Rows } from "./data/rows.js";
import type { TransferableTensor } from "./data/transferable.js";
import type { TensorDescription } from "./description.js";
import { inspectionText } from "./inspection.js";
import { problem, refuse, typeSpan } from "./messages.js";
import { RetypedStorage } from "./retyped-storage.js";
import { cellsOf, hasShapeOf, stridesOf } from "./shape.js";
import { type Labels, NumberStorage, oneRow, type TensorStorage } from "./tensor-storage.js";
import { tensorText } from "./text.js";

const brand = "sphex.tensor.1";

/**
 * A tensor: a type and the cells that conform to it (Paper 5.2). Immutable.
 *
 * Each combination of mapped labels that exists is a row and owns one dense block of `blockCells` cells in row-major
 * order; blocks lie back to back in `data`, in the order of their labels. A tensor without mapped dimensions is one
 * row. Rank 0 is one cell.
 */
export class Tensor {
  static readonly name = "Tensor";
  /** The sizes of the type's indexed dimensions, also of unbound ones. */
  readonly sizes: readonly number[];
  /** Cells of one dense block. */
  readonly blockCells: number;
  /** How many combinations of mapped labels there are; 1 for a dense tensor. */
  readonly rows: number;
  private cachedLabels: Labels | undefined;
  private cachedData: CellArray | undefined;
  private cachedLookup: CellLookup | undefined;
  /** What has the labels and cells, if not the tensor itself. @internal */
  readonly storage: TensorStorage | undefined;
  private cachedAs: Tensor | undefined;

  private constructor(
    readonly type: TensorType,
    sizes: readonly number[],
    labels: Labels,
    data: CellArray | TensorStorage,
  ) {
    if (data instanceof NumberStorage) {
      // The usual result of a small program, so it is made without looking at anything.
      this.sizes = none;
      this.blockCells = 1;
      this.rows = 1;
      this.storage = data;
      this.cachedData = undefined;
      this.cachedLabels = oneRow;
      return;
    }
    const isStorage = !ArrayBuffer.isView(data);
    const [cells, rows] = isStorage ? [data.cells, data.rows] : [data.length, labels.length];
    // Without a cell, the sizes of the unbound dimensions of a tensor are unknown, and so are its labels.
    const isVoid = cells === 0 && !type.isBound;
    const hasRows = !isVoid || type.isDense;
    this.sizes = isVoid ? type.declaredSizes : sizes;
    this.blockCells = type.isScalar ? 1 : cellsOf(this.sizes);
    this.rows = hasRows ? rows : 0;
    this.storage = isStorage ? data : undefined;
    this.cachedData = isStorage ? undefined : data;
    this.cachedLabels = !hasRows ? [] : isStorage ? undefined : labels;
  }

  /** Also one of another copy of the library. */
  static [Symbol.hasInstance](value: unknown): value is Tensor {
    return isBranded(value, brand);
  }

  protected get brand(): string {
    return brand;
  }

  /**
   * The tensor of rank 0 with this value.
   * @throws SphexError where the type has dimensions.
   */
  static scalar(value: number, type: TensorType): Tensor {
    if (!type.isScalar) refuse(problem("value/not-a-number", typeSpan(type), { type }));
    return new Tensor(type, none, oneRow, new NumberStorage(value));
  }

  /** The tensor with these sorted labels, and with all cells in their own width: an array that is not written to. @internal */
  static of(type: TensorType, sizes: readonly number[], labels: Labels, data: CellArray): Tensor {
    return new Tensor(type, sizes, labels, data);
  }

  /** A tensor over a storage of its own: labels and cells become arrays when they are first read. @internal */
  static ofStorage(type: TensorType, sizes: readonly number[], storage: TensorStorage): Tensor {
    return new Tensor(type, sizes, none, storage);
  }

  /**
   * Creates a tensor of a type from a typed array of all cells (dense, row-major), nested arrays (dense), an object or a
   * map of labels (mapped dimensions), a list of cells, or an array with `shape` and `strides` or a column of Arrow, of other
   * libraries. A typed array may be of any class whose numbers the cell type
   * holds, as double holds those of a Float32Array; of bfloat16 and half it has the bits (Uint16Array). Cells are stored by the rule of the cell type; cells that a list
   * lacks of a dense block are 0.
   *
   * The axes of arrays, and the levels of nested data, are the dimensions in canonical order, which is sorted by name,
   * unless `axes` names them in another one: `{ axes: ["out", "in"] }`.
   * @throws SphexError where the data does not fit the type, or the axes are not its dimensions.
   */
  static from(type: TensorType, data: TensorData, options: AxesOptions = {}): Tensor {
    return atOnce(Tensor.slices(type, data, options));
  }

  /**
   * As `from`, in slices between which other work may go on; a list may ask for `most` cells with the zeros between, or has as many.
   * @internal
   */
  static *slices(
    type: TensorType,
    data: TensorData,
    options: AxesOptions = {},
    most?: number,
  ): Slices<Tensor> {
    requireArgument("Tensor.from", "type", type, type instanceof TensorType);
    checkCallOptions("Tensor.from", options, axesRules);
    const order = axisOrder(type, options.axes);
    if (isStridedArray(type, data)) {
      const { sizes, data: cells } = yield* packed(type, data, order);
      return yield* Tensor.ofArray(type, cells, order, sizes);
    }
    const own = isColumn(data) ? columnItems(type, data) : data;
    if (isNumberArray(own)) return yield* Tensor.ofArray(type, own, order);
    const rows = yield* isCells(type, own) ? rowsOfCells(type, own, most) : rowsOfNested(type, own, order);
    return yield* Tensor.slicesOfRows(rows);
  }

  /** A dense tensor from all of its cells, row-major along the axes. */
  private static *ofArray(
    type: TensorType,
    data: NumberArray,
    order: AxisOrder,
    found?: readonly number[],
  ): Slices<Tensor> {
    const sizes = denseSizes(type, data, found);
    return Tensor.of(type, sizes, oneRow, yield* cellsOfArray(type.cellType, data, order, sizes));
  }

  /** The tensor that rows have become, its cells stored in the type's width. @internal */
  static ofRows(rows: Rows): Tensor {
    return atOnce(Tensor.slicesOfRows(rows));
  }

  private static *slicesOfRows(rows: Rows): Slices<Tensor> {
    const { labels, numbers } = yield* rows.sortedInSlices();
    return Tensor.of(rows.type, rows.sizes, labels, yield* storedCells(rows.type.cellType, numbers));
  }

  /** The bytes of its cells, and eight for each label, whose texts are shared. */
  get bytes(): number {
    const { type, rows, blockCells } = this;
    return rows * (blockCells * cellTypes[type.cellType].width + 8 * type.mapped.length);
  }

  /** The mapped labels of each row, sorted; `[[]]` where the type has no mapped dimension. Not to be written to. */
  get labels(): Labels {
    this.cachedLabels ??= this.storage?.labels() ?? [];
    return this.cachedLabels;
  }

  /** The axes of a dense block of `data`, outermost first: the indexed dimensions, sorted by name. */
  get axes(): readonly string[] {
    return this.type.indexed.map(({ name }) => name);
  }

  /** All cells, in canonical order (by rows of labels, and in each along `axes`): an array that is not to be written to. */
  get data(): CellArray {
    this.cachedData ??= this.storage?.data() ?? cellTypes[this.type.cellType].allocate(0);
    return this.cachedData;
  }

  /**
   * Frees the memory of a large result at once instead of when it is collected, unless others read its cells: views of it, programs that
   * were prepared with it, sessions that have it, and runs under way. The cells cannot be read afterwards, unless they had been read before.
   */
  dispose(): void {
    this.storage?.dispose?.();
  }

  /** Keeps the cells for a run, whoever disposes of the tensor meanwhile, until what is returned is called. @internal */
  hold(): () => void {
    return this.storage?.hold?.() ?? (() => undefined);
  }

  /** How the cells lie in memory; nothing of it is computed. */
  get description(): TensorDescription {
    const { type, sizes, rows, blockCells } = this;
    return (
      this.storage?.description?.() ?? {
        cellType: type.cellType,
        dimensions: type.indexed.map(({ name }) => name),
        shape: sizes,
        size: rows * blockCells,
        rank: type.dimensions.length,
        strides: stridesOf(sizes),
        offset: 0,
        rows,
        rowStride: blockCells,
        readOnly: true,
        mode: "owner",
      }
    );
  }

  /**
   * The cell at a position of `data`, as a number.
   * @throws SphexError where there is no such position.
   */
  at(position: number): number {
    if (this.storage instanceof NumberStorage && position === 0) return this.storage.value;
    const { data, type } = this;
    requireNumber("at", position);
    if (!(position >= 0 && position < data.length && Number.isInteger(position)))
      refuse(problem("value/position", typeSpan(type), { type, position, cells: data.length }));
    return readCell(type.cellType, data, position);
  }

  /** All cells with their addresses, in canonical order. */
  cells(options: CellsOptions = {}): IterableIterator<Cell> {
    checkCallOptions("cells", options, cellsRules);
    return new CellWalk(this, options.reuse ?? false);
  }

  /**
   * The cell at an address, which names every dimension; nothing where there is no such cell. The first call hashes the
   * labels of all rows, later ones take as long for a tensor of any size.
   * @throws SphexError where the address lacks a dimension, has another one, or an index is no whole number.
   */
  get(address: Address): number | undefined {
    requireObject("get", address);
    this.cachedLookup ??= new CellLookup(this.type, this.sizes, this.labels, this.blockCells);
    const position = this.cachedLookup.position(address);
    return position === undefined ? undefined : this.at(position);
  }

  /**
   * The value of a tensor of rank 0.
   * @throws SphexError for any other.
   */
  asNumber(): number {
    if (!this.type.isScalar) refuse(problem("value/not-a-number", typeSpan(this.type), { type: this.type }));
    return this.at(0);
  }

  /** In arithmetic of JavaScript its number, or a problem where it is none; in a text its text. */
  [Symbol.toPrimitive](hint: string): number | string {
    const isText = hint === "string" || (hint === "default" && !this.type.isScalar);
    return isText ? this.toString() : this.asNumber();
  }

  /** Canonical text: `tensor(x[2]):[1.0, 2.0]`; `parseTensor` reads it back, bit for bit. */
  toString(): string {
    return tensorText(this);
  }

  /**
   * All cells in an array of their own, row-major along these axes, by default in canonical order; of a tensor with mapped
   * dimensions block by block, in the canonical order of the labels.
   * @throws SphexError where the axes are not the indexed dimensions, or all dimensions, of the type.
   */
  toArray(axes?: readonly string[]): CellArray {
    const { data, blockCells } = this;
    const { indexed } = axisOrder(this.type, axes);
    if (isAscending(indexed)) return data.slice();
    const array = cellTypes[this.type.cellType].allocate(data.length);
    const offsets = offsetsAlong(indexed, this.sizes, this.rows);
    for (let start = 0; start < data.length; start += blockCells)
      for (const [at, offset] of offsets.entries()) copyCell(data, start + offset, array, start + at);
    return array;
  }

  /**
   * A number, nested arrays for indexed dimensions, objects by label for mapped ones, which are the outer levels; each in
   * the order of the axes, by default in canonical order.
   * @throws SphexError where the axes are not the indexed dimensions, or all dimensions, of the type.
   */
  toNested(axes?: readonly string[]): NestedValue {
    return nestedOf(this, axisOrder(this.type, axes));
  }

  /** Plain data, of which nothing is shared with the tensor, for workers and stores, whose copies of tensors have no methods; programs take it as an input. */
  toTransferable(): TransferableTensor {
    const { type, sizes, labels, data } = this;
    const rows = labels.map((row) => [...row]);
    return { sphexTensor: 1, type: `${type}`, sizes: [...sizes], labels: rows, data: data.slice() };
  }

  /** What `console.log` of Node shows: the type, and a table of the first cells. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return inspectionText(this);
  }

  /** The form that `JSON.stringify` writes: Vespa's, with the type, which `readTensor(text, "json")` reads back. */
  toJSON(): JsonTensor {
    return jsonOf(this);
  }

  /**
   * Copies all cells, in canonical order, into an array of the cell type and as many cells.
   * @throws SphexError for any other array.
   */
  copyTo(array: CellArray): void {
    requireArgument("copyTo", "cells", array, isNumberArray(array));
    const { type, storage, rows, blockCells } = this;
    requireOutput(array, type, rows * blockCells);
    if (this.cachedData === undefined && storage !== undefined) storage.data(array);
    else copyCells(this.data, array);
  }

  /** Copies the cells from one on, as many as the array has, which is of the cell type. @internal */
  copyPartTo(array: CellArray, first: number): void {
    const { storage } = this;
    if (storage?.part !== undefined) return storage.part(first, array);
    copyCells(this.data.subarray(first, first + array.length), array);
  }

  /** The same tensor with cells of its own, which nothing else can change or give back. */
  copy(): Tensor {
    const { type } = this;
    return type.isScalar
      ? Tensor.scalar(this.at(0), type)
      : Tensor.of(type, this.sizes, this.labels, this.data.slice());
  }

  /** Whether the other has the same type, addresses and cells; NaN equals NaN, and 0 does not equal -0. */
  equals(other: Tensor): boolean {
    requireArgument("equals", "tensor", other, other instanceof Tensor);
    return (
      this.type.equals(other.type) &&
      this.data.length === other.data.length &&
      this.sizes.join() === other.sizes.join() &&
      this.labels.every((labels, row) => labels.every((label, at) => label === other.labels[row]?.[at])) &&
      this.data.every((_: number | bigint, at: number) => Object.is(this.at(at), other.at(at)))
    );
  }

  /**
   * The same cells stored as another type with the same dimensions; the same tensor where it was asked for that before.
   * @throws SphexError where the dimensions or sizes are others.
   */
  as(type: TensorType): Tensor {
    requireArgument("as", "type", type, type instanceof TensorType);
    if (!hasShapeOf(this, type))
      refuse(problem("value/dimensions", typeSpan(type), { type: this.type, expected: type }));
    return this.retyped(type);
  }

  /** As `as`, of a type whose sizes may be others. @internal */
  retyped(type: TensorType): Tensor {
    if (type.equals(this.type)) return this;
    if (this.cachedAs?.type.equals(type) !== true) this.cachedAs = this.stored(type);
    return this.cachedAs;
  }

  private stored(type: TensorType): Tensor {
    if (type.cellType === this.type.cellType)
      return Tensor.ofStorage(type, this.sizes, new RetypedStorage(this.origin));
    const numbers = Float64Array.from({ length: this.data.length }, (_, at) => this.at(at));
    return Tensor.of(type, this.sizes, this.labels, storeCells(type.cellType, numbers));
  }

  /** The tensor whose cells these are, where its type alone is another one. @internal */
  get origin(): Tensor {
    return this.storage instanceof RetypedStorage ? this.storage.original : this;
  }
}

const none: readonly never[] = [];
