import { mapTuple } from "../../../language/source/lists.js";
import type { SqlDialect } from "../dialect.js";
import { backslashed, dialectOf, digits, quoted, replacedTable, rowTexts } from "./standard.js";

/** BigQuery, as its documentation has it. There is no product of a group, no FILTER, and no float of 32 bits. */
const number = (value: number): string =>
  Number.isFinite(value)
    ? `CAST('${digits(value)}' AS FLOAT64)`
    : `CAST('${Number.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf"}' AS FLOAT64)`;
const numbers = (v: string): string => `IF(is_nan(${v}), NULL, ${v})`;
const [nan, infinity, negativeInfinity] = mapTuple(
  [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  number,
);
const sorted = (v: string): string => `ARRAY_AGG(${v} ORDER BY ${v})`;

const identifier = (name: string): string =>
  quoted(name.replaceAll("\\", "\\\\").replaceAll("`", "\\`"), "`");

export const bigquery: SqlDialect = dialectOf(
  {
    name: "bigquery",
    title: "BigQuery",
    isRun: false,
    identifier,
    text: backslashed,
    number,
    types: { label: "STRING", index: "INT64", number: "FLOAT64" },
    shared: "",
    range: (size, column) => `(SELECT n AS ${column} FROM UNNEST(GENERATE_ARRAY(0, ${size - 1})) AS n)`,
    upTo: (last, column) => `(SELECT n AS ${column} FROM UNNEST(GENERATE_ARRAY(0, ${last})) AS n)`,
    rows: (columns, rows) => {
      const names = columns.map(({ name }) => name).join(", ");
      const types = columns.map(({ name, type }) => `${name} ${type}`).join(", ");
      return `SELECT ${names}\nFROM UNNEST(ARRAY<STRUCT<${types}>>[\n  ${rowTexts(rows)}\n])`;
    },
    isNaN: (x) => `is_nan(${x})`,
    greatWhole: (x) => `CAST(CAST(${x} AS BIGNUMERIC) AS STRING)`,
    asFloat: undefined,
    greatest: (x, y) => `greatest(${x}, ${y})`,
    bitCount: (x, y) => `CAST(BIT_COUNT(CAST(${x} AS INT64) ^ CAST(${y} AS INT64)) AS FLOAT64)`,
    logarithmOf2: (x) => `log(${x}, 2)`,
  },
  {
    writeTable: replacedTable(identifier),
    quotient: (x, y) => `DIV(${x}, ${y})`,
    arrayLength: (array) => `array_length(${array})`,
    unnest: (array, alias, position, element) =>
      `CROSS JOIN (SELECT ${element}, ${position} FROM UNNEST(${array}) AS ${element} WITH OFFSET AS ${position}) AS ${alias}`,
    scalars: {
      divide: (x, y) => `IEEE_DIVIDE(${x}, ${y})`,
      fmod: (x, y) => `(${x} - ${y} * trunc(IEEE_DIVIDE(${x}, ${y})))`,
    },
    aggregates: {
      avg: (v) => `sum(${v}) / count(*)`,
      max: (v) => `coalesce(max(${numbers(v)}), ${negativeInfinity})`,
      min: (v) => `coalesce(min(${numbers(v)}), ${infinity})`,
      median: (v) =>
        `CASE WHEN logical_or(is_nan(${v})) THEN ${nan} ELSE (${sorted(v)}[OFFSET(DIV(count(*) - 1, 2))] + ${sorted(v)}[OFFSET(DIV(count(*), 2))]) / 2 END`,
      prod: undefined,
      vespaMax: undefined,
      vespaMin: undefined,
    },
  },
);
