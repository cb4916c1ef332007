/**
 * The aggregators of reduce (Paper 5.3.2), one row each. A group is given in canonical cell order
 * and is never empty. `vespaMax` and `vespaMin` have no name in the language: they are what dialect vespa means by
 * max and min (D17).
 */
export interface Aggregator {
  readonly aggregate: (group: Float64Array) => number;
  readonly says: string;
}

const sum = (group: Float64Array): number => group.reduce((total, value) => total + value, 0);
const row = (aggregate: Aggregator["aggregate"], says: string): Aggregator => ({ aggregate, says });

// biome-ignore format: a table
export const aggregators = {
  avg:      row((group) => sum(group) / group.length,                                "The arithmetic mean."),
  count:    row((group) => group.length,                                             "How many cells there are."),
  max:      row((group) => group.reduce((a, b) => (b > a ? b : a), Number.NEGATIVE_INFINITY), "The largest cell; NaN is ignored."),
  median:   row(median,                                                              "The middle cell, or the mean of the two middle ones; NaN if any is."),
  min:      row((group) => group.reduce((a, b) => (b < a ? b : a), Number.POSITIVE_INFINITY), "The smallest cell; NaN is ignored."),
  prod:     row((group) => group.reduce((product, value) => product * value, 1),     "The product of the cells."),
  sum:      row(sum,                                                                 "The sum of the cells."),
  vespaMax: row((group) => group.reduce((a, b) => (a < b ? b : a)),                  "As max; a NaN stays where it comes first."),
  vespaMin: row((group) => group.reduce((a, b) => (b < a ? b : a)),                  "As min; a NaN stays where it comes first."),
} satisfies Record<string, Aggregator>;

export type AggregatorName = keyof typeof aggregators;

/** The aggregators that a program may name. */
export const aggregatorNames = [
  "avg",
  "count",
  "max",
  "median",
  "min",
  "prod",
  "sum",
] as const satisfies readonly AggregatorName[];

export function aggregatorNamed(name: string): (typeof aggregatorNames)[number] | undefined {
  return aggregatorNames.find((known) => known === name);
}

function median(group: Float64Array): number {
  if (group.some(Number.isNaN)) return Number.NaN;
  const sorted = group.slice().sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
