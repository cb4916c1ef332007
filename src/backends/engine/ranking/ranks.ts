import type { Slices } from "../../../language/limits/slices.js";
import { intAt, numberAt } from "../../../language/values/element.js";
import type { Counting } from "./counting.js";
import { leadingPositions } from "./leading.js";
import { isCounted, mostShared, positionSlices, positionsOfKeys } from "./positions.js";
import type { Seeking } from "./seeking.js";

/** What looks at cells in the memory of kernels. */
export interface RankKernels {
  readonly seeking: Seeking;
  readonly counting: Counting;
}

/** Where ranks are written. */
export type RankArray = Float64Array | Float32Array;

/**
 * Writes the rank of each cell: ties in the order in which they come, and NaN behind all numbers (D19). Ranks behind the last one that
 * is looked at may be written as infinity. In slices where there are many cells: these are copied then, and where ranks are written is asked
 * after each, as the memory may have moved. With kernels where the cells are in their memory.
 */
export function* rankSlices(
  cells: Float64Array,
  isDescending: boolean,
  lastRank: number,
  ranksNow: () => RankArray,
  kernels: RankKernels | undefined,
): Slices<void> {
  const limit = lastRank >= 0 ? Math.floor(lastRank) + 1 : 0;
  const leading = leadingPositions(cells, isDescending, limit, kernels?.seeking);
  if (leading !== undefined) {
    const ranks = ranksNow();
    ranks.fill(Number.POSITIVE_INFINITY);
    for (let rank = 0; rank < leading.length; rank++) ranks[intAt(leading, rank)] = rank;
    return;
  }
  const positions = yield* positionsOf(cells, isDescending, kernels);
  const { length } = positions;
  for (let from = 0; from < length; from += mostShared) {
    if (from > 0) yield;
    const end = Math.min(from + mostShared, length);
    const ranks = ranksNow();
    for (let rank = from; rank < end; rank++) ranks[positions[rank] as number] = rank; // one for each cell
  }
}

function* positionsOf(
  cells: Float64Array,
  isDescending: boolean,
  kernels: RankKernels | undefined,
): Slices<Int32Array> {
  const rising = isDescending ? negated(cells) : cells.length > mostShared ? cells.slice() : cells;
  const lists = isCounted(cells.length) ? kernels?.counting.ordered(cells, isDescending) : undefined;
  return lists === undefined ? yield* positionSlices(rising) : positionsOfKeys(rising, lists);
}

function negated(cells: Float64Array): Float64Array {
  const result = new Float64Array(cells.length);
  for (let at = 0; at < cells.length; at++) result[at] = -numberAt(cells, at);
  return result;
}
