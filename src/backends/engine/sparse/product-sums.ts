import type { CellArray } from "../../../language/types/cell.js";
import { absent, intAt, numberAt } from "../../../language/values/element.js";
import type { SparseContraction } from "./contraction.js";
import type { RowMap } from "./factor.js";

/**
 * The numbers of a contraction: products added up, each group of rows into accumulators of its own. Run again for other
 * cells with the same rows.
 */

/** Arrays whose elements are the numbers of the cells: not what encodes them. */
export type NumberArray = Exclude<CellArray, Uint16Array | BigInt64Array>;

/** A cell of an array of any of these kinds. */
function cellAt(cells: NumberArray, at: number): number {
  const cell = cells[at];
  return cell === undefined ? absent(at, cells.length) : cell;
}

/** The cells of one factor, one for each row. */
export interface RowCells {
  readonly cells: NumberArray;
  /** That of the first row. */
  readonly start: number;
  /** From the cell of a row to that of the next. */
  readonly row: number;
}

export interface SumOperands {
  readonly left: RowCells;
  readonly right: RowCells;
  /** The cell of every row is written; rounded to a float where cells are floats. */
  readonly target: RowCells;
  /** Whether each product is rounded to a float before it is added. */
  readonly isFloat: boolean;
}

/**
 * Computes the rows of the groups from `from` to `to`. There should be few parts: each begins by putting the
 * inner cells in order.
 */
export function sumProducts(
  contraction: SparseContraction,
  operands: SumOperands,
  from: number,
  to: number,
): void {
  const { outerRows, innerRows, resultRows, isSwapped } = contraction;
  const { target, isFloat } = operands;
  const [outer, inner] = isSwapped ? [operands.right, operands.left] : [operands.left, operands.right];
  const first = intAt(contraction.groupStarts, from);
  const ours = gathered(outer, outerRows, first, intAt(contraction.groupStarts, to));
  // Putting the inner cells in order pays where each is used more than once or so.
  const isScattered = contraction.products < contraction.innerSlots.length;
  const theirs = isScattered ? inner : gathered(inner, innerRows, 0, contraction.innerSlots.length);
  const [start, end] = [intAt(contraction.resultStarts, from), intAt(contraction.resultStarts, to)];
  const isInPlace = resultRows === undefined && target.row === 1 && target.cells instanceof Float64Array;
  const results = isInPlace
    ? target.cells.subarray(target.start + start, target.start + end)
    : new Float64Array(end - start);
  sumCells(contraction, ours, theirs, results, isFloat, from, to);
  if (isInPlace) return;
  for (let at = start; at < end; at++)
    target.cells[target.start + rowAt(resultRows, at) * target.row] = numberAt(results, at - start);
}

const rowAt = (rows: RowMap, at: number): number => (rows === undefined ? at : intAt(rows, at));

/** The cells of rows, as doubles back to back, in the order they are needed: a copy, if they do not lie so. */
function gathered({ cells, start, row }: RowCells, rows: RowMap, from: number, to: number): Float64Array {
  if (rows === undefined && row === 1 && cells instanceof Float64Array)
    return cells.subarray(start + from, start + to);
  const result = new Float64Array(to - from);
  for (let at = from; at < to; at++) result[at - from] = cellAt(cells, start + rowAt(rows, at) * row);
  return result;
}

/**
 * The outer cells and the results back to back from those of the first group on, and the inner ones back to back as well, or
 * wherever they are. The inner loops are functions of their own, as V8 makes better code of them: 37 against 59 ms for ten million
 * products.
 */
function sumCells(
  contraction: SparseContraction,
  ours: Float64Array,
  theirs: Float64Array | RowCells,
  results: Float64Array,
  isFloat: boolean,
  from: number,
  to: number,
): void {
  const { groupStarts, matchStarts, matchEnds, innerRows, innerSlots } = contraction;
  const { resultStarts, resultSlots, slots } = contraction;
  const sums = new Float64Array(slots);
  const add = isFloat ? addFloatProducts : addProducts;
  const [first, firstResult] = [intAt(groupStarts, from), intAt(resultStarts, from)];
  for (let group = from; group < to; group++) {
    const end = intAt(groupStarts, group + 1);
    for (let at = intAt(groupStarts, group); at < end; at++) {
      const cell = numberAt(ours, at - first);
      const [start, stop] = [intAt(matchStarts, at), intAt(matchEnds, at)];
      if (theirs instanceof Float64Array) add(sums, innerSlots, cell, theirs, start, stop);
      else addScattered(sums, innerSlots, cell, theirs, innerRows, isFloat, start, stop);
    }
    const stop = intAt(resultStarts, group + 1);
    takeSums(sums, resultSlots, results, firstResult, intAt(resultStarts, group), stop);
  }
}

/** Adds a cell times each of these to the sum of its slot. */
function addProducts(
  sums: Float64Array,
  slots: Int32Array,
  cell: number,
  theirs: Float64Array,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const slot = intAt(slots, at);
    sums[slot] = numberAt(sums, slot) + cell * numberAt(theirs, at);
  }
}

/** The same of floats, where each product is one. */
function addFloatProducts(
  sums: Float64Array,
  slots: Int32Array,
  cell: number,
  theirs: Float64Array,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const slot = intAt(slots, at);
    sums[slot] = numberAt(sums, slot) + Math.fround(cell * numberAt(theirs, at));
  }
}

/** The same of products or floats, with the inner cells wherever they are. */
function addScattered(
  sums: Float64Array,
  slots: Int32Array,
  cell: number,
  { cells, start, row }: RowCells,
  rows: RowMap,
  isFloat: boolean,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const slot = intAt(slots, at);
    const product = cell * cellAt(cells, start + rowAt(rows, at) * row);
    sums[slot] = numberAt(sums, slot) + (isFloat ? Math.fround(product) : product);
  }
}

/** The sums of a group as results, and zeros in their slots for the next one. */
function takeSums(
  sums: Float64Array,
  slots: Int32Array,
  results: Float64Array,
  firstResult: number,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const slot = intAt(slots, at);
    results[at - firstResult] = numberAt(sums, slot);
    sums[slot] = 0;
  }
}
