import type { PackedForest } from "./packing.js";

/** Walks all trees of a forest, once the numbers that it depends on are there. */
export interface ForestWalk {
  /** The features, and the leaves, to be filled: not to be held on to, since memory may move. */
  readonly features: Float64Array;
  readonly leaves: Float64Array;
  /** The sum of all terms, from the first. */
  readonly run: () => number;
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
  const run = (): number => {
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
  return { features: numbers, leaves: ends, run };
}
