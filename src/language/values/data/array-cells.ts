import { SliceMeter, type Slices, sliceCells } from "../../limits/slices.js";
import { type CellArray, type CellType, cellTypes, storeCells, writeCell } from "../../types/cell.js";
import { absent, element } from "../element.js";
import { offsetsOf, stridesOf } from "../shape.js";
import { type AxisOrder, isAscending, permuted } from "./axis-order.js";
import { isCellArray, type NumberArray } from "./number-array.js";

/** The cells of dense tensors from arrays: copied, converted, and brought to canonical order, in slices. */

/** All numbers of an array, which the cell type holds, as cells in canonical order; the array is row-major along the axes. */
export function* cellsOfArray(
  type: CellType,
  data: NumberArray,
  { indexed }: AxisOrder,
  sizes: readonly number[],
): Slices<CellArray> {
  const own = yield* copied(type, data);
  return isAscending(indexed) ? own : yield* canonicalCells(own, type, indexed, sizes);
}

function* copied(type: CellType, data: NumberArray): Slices<CellArray> {
  const { allocate, encoding } = cellTypes[type];
  if (data.length <= sliceCells && isCellArray(data, type)) return data.slice();
  const cells = allocate(data.length);
  const isPlain = encoding === undefined || isCellArray(data, type);
  for (let start = 0; start < data.length; start += sliceCells) {
    if (start > 0) yield;
    const part = data.subarray(start, start + sliceCells);
    if (isPlain) copyCells(part, cells, start);
    else for (let at = 0; at < part.length; at++) writeCell(type, cells, start + at, Number(part[at]));
  }
  return cells;
}

function* canonicalCells(
  own: CellArray,
  type: CellType,
  order: readonly number[],
  sizes: readonly number[],
): Slices<CellArray> {
  const cells = cellTypes[type].allocate(own.length);
  const [ownSizes, strides] = [permuted(sizes, order), permuted(stridesOf(sizes), order)];
  // The inner axes, as many as a slice has room for, have the same offsets again and again.
  let level = ownSizes.length;
  for (let inner = 1; level > 0; level--) {
    inner *= element(ownSizes, level - 1);
    if (inner > sliceCells) break;
  }
  const inner = offsetsOf(ownSizes.slice(level), strides.slice(level));
  const meter = new SliceMeter();
  let from = 0;
  for (const outer of offsetsOf(ownSizes.slice(0, level), strides.slice(0, level))) {
    for (const offset of inner) copyCell(own, from++, cells, outer + offset);
    if (meter.isFull(inner.length)) yield;
  }
  return cells;
}

/** Copies cells into an array of the same class, or of a class that holds their numbers as they are. */
export function copyCells(from: NumberArray, to: CellArray, start = 0): void {
  (to as Float64Array).set(from as Float64Array, start); // neither has bigints, or both have
}

export function copyCell(source: CellArray, from: number, target: CellArray, to: number): void {
  target[to] = source[from] ?? absent(from, source.length); // both of one class
}

/** Up to so many cells are moved one by one: a view of them takes longer than that. */
const fewCells = 16;

/** Copies some cells that lie side by side. */
export function copyRun(source: CellArray, from: number, count: number, target: CellArray, to: number): void {
  if (count > fewCells) return copyCells(source.subarray(from, from + count), target, to);
  for (let at = 0; at < count; at++) copyCell(source, from + at, target, to + at);
}

/** Stores all numbers, each by the rule of the type. Doubles are not copied. */
export function* storedCells(type: CellType, numbers: Float64Array): Slices<CellArray> {
  if (type === "double" || numbers.length <= sliceCells) return storeCells(type, numbers);
  const cells = cellTypes[type].allocate(numbers.length);
  for (let start = 0; start < numbers.length; start += sliceCells) {
    const part = storeCells(type, numbers.subarray(start, start + sliceCells));
    copyCells(part, cells, start);
    yield;
  }
  return cells;
}
