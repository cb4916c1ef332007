import type { SparseContraction } from "./contraction.js";
import type { RowMap } from "./factor.js";

/**
 * The numbers of a contraction: products added up, each group of rows into accumulators of its own. Run again for other
 * cells with the same rows.
 */

/** Arrays whose elements are the numbers of the cells: not the bits of bfloat16 and half, nor long. */
export type NumberArray = Float64Array | Float32Array | Int32Array | Int16Array | Int8Array;

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
  const first = contraction.groupStarts[from] ?? 0;
  const ours = gathered(outer, outerRows, first, contraction.groupStarts[to] ?? 0);
  const theirs = gathered(inner, innerRows, 0, contraction.innerSlots.length);
  const [start, end] = [contraction.resultStarts[from] ?? 0, contraction.resultStarts[to] ?? 0];
  const isInPlace = resultRows === undefined && target.row === 1 && target.cells instanceof Float64Array;
  const results = isInPlace
    ? target.cells.subarray(target.start + start, target.start + end)
    : new Float64Array(end - start);
  sumCells(contraction, ours, theirs, results, isFloat, from, to);
  if (isInPlace) return;
  for (let at = start; at < end; at++)
    target.cells[target.start + rowAt(resultRows, at) * target.row] = results[at - start] ?? 0;
}

const rowAt = (rows: RowMap, at: number): number => (rows === undefined ? at : (rows[at] ?? 0));

/** The first cells of rows, as doubles back to back, in the order they are needed: a copy, if they do not lie so. */
function gathered({ cells, start, row }: RowBlocks, rows: RowMap, from: number, to: number): Float64Array {
  if (rows === undefined && row === 1 && cells instanceof Float64Array)
    return cells.subarray(start + from, start + to);
  const result = new Float64Array(to - from);
  for (let at = from; at < to; at++) result[at - from] = cells[start + rowAt(rows, at) * row] ?? 0;
  return result;
}

/** One cell a row, all back to back: the outer ones and the results from those of the first group on. */
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
  const [first, firstResult] = [groupStarts[from] ?? 0, resultStarts[from] ?? 0];
  for (let group = from; group < to; group++) {
    const end = groupStarts[group + 1] ?? 0;
    for (let at = groupStarts[group] ?? 0; at < end; at++) {
      const cell = ours[at - first] ?? 0;
      const stop = matchEnds[at] ?? 0;
      for (let position = matchStarts[at] ?? 0; position < stop; position++) {
        const slot = innerSlots[position] ?? 0;
        const product = cell * (theirs[position] ?? 0);
        sums[slot] = (sums[slot] ?? 0) + (isFloat ? Math.fround(product) : product);
      }
    }
    const stop = resultStarts[group + 1] ?? 0;
    for (let at = resultStarts[group] ?? 0; at < stop; at++) {
      const slot = resultSlots[at] ?? 0;
      results[at - firstResult] = sums[slot] ?? 0;
      sums[slot] = 0;
    }
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
    const end = groupStarts[group + 1] ?? 0;
    for (let at = groupStarts[group] ?? 0; at < end; at++) {
      const ours = outer.start + rowAt(outerRows, at) * outer.row;
      const stop = matchEnds[at] ?? 0;
      for (let position = matchStarts[at] ?? 0; position < stop; position++) {
        const theirs = inner.start + rowAt(innerRows, position) * inner.row;
        addBlock(sums, (innerSlots[position] ?? 0) * block, block, outer, ours, inner, theirs, isFloat);
      }
    }
    const stop = resultStarts[group + 1] ?? 0;
    for (let at = resultStarts[group] ?? 0; at < stop; at++) {
      const slot = (resultSlots[at] ?? 0) * block;
      const first = target.start + rowAt(resultRows, at) * target.row;
      for (let cell = 0; cell < block; cell++) {
        target.cells[first + cell * target.step] = sums[slot + cell] ?? 0;
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
    const product = (cells[at] ?? 0) * (others[other] ?? 0);
    sums[sum] = (sums[sum] ?? 0) + (isFloat ? Math.fround(product) : product);
    at += step;
    other += otherStep;
  }
}
