import type { PackedForest } from "./packing.js";

/** Walks all trees of a forest, for some cells at once, once the numbers that it depends on are there. */
export interface ForestWalk {
  /** The most cells at once. */
  readonly most: number;
  /** The features of a cell behind those of another, to be filled: not to be held on to, since memory may move. */
  readonly features: Float64Array;
  /** To be filled where leaves are computed, which then are those of one cell. */
  readonly leaves: Float64Array;
  /** Writes the sum of all terms, from the first, of so many cells to results from an index on. */
  readonly run: (cells: number, results: Float64Array, at: number) => void;
}

/** The walk without generated code. */
export function interpretedWalk({
  feature,
  threshold,
  next,
  roots,
  features,
  leaves,
}: PackedForest): ForestWalk {
  const [numbers, ends] = [new Float64Array(features.length), leaves.slice()];
  const walk = (): number => {
    // -0 changes no number that it is added to.
    let sum = -0;
    for (let term = 0; term < roots.length; term++) {
      let at = roots[term] as number; // there is one for each term, and all that it leads to is there
      while (at >= 0) {
        const isBelow = (numbers[feature[at] as number] as number) < (threshold[at] as number);
        at = next[2 * at + (isBelow ? 1 : 0)] as number;
      }
      sum += ends[~at] as number;
    }
    return sum;
  };
  return walkOfOne(numbers, ends, walk);
}

/** A walk for one cell at once. */
export const walkOfOne = (features: Float64Array, leaves: Float64Array, walk: () => number): ForestWalk => ({
  most: 1,
  features,
  leaves,
  run: (_, results, at) => {
    results[at] = walk();
  },
});
