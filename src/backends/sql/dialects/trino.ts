import type { SqlDialect } from "../dialect.js";
import { dialectOf, quoted, textInParts, valuesQuery } from "./standard.js";

/** Trino, as its documentation has it: comparisons and arithmetic of IEEE 754. */
const number = (value: number): string =>
  Number.isNaN(value)
    ? "nan()"
    : Number.isFinite(value)
      ? `DOUBLE '${Object.is(value, -0) ? "-0" : value}'`
      : value > 0
        ? "infinity()"
        : "(-infinity())";
const sorted = (v: string): string => `array_sort(array_agg(${v}))`;

export const trino: SqlDialect = dialectOf(
  {
    name: "trino",
    title: "Trino",
    isRun: false,
    identifier: (name) => quoted(name, '"'),
    text: (value) => textInParts(value, "'", (code) => `chr(${code})`),
    number,
    types: { label: "VARCHAR", index: "BIGINT", number: "DOUBLE" },
    shared: "",
    range: (size, column) => `(SELECT n AS ${column} FROM UNNEST(sequence(0, ${size - 1})) AS s (n))`,
    rows: valuesQuery,
    isNaN: (x) => `is_nan(${x})`,
    truncate: (x) => `truncate(${x})`,
    asIndex: (x) =>
      `CASE WHEN ${x} > ${number(-1)} AND ${x} < ${number(2 ** 53)} THEN CAST(truncate(${x}) AS BIGINT) END`,
    asLabel: (x) =>
      `CASE WHEN is_nan(${x}) THEN 'NaN' WHEN abs(${x}) < ${number(2 ** 63)} THEN CAST(CAST(truncate(${x}) AS BIGINT) AS VARCHAR) END`,
    asFloat: (x) => `CAST(CAST(${x} AS REAL) AS DOUBLE)`,
    greatest: (x, y) =>
      `(CASE WHEN is_nan(${x}) OR is_nan(${y}) THEN nan() WHEN ${x} < ${y} THEN ${y} ELSE ${x} END)`,
    bitCount: (x, y) =>
      `CAST(bit_count(bitwise_xor(CAST(${x} AS BIGINT), CAST(${y} AS BIGINT)), 64) AS DOUBLE)`,
  },
  {
    aggregates: {
      prod: (v) => `reduce_agg(${v}, ${number(1)}, (a, b) -> a * b, (a, b) -> a * b)`,
      median: (v) =>
        `CASE WHEN bool_or(is_nan(${v})) THEN nan() ELSE (${sorted(v)}[(count(*) + 1) / 2] + ${sorted(v)}[count(*) / 2 + 1]) / 2 END`,
    },
  },
);
