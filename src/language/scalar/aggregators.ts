/**
 * The aggregators of reduce (Paper 5.3.2), one row each. Cells come in canonical order and there is at least one: a
 * fold begins with `start`, or with the first cell where it has none, takes one step a cell, and ends with `finish`. The
 * median looks at all cells together. `vespaMax` and `vespaMin` have no name in the language: they are what dialect
 * vespa means by max and min, where a NaN stays if it comes first (D17).
 */
export interface Fold {
  readonly start?: number;
  readonly step: (total: number, cell: number) => number;
  readonly finish?: (total: number, count: number) => number;
  /** A sum: what rounding loses at each step is added at the end. */
  readonly compensated?: true;
  readonly description: string;
}

export interface Ranking {
  /** The value of a group from its cells by rank, the smallest first; no NaN is among them. */
  readonly ofSorted: (cellAt: (rank: number) => number, count: number) => number;
  readonly description: string;
}

// biome-ignore format: a table
export const aggregators = {
  avg:      { start: 0,         step: (a, b) => a + b,           compensated: true, finish: (total, count) => total / count, description: "The arithmetic mean." },
  count:    { start: 0,         step: (a) => a + 1,              description: "How many cells there are." },
  max:      { start: -Infinity, step: (a, b) => (b > a ? b : a), description: "The largest cell; NaN is ignored." },
  median:   { ofSorted: middle,                                  description: "The middle cell, or the mean of the two middle ones; NaN if any is." },
  min:      { start: Infinity,  step: (a, b) => (b < a ? b : a), description: "The smallest cell; NaN is ignored." },
  prod:     { start: 1,         step: (a, b) => a * b,           description: "The product of the cells." },
  sum:      { start: 0,         step: (a, b) => a + b,           compensated: true, description: "The sum of the cells." },
  vespaMax: {                   step: (a, b) => (a < b ? b : a), description: "As max; a NaN stays where it comes first." },
  vespaMin: {                   step: (a, b) => (b < a ? b : a), description: "As min; a NaN stays where it comes first." },
} satisfies Record<string, Fold | Ranking>;

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

function middle(cellAt: (rank: number) => number, count: number): number {
  const upper = cellAt(count >> 1);
  return count % 2 === 1 ? upper : (cellAt((count >> 1) - 1) + upper) / 2;
}
