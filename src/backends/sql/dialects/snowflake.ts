import { mapTuple } from "../../../language/source/lists.js";
import type { SqlDialect } from "../dialect.js";
import {
  backslashed,
  dialectOf,
  digits,
  guardedQuotient,
  quoted,
  replacedTable,
  valuesQuery,
} from "./standard.js";

/** Snowflake, as its documentation has it. A NaN equals itself and is greater than all numbers; there is no product of a group. */
const number = (value: number): string =>
  `'${Number.isFinite(value) ? digits(value) : Number.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf"}'::FLOAT`;
const [nan, infinity, negativeInfinity] = mapTuple(
  [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  number,
);
const isNotNumber = (x: string): string => `(${x} = ${nan})`;
const numbers = (v: string): string => `IFF(${isNotNumber(v)}, NULL, ${v})`;
const lower = (v: string): string => `percentile_disc(0.5) WITHIN GROUP (ORDER BY ${v})`;

const identifier = (name: string): string => quoted(name, '"');

export const snowflake: SqlDialect = dialectOf(
  {
    name: "snowflake",
    title: "Snowflake",
    isRun: false,
    identifier,
    text: (value) => (value.includes("\0") ? undefined : backslashed(value)),
    number,
    types: { label: "VARCHAR", index: "NUMBER(38, 0)", number: "FLOAT" },
    shared: "",
    range: (size, column) =>
      `(SELECT row_number() OVER (ORDER BY NULL) - 1 AS ${column} FROM TABLE(GENERATOR(ROWCOUNT => ${size})))`,
    upTo: (last, column) =>
      `(SELECT n.VALUE AS ${column} FROM TABLE(FLATTEN(ARRAY_GENERATE_RANGE(0, ${last} + 1))) AS n)`,
    rows: valuesQuery,
    isNaN: isNotNumber,
    greatWhole: (x) => `CAST(CAST(${x} AS NUMBER(38, 0)) AS VARCHAR)`,
    asFloat: undefined,
    greatest: (x, y) => `greatest(${x}, ${y})`,
    commonBits: (x, y) => `bitand(${x}, ${y})`,
    bitCount: (x, y) => `CAST(bitcount(bitxor(CAST(${x} AS INT), CAST(${y} AS INT))) AS FLOAT)`,
    logarithmOf2: (x) => `log(2, ${x})`,
  },
  {
    writeTable: replacedTable(identifier),
    quotient: (x, y) => `trunc(${x} / ${y})`,
    scalars: { divide: guardedQuotient(number, isNotNumber, "VARCHAR") },
    arrayLength: (array) => `array_size(${array})`,
    unnest: (array, alias, position, element) =>
      `CROSS JOIN LATERAL (SELECT o.value AS ${element}, o.index AS ${position} FROM LATERAL FLATTEN(INPUT => ${array}) AS o) AS ${alias}`,
    aggregates: {
      max: (v) => `coalesce(max(${numbers(v)}), ${negativeInfinity})`,
      min: (v) => `coalesce(min(${numbers(v)}), ${infinity})`,
      median: (v) =>
        `CASE WHEN boolor_agg(${isNotNumber(v)}) THEN ${nan} WHEN count(*) % 2 = 1 THEN ${lower(v)} ELSE (${lower(v)} - ${lower(`-${v}`)}) / 2 END`,
      prod: undefined,
      vespaMax: undefined,
      vespaMin: undefined,
    },
  },
);
