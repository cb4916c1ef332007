import { problem as limitProblem } from "../../limits/messages.js";
import { cellsPerRow, SliceMeter, type Slices, sliceCells } from "../../limits/slices.js";
import { requireObject } from "../../source/arguments.js";
import { cellTypes } from "../../types/cell.js";
import type { TensorType } from "../../types/type.js";
import { type Address, indexIn, labelText } from "../address.js";
import { element } from "../element.js";
import { kindOf, problem, refuse, typeSpan } from "../messages.js";
import { cellsOf, stridesOf } from "../shape.js";
import { type AxisOrder, permuted } from "./axis-order.js";
import { type Column, columnItems, isColumn, type StridedArray } from "./foreign-arrays.js";
import { isHeld, isNumberArray, type NumberArray, numbersIn } from "./number-array.js";
import { Rows } from "./rows.js";

/** The rows of a tensor from what an embedder has: typed arrays, nested arrays and objects, lists of cells. */

/** Numbers in arrays by index, and in objects or maps by label. */
export type Nested =
  | number
  | NumberArray
  | Column
  | readonly Nested[]
  | ReadonlyMap<string, Nested>
  | { readonly [label: string]: Nested };

/** A list of cells, each with its address. */
export type Cells = readonly { readonly address: Address; readonly value: number }[];

/** What a tensor can be made from. */
export type TensorData = NumberArray | StridedArray | Column | Nested | Cells;

/** The sizes of a dense tensor that has exactly the numbers of an array, each of which its cell type holds. */
export function denseSizes(
  type: TensorType,
  data: NumberArray,
  found?: readonly number[],
): readonly number[] {
  if (!isHeld(data, type.cellType)) refuseArray(type, data);
  if (!type.isDense) refuse(problem("value/array-mapped", typeSpan(type), { type }));
  const sizes = found ?? boundSizes(type, data.length);
  if (cellsOf(sizes) !== data.length) {
    const isKnown = found !== undefined || type.isBound;
    const values = { type, found: data.length, expected: isKnown ? cellsOf(sizes) : undefined };
    refuse(problem("value/count", typeSpan(type), values));
  }
  return sizes;
}

/** The sizes of a dense type; a single unbound dimension takes what the others leave. */
function boundSizes(type: TensorType, cells: number): number[] {
  const boundCells = type.indexed.reduce((product, each) => product * (each.size ?? 1), 1);
  return type.indexed.map((each) => each.size ?? Math.floor(cells / boundCells));
}

/** An object level for each mapped dimension, then an array level for each indexed one, in canonical or another order. */
export function rowsOfNested(type: TensorType, data: Nested, order: AxisOrder): Slices<Rows> {
  return new NestedReading(type, order).rows(data);
}

/** Reads nested data: an array level is a dimension with its position in the type. */
class NestedReading {
  /** By indexed dimension; nothing where it is not bound, and not yet measured. */
  private readonly sizes: (number | undefined)[];
  private readonly blocks: { readonly labels: readonly string[]; readonly block: Nested }[] = [];
  private readonly meter = new SliceMeter();

  constructor(
    private readonly type: TensorType,
    private readonly order: AxisOrder,
  ) {
    this.sizes = type.indexed.map(({ size }) => size);
  }

  *rows(data: Nested): Slices<Rows> {
    yield* this.openLabels(data, []);
    const rows = new Rows(
      this.type,
      this.sizes.map((size) => size ?? 0),
    );
    const strides = permuted(stridesOf(rows.sizes), this.order.indexed);
    for (const { labels, block } of this.blocks) {
      yield* this.fill(block, strides, rows.block(labels), 0, 0);
      if (this.meter.isFull(cellsPerRow)) yield;
    }
    return rows;
  }

