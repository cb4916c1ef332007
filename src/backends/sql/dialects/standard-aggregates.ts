import type { SqlDialect } from "../dialect.js";
import type { Fragments } from "./fragments.js";

/** The aggregates of the standard. */
export function standardAggregates(fragments: Fragments): SqlDialect["aggregates"] {
  const { number, types, nan, infinity, negativeInfinity, isNotNumber } = fragments;
  const numbersOf = (v: string): string => `FILTER (WHERE NOT ${isNotNumber(v)})`;
  const hasNaN = (v: string): string => `bool_or(${isNotNumber(v)})`;
  const lower = (v: string): string => `percentile_disc(0.5) WITHIN GROUP (ORDER BY ${v})`;
  /** The largest or smallest of all, unless the first one is a NaN, which stays. */
  const firstOr = (name: "max" | "min", v: string, order: string): string => {
    const first = (of: string): string => `(array_agg(${of} ORDER BY ${order}))[1]`;
    return `CASE WHEN ${first(isNotNumber(v))} THEN ${nan} ELSE ${name}(${v}) ${numbersOf(v)} END`;
  };
  return {
    avg: (v) => `sum(${v}) / count(*)`,
    count: () => `CAST(count(*) AS ${types.number})`,
    max: (v) => `coalesce(max(${v}) ${numbersOf(v)}, ${negativeInfinity})`,
    median: (v) =>
      `CASE WHEN ${hasNaN(v)} THEN ${nan} WHEN count(*) % 2 = 1 THEN ${lower(v)} ELSE (${lower(v)} - ${lower(`-${v}`)}) / ${number(2)} END`,
    min: (v) => `coalesce(min(${v}) ${numbersOf(v)}, ${infinity})`,
    prod: (v, order) => `product(${v} ORDER BY ${order})`,
    sum: (v) => `sum(${v})`,
    vespaMax: (v, order) => firstOr("max", v, order),
    vespaMin: (v, order) => firstOr("min", v, order),
  };
}
