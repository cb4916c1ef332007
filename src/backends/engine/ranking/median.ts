import { numberAt } from "../../../language/values/element.js";
import { selectRank } from "./select.js";

/**
 * The median of cells, which are moved; `reread` gives them in their order again. Zeros of either sign are equal, and have ranks in the order in
 * which they come, as all equal cells do: so where the median is a zero, its sign is that of a certain cell.
 */
export function medianOf(cells: Float64Array, reread: () => Float64Array): number {
  for (let at = 0; at < cells.length; at++) if (Number.isNaN(cells[at])) return Number.NaN;
  const middle = cells.length >> 1;
  const isOdd = cells.length % 2 === 1;
  const upper = selectRank(cells, middle);
  const lower = isOdd ? upper : largestBefore(cells, middle);
  if (upper !== 0 || lower !== 0) return isOdd ? upper : (lower + upper) / 2;
  const original = reread();
  const [below, at] = [zeroOfRank(original, middle - 1), zeroOfRank(original, middle)];
  return isOdd ? at : (below + at) / 2;
}

function largestBefore(cells: Float64Array, end: number): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < end; at++) largest = Math.max(largest, numberAt(cells, at));
  return largest;
}

/** The zero that has a rank, if one has. */
function zeroOfRank(cells: Float64Array, rank: number): number {
  let before = 0;
  for (let at = 0; at < cells.length; at++) before += +(numberAt(cells, at) < 0);
  let zero = 0;
  for (let at = 0; at < cells.length && before <= rank; at++) {
    if (cells[at] !== 0) continue;
    zero = numberAt(cells, at);
    before++;
  }
  return zero;
}
