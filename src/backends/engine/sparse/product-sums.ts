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

/** The cells of one factor: each row has a block of them. */
export interface RowBlocks {
  readonly cells: NumberArray;
  /** The first cell of the first row. */
  readonly start: number;
  /** From a row's first cell to the next row's. */
  readonly row: number;
  /** From one cell of a block to the next; 0 where all of the block is the same cell. */
  readonly step: number;
}

export interface SumOperands {
  readonly left: RowBlocks;
  readonly right: RowBlocks;
  /** Every cell of every row is written; rounded to a float where cells are floats. */
  readonly target: RowBlocks;
  /** Cells of a block of the target. */
  readonly block: number;
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
  const { target, block, isFloat } = operands;
  const [outer, inner] = isSwapped ? [operands.right, operands.left] : [operands.left, operands.right];
  // Putting the inner cells in order pays where each is used more than once or so.
  if (block !== 1 || contraction.products < contraction.innerSlots.length)
    return sumBlocks(contraction, outer, inner, operands, from, to);
  const first = intAt(contraction.groupStarts, from);
  const ours = gathered(outer, outerRows, first, intAt(contraction.groupStarts, to));
  const theirs = gathered(inner, innerRows, 0, contraction.innerSlots.length);
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

/** The first cells of rows, as doubles back to back, in the order they are needed: a copy, if they do not lie so. */
function gathered({ cells, start, row }: RowBlocks, rows: RowMap, from: number, to: number): Float64Array {
  if (rows === undefined && row === 1 && cells instanceof Float64Array)
    return cells.subarray(start + from, start + to);
  const result = new Float64Array(to - from);
  for (let at = from; at < to; at++) result[at - from] = cellAt(cells, start + rowAt(rows, at) * row);
  return result;
}

/**
 * One cell a row, all back to back: the outer ones and the results from those of the first group on. The inner loops are functions
 * of their own, as V8 makes better code of them: 37 against 59 ms for ten million products.
 */
function sumCells(
  contraction: SparseContraction,
  ours: Float64Array,
  theirs: Float64Array,
  results: Float64Array,
  isFloat: boolean,
  from: number,
  to: number,
): void {
  const { groupStarts, matchStarts, matchEnds, innerSlots, resultStarts, resultSlots, slots } = contraction;
  const sums = new Float64Array(slots);
  const add = isFloat ? addFloatProducts : addProducts;
  const [first, firstResult] = [intAt(groupStarts, from), intAt(resultStarts, from)];
  for (let group = from; group < to; group++) {
    const end = intAt(groupStarts, group + 1);
    for (let at = intAt(groupStarts, group); at < end; at++) {
      const cell = numberAt(ours, at - first);
      add(sums, innerSlots, cell, theirs, intAt(matchStarts, at), intAt(matchEnds, at));
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

/** Blocks of any size, wherever they are. */
function sumBlocks(
  contraction: SparseContraction,
  outer: RowBlocks,
  inner: RowBlocks,
  { target, block, isFloat }: SumOperands,
  from: number,
  to: number,
): void {
  const { groupStarts, outerRows, matchStarts, matchEnds, innerRows, innerSlots } = contraction;
  const { resultStarts, resultSlots, resultRows, slots } = contraction;
  const sums = new Float64Array(slots * block);
  for (let group = from; group < to; group++) {
    const end = intAt(groupStarts, group + 1);
    for (let at = intAt(groupStarts, group); at < end; at++) {
      const ours = outer.start + rowAt(outerRows, at) * outer.row;
      const stop = intAt(matchEnds, at);
      for (let position = intAt(matchStarts, at); position < stop; position++) {
        const theirs = inner.start + rowAt(innerRows, position) * inner.row;
        addBlock(sums, intAt(innerSlots, position) * block, block, outer, ours, inner, theirs, isFloat);
      }
    }
    const stop = intAt(resultStarts, group + 1);
    for (let at = intAt(resultStarts, group); at < stop; at++) {
      const slot = intAt(resultSlots, at) * block;
      const first = target.start + rowAt(resultRows, at) * target.row;
      for (let cell = 0; cell < block; cell++) {
        target.cells[first + cell * target.step] = numberAt(sums, slot + cell);
        sums[slot + cell] = 0;
      }
    }
  }
}

function addBlock(
  sums: Float64Array,
  slot: number,
  block: number,
  { cells, step }: RowBlocks,
  ours: number,
  { cells: others, step: otherStep }: RowBlocks,
  theirs: number,
  isFloat: boolean,
): void {
  let [at, other] = [ours, theirs];
  for (let sum = slot; sum < slot + block; sum++) {
    const product = cellAt(cells, at) * cellAt(others, other);
    sums[sum] = numberAt(sums, sum) + (isFloat ? Math.fround(product) : product);
    at += step;
    other += otherStep;
  }
}
