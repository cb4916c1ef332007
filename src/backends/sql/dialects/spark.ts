import { mapTuple } from "../../../language/source/lists.js";
import type { SqlDialect } from "../dialect.js";
import { dialectOf, digits, guardedQuotient, quoted, valuesQuery } from "./standard.js";
import { decimalWhole } from "./whole-labels.js";

/**
 * Spark SQL 4. A NaN equals itself and is greater than all numbers; division by zero is an error, whole parts are integers of 64
 * bits, and the sign of a zero is lost in some functions.
 */
const number = (value: number): string => `double('${digits(value)}')`;
const isNotNumber = (x: string): string => `isnan(${x})`;
const [zero, one, nan] = mapTuple([0, 1, Number.NaN], number);
const isNegative = (x: string): string => `CAST(${x} AS STRING) LIKE '-%'`;
/** A whole part by a function whose outcome is an integer; numbers beyond 2^53 are whole, and zeros keep their signs. */
const wholePart = (name: string, x: string): string =>
  `(CASE WHEN abs(${x}) < ${number(2 ** 53)} AND ${x} <> ${zero} THEN double(${name}(${x})) ELSE ${x} END)`;
const ceiling = (x: string): string =>
  `(CASE WHEN ${x} > ${number(-1)} AND ${x} < ${zero} THEN ${number(-0)} ELSE ${wholePart("ceil", x)} END)`;
const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;

/** A text in quotes; control characters are written by their codes. */
function text(value: string): string {
  const characters = Array.from(value, (each) => {
    const code = each.charCodeAt(0);
    if (code < 0x20) return escaped(code);
    return each === "\\" || each === "'" ? `\\${each}` : each;
  });
  return `'${characters.join("")}'`;
}

export const spark: SqlDialect = dialectOf(
  {
    name: "spark",
    title: "Spark SQL",
    isRun: true,
    identifier: (name) => quoted(name, "`"),
    text,
    number,
    types: { label: "STRING", index: "BIGINT", number: "DOUBLE" },
    shared: "",
    range: (size, column) => `(SELECT id AS ${column} FROM range(${size}))`,
    upTo: (last, column) => `(SELECT explode(sequence(0L, ${last})) AS ${column})`,
    rows: valuesQuery,
    isNaN: isNotNumber,
    // trunc is of dates.
    truncate: (x) => `(CASE WHEN ${x} < ${zero} THEN ${ceiling(x)} ELSE ${wholePart("floor", x)} END)`,
    greatWhole: decimalWhole(number, "STRING"),
    asFloat: (x) => `double(float(${x}))`,
    greatest: (x, y) => `greatest(${x}, ${y})`,
    bitCount: (x, y) => `double(bit_count(CAST(${x} AS INT) ^ CAST(${y} AS INT)))`,
  },
  {
    // A time is its seconds.
    isNoNumber: (x) => `typeof(${x}) LIKE '%timestamp%'`,
    asIndex: (x) =>
      `CASE WHEN ${x} > ${number(-1)} AND ${x} < ${number(2 ** 53)} THEN CAST(${x} AS BIGINT) END`,
    quotient: (x, y) => `(${x} DIV ${y})`,
    file: (path) => {
      const format = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
      return format === "parquet" || format === "orc" ? `${format}.${quoted(path, "`")}` : undefined;
    },
    scalars: {
      divide: guardedQuotient(number, isNotNumber, "STRING"),
      floor: (x) => wholePart("floor", x),
      ceil: ceiling,
      // Its own cancels where x is below 0, and overflows.
      asinh: (x) =>
        `(CASE WHEN ${x} < ${zero} THEN ${number(-1)} ELSE ${one} END * CASE WHEN ${x} = ${zero} THEN ${x} WHEN abs(${x}) > ${number(1e150)} THEN ln(abs(${x})) + ${number(Math.LN2)} ELSE log1p(abs(${x}) + ${x} * ${x} / (${one} + sqrt(${x} * ${x} + ${one}))) END)`,
      fmod: (x, y) => `(CASE WHEN ${y} = ${zero} THEN ${nan} ELSE ${x} % ${y} END)`,
      atan2: (y, x) =>
        `(CASE WHEN ${y} = ${zero} AND NOT isnan(${x}) THEN (CASE WHEN ${x} > ${zero} OR (${x} = ${zero} AND NOT ${isNegative(x)}) THEN ${zero} ELSE ${number(Math.PI)} END) * (CASE WHEN ${isNegative(y)} THEN ${number(-1)} ELSE ${one} END) ELSE atan2(${y}, ${x}) END)`,
    },
    unnest: (array, alias, position, element) =>
      `CROSS JOIN LATERAL (SELECT o.pos AS ${position}, o.col AS ${element} FROM posexplode(${array}) AS o) AS ${alias}`,
    aggregates: {
      // Structures are sorted by their fields, the first before the others.
      prod: (v, order) =>
        `aggregate(sort_array(collect_list(struct(struct(${order}) AS o, ${v} AS v))), ${number(1)}, (a, b) -> a * b.v)`,
      vespaMax: (v, order) =>
        `CASE WHEN isnan(min_by(${v}, struct(${order}))) THEN ${number(Number.NaN)} ELSE max(${v}) FILTER (WHERE NOT isnan(${v})) END`,
      vespaMin: (v, order) =>
        `CASE WHEN isnan(min_by(${v}, struct(${order}))) THEN ${number(Number.NaN)} ELSE min(${v}) FILTER (WHERE NOT isnan(${v})) END`,
    },
  },
);
