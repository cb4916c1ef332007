import type { SqlDialect } from "../dialect.js";
import { dialectOf, digits, quoted, textInParts, valuesQuery } from "./standard.js";
import { decimalWhole } from "./whole-labels.js";

/** Trino, as its documentation has it: comparisons and arithmetic of IEEE 754. */
const number = (value: number): string =>
  Number.isNaN(value)
    ? "nan()"
    : Number.isFinite(value)
      ? `DOUBLE '${digits(value)}'`
      : value > 0
        ? "infinity()"
        : "(-infinity())";
const sorted = (v: string): string => `array_sort(array_agg(${v}))`;

/** The first terms of the series of atanh, which are enough below 0.01. */
const area = (x: string): string => {
  const square = `(${x} * ${x})`;
  const rest = [9, 7, 5, 3].reduce(
    (terms, power) => `(${number(1 / power)} + ${square} * ${terms})`,
    number(1 / 11),
  );
  return `(${x} + ${x} * ${square} * ${rest})`;
};
/** The logarithm of x + sqrt(x² ± 1); above 10⁸ the 1 does not matter. */
const largeArea = (x: string, one: number): string =>
  `(CASE WHEN ${x} > ${number(1e8)} THEN ln(${x}) + ${number(Math.LN2)} ELSE ln(${x} + sqrt(${x} * ${x} + ${number(one)})) END)`;

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
    upTo: (last, column) => `(SELECT n AS ${column} FROM UNNEST(sequence(0, ${last})) AS s (n))`,
    rows: valuesQuery,
    isNaN: (x) => `is_nan(${x})`,
    truncate: (x) => `truncate(${x})`,
    greatWhole: decimalWhole(number, "VARCHAR"),
    asFloat: (x) => `CAST(CAST(${x} AS REAL) AS DOUBLE)`,
    greatest: (x, y) =>
      `(CASE WHEN is_nan(${x}) OR is_nan(${y}) THEN nan() WHEN ${x} < ${y} THEN ${y} ELSE ${x} END)`,
    commonBits: (x, y) => `bitwise_and(${x}, ${y})`,
    bitCount: (x, y) =>
      `CAST(bit_count(bitwise_xor(CAST(${x} AS BIGINT), CAST(${y} AS BIGINT)), 64) AS DOUBLE)`,
  },
  {
    scalars: {
      // There are no inverses of hyperbolic functions.
      acosh: (x) => `(CASE WHEN ${x} >= ${number(1)} THEN ${largeArea(x, -1)} ELSE nan() END)`,
      asinh: (x) =>
        `(CASE WHEN abs(${x}) < ${number(0.01)} THEN ${area(`(${x} / sqrt(${number(1)} + ${x} * ${x}))`)} ELSE sign(${x}) * ${largeArea(`abs(${x})`, 1)} END)`,
      atanh: (x) =>
        `(CASE WHEN abs(${x}) < ${number(0.01)} THEN ${area(x)} WHEN abs(${x}) < ${number(1)} THEN ln((${number(1)} + ${x}) / (${number(1)} - ${x})) / ${number(2)} WHEN abs(${x}) = ${number(1)} THEN ${x} * infinity() ELSE nan() END)`,
    },
    aggregates: {
      prod: (v, order) => `reduce(array_agg(${v} ORDER BY ${order}), ${number(1)}, (a, b) -> a * b, a -> a)`,
      median: (v) =>
        `CASE WHEN bool_or(is_nan(${v})) THEN nan() ELSE (${sorted(v)}[(count(*) + 1) / 2] + ${sorted(v)}[count(*) / 2 + 1]) / 2 END`,
    },
  },
);