  private *openLabels(value: Nested, labels: readonly string[]): Slices<void> {
    const { order } = this;
    if (labels.length === order.mapped.length) {
      yield* this.measure(value, 0);
      if (this.meter.isFull(cellsPerRow)) yield;
      const canonical = order.mapped.map((_, dimension) => element(labels, order.mapped.indexOf(dimension)));
      this.blocks.push({ labels: canonical, block: value });
      return;
    }
    for (const [label, inner] of this.labelled(value)) yield* this.openLabels(inner, [...labels, label]);
  }

  /** The entries of a map or a plain object; anything else that has properties is no object of labels. */
  private *labelled(value: Nested): Generator<readonly [string, Nested]> {
    if (value instanceof Map) {
      for (const [key, inner] of value) {
        if (typeof key !== "string" && typeof key !== "number") refuseShape(this.type, "labels", key);
        const label = `${key}`;
        if (typeof key === "number" && value.has(label))
          refuse(problem("value/duplicate", typeSpan(this.type), { type: this.type, address: [label] }));
        yield [label, inner];
      }
      return;
    }
    if (!isPlainObject(value)) refuseShape(this.type, "labels", value);
    for (const label of Object.keys(value)) yield [label, value[label] as Nested]; // its own
  }

  /** Finds the sizes of unbound dimensions, and that all others are as declared. */
  private *measure(value: Nested, level: number): Slices<void> {
    const { type, order, sizes } = this;
    const position = order.indexed[level];
    if (position === undefined) {
      if (typeof value !== "number") refuseShape(type, "number", value);
      return;
    }
    const items = listIn(type, value);
    if (!isList(items)) refuseShape(type, "array", value);
    const size = sizes[position] ?? items.length;
    sizes[position] = size;
    if (size !== items.length) {
      const dimension = element(type.indexed, position).name;
      refuse(problem("value/size", typeSpan(type), { type, dimension, found: items.length, expected: size }));
    }
    if (level + 1 < order.indexed.length) for (const item of items) yield* this.measure(item, level + 1);
    else
      for (let start = 0; start < items.length; start += sliceCells) {
        requireNumbers(type, items, start);
        if (this.meter.isFull(Math.min(sliceCells, items.length - start))) yield;
      }
  }

  private *fill(
    value: Nested,
    strides: readonly number[],
    block: Float64Array,
    offset: number,
    level: number,
  ): Slices<void> {
    if (typeof value === "number") {
      block[offset] = value;
      return;
    }
    const stride = strides[level];
    const items = listIn(this.type, value);
    if (!isList(items) || stride === undefined) return;
    if (level + 1 < strides.length)
      for (const [at, item] of items.entries())
        yield* this.fill(item, strides, block, offset + at * stride, level + 1);
    else
      for (let start = 0; start < items.length; start += sliceCells) {
        copyNumbers(items, start, block, offset, stride);
        if (this.meter.isFull(Math.min(sliceCells, items.length - start))) yield;
      }
  }
}

type List = readonly Nested[] | Float64Array;

/** Refuses what is no number in a slice of a list. */
function requireNumbers(type: TensorType, items: List, start: number): void {
  const end = Math.min(items.length, start + sliceCells);
  for (let at = start; at < end; at++)
    if (typeof items[at] !== "number") refuseShape(type, "number", items[at]);
}

/** Copies a slice of a list, all of whose items are numbers. */
function copyNumbers(items: List, start: number, block: Float64Array, offset: number, stride: number): void {
  const end = Math.min(items.length, start + sliceCells);
  for (let at = start; at < end; at++) block[offset + at * stride] = items[at] as number;
}

/** The numbers of a typed array or a column, or the rows of a column of lists; anything else as it is. */
function listIn(type: TensorType, value: Nested): Nested {
  const array = isColumn(value) ? columnItems(type, value) : value;
  return isNumberArray(array) ? (numbersIn(array, type.cellType) ?? refuseArray(type, array)) : array;
}

const isList = (value: Nested): value is List => Array.isArray(value) || value instanceof Float64Array;

