import type { NumberRange } from "./query-term.js";

/** All numbers. */
export const unbounded: NumberRange = {
  ...{ least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY },
  ...{ excludesLeast: false, excludesMost: false },
};

type RangeOperator = "=" | "<" | "<=" | ">" | ">=";

/** The numbers for which a comparison with a value holds. */
// biome-ignore format: a table
export const numberRanges: Readonly<Record<RangeOperator, (value: number) => NumberRange>> = {
  "=":  (value) => ({ ...unbounded, least: value, most: value }),
  "<":  (value) => ({ ...unbounded, most: value, excludesMost: true }),
  "<=": (value) => ({ ...unbounded, most: value }),
  ">":  (value) => ({ ...unbounded, least: value, excludesLeast: true }),
  ">=": (value) => ({ ...unbounded, least: value }),
};

export const isRangeOperator = (operator: string): operator is RangeOperator =>
  Object.hasOwn(numberRanges, operator);
