import { keysOf } from "../source/lists.js";
import type { ScalarName } from "./functions.js";

/**
 * The comparisons of two numbers by their order. Of NaN each is 0, except `notEqual`, so that none but `equal` and `notEqual` is the
 * negation of another. (`approximately` allows for rounding, and is none of them.)
 */
export interface Comparison {
  /** The comparison that says the same of the two numbers in the other order. */
  readonly mirrored: ComparisonName;
  /** The position of the number that is below the other one; absent where either may be. */
  readonly lower?: 0 | 1;
  /** Whether it is 1 of equal numbers. */
  readonly isEqualToo: boolean;
}

type ComparisonName = "equal" | "notEqual" | "less" | "lessOrEqual" | "greater" | "greaterOrEqual";

// biome-ignore format: a table
export const comparisons = {
  equal:          { mirrored: "equal",                    isEqualToo: true },
  notEqual:       { mirrored: "notEqual",                 isEqualToo: false },
  less:           { mirrored: "greater",        lower: 0, isEqualToo: false },
  lessOrEqual:    { mirrored: "greaterOrEqual", lower: 0, isEqualToo: true },
  greater:        { mirrored: "less",           lower: 1, isEqualToo: false },
  greaterOrEqual: { mirrored: "lessOrEqual",    lower: 1, isEqualToo: true },
} satisfies Record<ComparisonName, Comparison>;

export const comparisonNames = keysOf(comparisons);

/** What a scalar function compares; nothing where it is no comparison. */
export const comparisonOf = (name: ScalarName): Comparison | undefined =>
  Object.hasOwn(comparisons, name) ? comparisons[name as ComparisonName] : undefined;
