import type { Dialect } from "./number-function.js";

/** What a group of cells becomes, in canonical order; no group is empty (4.6 of the language). */
type Aggregate = (values: readonly number[]) => number;

const sum: Aggregate = (values) => values.reduce((total, value) => total + value, 0);

function median(values: readonly number[]): number {
  if (values.some(Number.isNaN)) return Number.NaN;
  const sorted = [...values].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const [lower, upper] = [sorted.at((sorted.length - 1) >> 1), sorted.at(sorted.length >> 1)];
  if (lower === undefined || upper === undefined) throw new Error("no group is empty");
  return sorted.length % 2 === 1 ? upper : (lower + upper) / 2;
}

const common = {
  sum,
  avg: (values) => sum(values) / values.length,
  count: (values) => values.length,
  prod: (values) => values.reduce((product, value) => product * value, 1),
  median,
} satisfies Readonly<Record<string, Aggregate>>;

/** NaN is ignored, unless the dialect keeps what it began with (D17). */
export const aggregates: Readonly<Record<Dialect, Readonly<Record<string, Aggregate>>>> = {
  formalism: {
    ...common,
    max: (values) => values.reduce((most, each) => (each > most ? each : most), Number.NEGATIVE_INFINITY),
    min: (values) => values.reduce((least, each) => (each < least ? each : least), Number.POSITIVE_INFINITY),
  },
  vespa: {
    ...common,
    max: (values) => values.reduce((most, each) => (most < each ? each : most)),
    min: (values) => values.reduce((least, each) => (each < least ? each : least)),
  },
};
