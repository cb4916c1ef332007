import { cellTypes } from "../../../language/types/cell.js";
import { cellRows } from "../kernels/cell-types.js";
import { vectorReader } from "../kernels/cells.js";
import { precisions } from "../kernels/precision.js";
import type { Slot } from "../loop.js";
import { arithmeticOf } from "./arithmetic.js";
import { withOperandsSwapped } from "./axes.js";
import type { Contraction } from "./step.js";
import { withOperandTurned } from "./turned.js";

/** The methods to compute a contraction; see the README. */
export type Method = "lines" | "across" | "turned" | "packed";

export interface Choice {
  readonly method: Method;
  readonly contraction: Contraction;
}

/** Which method is fastest, and with which operand on which side; nothing where none of them is fast. */
export function choose(input: Contraction, isFixed: (slot: Slot) => boolean): Choice | undefined {
  if (areShortDots(input)) return undefined;
  const swapped = swapOperands(input);
  const { columns, rows } = input.shape.strides.target;
  for (const contraction of columns === 1 ? [input, swapped] : [swapped, input])
    if (isFastAcross(contraction, isFixed)) return { method: "across", contraction };
  for (const contraction of [input, swapped])
    if (isFastTurned(contraction, isFixed)) return { method: "turned", contraction };
  const oriented = columns !== 1 && (rows === 1 || input.shape.sizes.columns === 1) ? swapped : input;
  // A vector is the left operand: it is read again for each line of the matrix.
  if (isFastByLines(oriented, isFixed))
    return {
      method: "lines",
      contraction: oriented.shape.sizes.columns === 1 ? swapOperands(oriented) : oriented,
    };
  if (!isFastPacked(oriented)) return undefined;
  // What is packed once is the right operand.
  const { left, right } = oriented.terms;
  const isTurned = isFixed(left.slot) && !isFixed(right.slot);
  return { method: "packed", contraction: isTurned ? swapOperands(oriented) : oriented };
}

/** Many sums of few terms each, which a loop has added up by the time that a part has begun. */
function areShortDots({ terms: { term, left, right }, shape }: Contraction): boolean {
  const { batch, rows, columns, sum } = shape.sizes;
  if (rows > 1 || columns > 1 || batch < manyDots) return false;
  const areBytes = left.cellType === "int8" && right.cellType === "int8";
  return sum <= (term === "hamming" ? fewBits : areBytes ? fewBytes : fewTerms);
}

const manyDots = 16;
const fewTerms = 128;
/** Lines take eight or sixteen bytes at once, a loop as many as floats. */
const fewBytes = 64;
const fewBits = 8;

const swapOperands = ({ terms, shape }: Contraction): Contraction => ({
  terms: { ...terms, left: terms.right, right: terms.left },
  shape: withOperandsSwapped(shape),
});

/** Bytes of a right operand that stays in the first cache, or in the second one of most machines. */
const firstCacheBytes = 32_768;
const secondCacheBytes = 262_144;
/** So few rows go down a matrix in the second cache faster than it is packed. */
const fewRows = 32;

/** Down the columns of a matrix that needs no packing: for one row, or again and again while it is near. */
function isFastAcross({ terms, shape }: Contraction, isFixed: (slot: Slot) => boolean): boolean {
  const { rows, columns, sum } = shape.sizes;
  const { precision, left, right } = terms;
  const isStrided = typeof shape.strides.left.sum === "number" && typeof shape.strides.right.sum === "number";
  if (terms.term !== "product" || !isStrided || shape.strides.right.columns !== 1) return false;
  if (vectorReader(right.cellType, precision) === undefined || columns < precisions[precision].count)
    return false;
  if (rows <= 2) return true;
  if (cellRows[right.cellType].coding?.isCostly) return false;
  // Lines with gaps between them, of one head among others, say, drive each other out of the cache.
  if (rows > mostLines && sum >= shallowest && shape.strides.right.sum !== columns) return false;
  const bytes = columns * sum * cellTypes[right.cellType].width;
  // Once packed, a deep matrix is faster than one that lies as it does; so is any that is multiplied by one packed once.
  if (isFixed(right.slot) ? sum > 64 : isFixed(left.slot) && sum >= shallowest) return false;
  return bytes <= (rows <= fewRows ? secondCacheBytes : firstCacheBytes);
}

/** Of shorter sums more time goes into storing a tile than into computing it. */
const shallowest = 16;

/** The same for a small matrix that lies otherwise, where it is the same in all runs, so that it is turned once. */
function isFastTurned(contraction: Contraction, isFixed: (slot: Slot) => boolean): boolean {
  const { terms, shape } = contraction;
  const { rows, columns, sum } = shape.sizes;
  const bytes = columns * sum * cellTypes[terms.right.cellType].width;
  if (rows > 2 || bytes > firstCacheBytes || shape.strides.right.batch !== 0 || !isFixed(terms.right.slot))
    return false;
  return isFastAcross(withOperandTurned(contraction), isFixed);
}

/** Both operands have what is summed next to each other, and there is too little to do for packing to pay. */
function isFastByLines({ terms, shape }: Contraction, isFixed: (slot: Slot) => boolean): boolean {
  const { rows, columns, sum } = shape.sizes;
  const isContiguous = sum === 1 || (shape.strides.left.sum === 1 && shape.strides.right.sum === 1);
  const { term, left, right, precision } = terms;
  const types = { left: left.cellType, right: right.cellType };
  if (!isContiguous || arithmeticOf({ term, ...types, precision, fused: false }) === undefined) return false;
  if (
    Math.min(rows, columns) > 2 &&
    [left, right].some(({ cellType }) => cellRows[cellType].coding?.isCostly)
  )
    return false;
  const areBytes = types.left === "int8" && types.right === "int8";
  if (term !== "product" || areBytes || Math.min(rows, columns) <= 2) return true;
  return Math.min(rows, columns) <= mostLines && !isFixed(terms.right.slot);
}

/** From so many rows on, packing pays. */
const mostLines = 8;

/** Packing, which takes cells one by one unless they lie well, pays where each is used several times. */
const isFastPacked = ({ terms, shape }: Contraction): boolean =>
  terms.term === "product" && Math.min(shape.sizes.rows, shape.sizes.columns) >= fewestPackedLines;

const fewestPackedLines = 3;
