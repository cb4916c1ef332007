import { cellsOf } from "../../../language/values/shape.js";
import type { Buffer, KeyComparison, ThresholdSum } from "./value.js";

export const readsOfThresholdSum = ({ keys, cells, thresholds }: ThresholdSum): readonly Buffer[] => [
  ...new Set([keys.slot, cells.slot, thresholds.slot]),
];

/** The same comparison with its sides turned. */
// biome-ignore format: a table
export const turnedComparisons: Readonly<Record<KeyComparison, KeyComparison>> = {
  less:           "greater",
  lessOrEqual:    "greaterOrEqual",
  greater:        "less",
  greaterOrEqual: "lessOrEqual",
  equal:          "equal",
};

// biome-ignore format: a table
const words: Readonly<Record<KeyComparison, string>> = {
  less:           "less than",
  lessOrEqual:    "at most",
  greater:        "greater than",
  greaterOrEqual: "at least",
  equal:          "equal to",
};

/** In a few words, for a person. */
export function describeThresholdSum({ comparison, outer, line, results }: ThresholdSum): string {
  const lines = cellsOf(outer);
  return `sums of ${lines * line} cells with keys ${words[comparison]} ${lines} times ${cellsOf(results)} thresholds`;
}