/** An object that is nothing else; of what has a class of its own, the properties are no labels. */
const isPlainObject = (value: Nested): value is { readonly [label: string]: Nested } =>
  kindOf(value) === "object";

/** A list of cells; an empty list is one, unless it is the array of an indexed dimension. */
export function isCells(type: TensorType, data: Nested | Cells): data is Cells {
  if (!Array.isArray(data)) return false;
  if (data.length === 0) return !type.isDense;
  return data.every((each) => typeof each === "object" && each !== null && "address" in each);
}

interface IndexedCell {
  readonly labels: readonly string[];
  readonly indexes: readonly number[];
  readonly value: number;
}

/** How many cells a few with large indexes may ask for, unless all of them are listed or a host says otherwise. */
export const mostCells = 50_000_000;

/** A list of cells, each with an address that names every dimension; an address may stand there once. */
export function* rowsOfCells(type: TensorType, cells: Cells, limit = mostCells): Slices<Rows> {
  const meter = new SliceMeter();
  const indexedCells: IndexedCell[] = [];
  for (const { address, value } of cells) {
    requireObject("address", address);
    const unknown = Object.keys(address).find((name) => type.dimension(name) === undefined);
    if (unknown !== undefined) refuse(problem("value/address", typeSpan(type), { type, dimension: unknown }));
    const label = (name: string): string | number | undefined => {
      if (!Object.hasOwn(address, name))
        refuse(problem("value/address", typeSpan(type), { type, dimension: name }));
      return address[name];
    };
    const labels = type.mapped.map((each) => labelText(label(each.name)));
    if (typeof value !== "number") refuseShape(type, "number", value);
    if (meter.isFull(cellsPerRow)) yield;
    indexedCells.push({
      labels,
      indexes: type.indexed.map((each) => indexOf(type, each.name, `${label(each.name)}`)),
      value,
    });
  }
  const sizes = type.indexed.map(
    (each, at) =>
      each.size ?? indexedCells.reduce((size, cell) => Math.max(size, element(cell.indexes, at) + 1), 0),
  );
  const most = Math.max(limit, cells.length);
  const requireFew = (count: number): void => {
    if (count > most) refuse(limitProblem("limit/cells", typeSpan(type), { cells: count, limit: most }));
  };
  requireFew(cellsOf(sizes));
  const rows = new Rows(type, sizes);
  const strides = stridesOf(sizes);
  const offsetsByBlock = new Map<Float64Array, Set<number>>();
  for (const { labels, indexes, value } of indexedCells) {
    const offset = indexes.reduce((sum, index, at) => sum + index * element(strides, at), 0);
    if (rows.find(labels) === undefined) requireFew((rows.count + 1) * rows.blockCells);
    const block = rows.block(labels);
    const offsets = offsetsByBlock.get(block) ?? new Set();
    if (offsets.has(offset))
      refuse(problem("value/duplicate", typeSpan(type), { type, address: [...labels, ...indexes] }));
    offsetsByBlock.set(block, offsets.add(offset));
    block[offset] = value;
    if (meter.isFull(cellsPerRow)) yield;
  }
  return rows;
}

function indexOf(type: TensorType, dimension: string, label: string): number {
  const size = type.dimension(dimension)?.size ?? Number.POSITIVE_INFINITY;
  const index = indexIn(label);
  if (index !== undefined && index < size) return index;
  return refuse(problem("value/index", typeSpan(type), { type, dimension, label }));
}

function refuseArray(type: TensorType, array: NumberArray): never {
  const expected = cellTypes[type.cellType].allocate(0).constructor.name;
  return refuse(
    problem("value/array-type", typeSpan(type), { type, found: array.constructor.name, expected }),
  );
}

function refuseShape(type: TensorType, expected: "labels" | "array" | "number", value: unknown): never {
  return refuse(problem("value/shape", typeSpan(type), { type, expected, found: kindOf(value) }));
}
