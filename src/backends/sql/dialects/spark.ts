import type { SqlDialect } from "../dialect.js";
import { dialectOf, guardedQuotient, quoted, valuesQuery } from "./standard.js";

/** Spark SQL 4, as its documentation has it. A NaN equals itself and is greater than all numbers; division by zero is an error. */
const number = (value: number): string =>
  Number.isFinite(value) ? `double('${Object.is(value, -0) ? "-0" : value}')` : `double('${value}')`;
const isNotNumber = (x: string): string => `isnan(${x})`;

export const spark: SqlDialect = dialectOf(
  {
    name: "spark",
    title: "Spark SQL",
    isRun: false,
    identifier: (name) => quoted(name, "`"),
    text: (value) =>
      `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\0", "\\0")}'`,
    number,
    types: { label: "STRING", index: "BIGINT", number: "DOUBLE" },
    shared: "",
    range: (size, column) => `(SELECT id AS ${column} FROM range(${size}))`,
    upTo: (last, column) => `(SELECT explode(sequence(0L, ${last})) AS ${column})`,
    rows: valuesQuery,
    isNaN: isNotNumber,
    // trunc is of dates, and the whole numbers of ceil and floor have 64 bits.
    truncate: (x) => `(CASE WHEN ${x} < ${number(0)} THEN double(ceil(${x})) ELSE double(floor(${x})) END)`,
    asIndex: (x) =>
      `CASE WHEN ${x} > ${number(-1)} AND ${x} < ${number(2 ** 53)} THEN CAST(${x} AS BIGINT) END`,
    asLabel: (x) =>
      `CASE WHEN isnan(${x}) THEN 'NaN' WHEN abs(${x}) < ${number(2 ** 63)} THEN CAST(CAST(${x} AS BIGINT) AS STRING) END`,
    asFloat: (x) => `double(float(${x}))`,
    greatest: (x, y) => `greatest(${x}, ${y})`,
    bitCount: (x, y) => `double(bit_count(CAST(${x} AS INT) ^ CAST(${y} AS INT)))`,
  },
  {
    quotient: (x, y) => `(${x} DIV ${y})`,
    scalars: { divide: guardedQuotient(number, isNotNumber, "STRING") },
    unnest: (array, alias, position, element) =>
      `CROSS JOIN LATERAL (SELECT o.pos AS ${position}, o.col AS ${element} FROM posexplode(${array}) AS o) AS ${alias}`,
    aggregates: {
      prod: (v) => `aggregate(collect_list(${v}), ${number(1)}, (a, b) -> a * b)`,
      vespaMax: (v, order) =>
        `CASE WHEN isnan(min_by(${v}, struct(${order}))) THEN ${number(Number.NaN)} ELSE max(${v}) FILTER (WHERE NOT isnan(${v})) END`,
      vespaMin: (v, order) =>
        `CASE WHEN isnan(min_by(${v}, struct(${order}))) THEN ${number(Number.NaN)} ELSE min(${v}) FILTER (WHERE NOT isnan(${v})) END`,
    },
  },
);
