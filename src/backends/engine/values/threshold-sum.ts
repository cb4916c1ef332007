import { cellsOf } from "../../../language/values/shape.js";
import type { Buffer, KeyComparison, ThresholdSum } from "./value.js";

export const readsOfThresholdSum = ({ keys, cells, thresholds }: ThresholdSum): readonly Buffer[] => [
  ...new Set([keys.slot, cells.slot, thresholds.slot]),
];

/** In words, how a key compares with its threshold. */
// biome-ignore format: a table
export const keyComparisons: Readonly<Record<KeyComparison, string>> = {
  less:           "less than",
  lessOrEqual:    "at most",
  greater:        "greater than",
  greaterOrEqual: "at least",
  equal:          "equal to",
};

/** In a few words, for a person. */
export function describeThresholdSum({ comparison, outer, line, results }: ThresholdSum): string {
  const lines = cellsOf(outer);
  return `sums of ${lines * line} cells with keys ${keyComparisons[comparison]} ${lines} times ${cellsOf(results)} thresholds`;
}
