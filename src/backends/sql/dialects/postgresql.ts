import type { AggregatorName } from "../../../language/scalar/aggregators.js";
import { mapTuple } from "../../../language/source/lists.js";
import type { ArrayFunctions, SqlDialect, TypedColumn } from "../dialect.js";
import type { Template } from "../expressions/scalar-expression.js";
import { remainderText } from "./remainder.js";
import { dialectOf, digits, guardedQuotient, quoted, textInParts, valuesQuery } from "./standard.js";
import { greatPower } from "./whole-labels.js";

/**
 * PostgreSQL 14 and later. It compares NaN as DuckDB does, but refuses what divides by zero, overflows or underflows: division,
 * powers, exponentials and casts ask before; a sum or a product that overflows is an error of the engine, and no value. Texts
 * are ordered by their bytes.
 */
const number = (value: number): string => `'${digits(value)}'::float8`;
const [zero, one, nan, infinity] = mapTuple([0, 1, Number.NaN, Number.POSITIVE_INFINITY], number);
const negativeInfinity = number(Number.NEGATIVE_INFINITY);
const isNegative = (x: string): string => `CAST(${x} AS text) LIKE '-%'`;
// Half of the least number is an error.
const isOdd = (x: string): string =>
  `abs(${x}) >= ${one} AND abs(${x} - ${number(2)} * trunc(${x} / ${number(2)})) = ${one}`;
/** The text of a number of 2^63 and more, digit by digit: all its bits as a bigint, times a power of 2. */
const greatWhole = (x: string): string => {
  const power = greatPower(`ln(greatest(abs(${x}), ${one})) / ${number(Math.LN2)}`);
  return `CAST(trunc(CAST(CAST(${x} / power(${number(2)}, ${power}) AS bigint) AS numeric) * power(2::numeric, CAST(${power} AS numeric))) AS text)`;
};
/** Without an error where the outcome is not a normal number. */
const exponential = (x: string): string =>
  `(CASE WHEN ${x} > ${number(709.782712893384)} THEN CASE WHEN ${x} = ${nan} THEN ${nan} ELSE ${infinity} END WHEN ${x} < ${number(-745.1332191019412)} THEN ${zero} ELSE exp(${x}) END)`;

/** What PostgreSQL computes with, where an outcome may be out of the range of a double. */
export interface PostgresArithmetic {
  readonly name: string;
  readonly add: Template;
  readonly subtract: Template;
  readonly multiply: Template;
  readonly divide: Template;
  /** Of a base that is not 0 where the exponent is negative, and not negative where the exponent is no whole number. */
  readonly power: Template;
  readonly remainder: Template;
  readonly aggregates: Partial<SqlDialect["aggregates"]> & { readonly sum: Template };
  /** The statements that make what these need, of those that a text mentions; it lasts as long as the connection. */
  readonly preparation: (text: string) => readonly string[];
}

/** A sum that begins with 0, as everywhere else: of negative zeros alone it is 0, and not -0. */
const sum: Template = (v) => `(${zero} + sum(${v}))`;

/** The operators of the engine, by which what is out of range is an error. */
const operators: PostgresArithmetic = {
  name: "postgresql",
  add: (x, y) => `(${x} + ${y})`,
  subtract: (x, y) => `(${x} - ${y})`,
  multiply: (x, y) => `(${x} * ${y})`,
  divide: guardedQuotient(number, (x) => `${x} = ${nan}`, "text"),
  power: (x, y) => `power(${x}, ${y})`,
  // The root of a negative number is an error.
  remainder: (x, y) => remainderText(x, y, number, `sqrt(-abs(${x}) - abs(${y}))`),
  aggregates: {
    sum,
    avg: (v) => `${sum(v)} / count(*)`,
    prod: (v, order) => `pg_temp.sphex_product(${v} ORDER BY ${order})`,
  },
  // Multiplication as an aggregate, which there is none of.
  preparation: (text) =>
    text.includes("pg_temp.sphex_product(")
      ? [
          "CREATE OR REPLACE AGGREGATE pg_temp.sphex_product(float8) (sfunc = float8mul, stype = float8, initcond = '1')",
        ]
      : [],
};

/** PostgreSQL with an arithmetic. */
export function postgresqlWith(arithmetic: PostgresArithmetic): SqlDialect {
  const base = baseOf(arithmetic);
  return {
    ...base,
    arrays: arraysOf(base, arithmetic),
    preparation: arithmetic.preparation,
  };
}

const baseOf = ({
  name,
  add,
  subtract,
  multiply,
  divide,
  power,
  remainder,
  aggregates,
}: PostgresArithmetic): SqlDialect =>
  dialectOf(
    {
      name,
      title: "PostgreSQL",
      isRun: true,
      identifier: (name) => quoted(name, '"'),
      text: (value) => (value.includes("\0") ? undefined : textInParts(value, "'", (code) => `chr(${code})`)),
      number,
      types: { label: "text", index: "bigint", number: "float8" },
      shared: " MATERIALIZED",
      range: (size, column) =>
        `(SELECT CAST(n AS bigint) AS ${column} FROM generate_series(0, ${size - 1}) AS s (n))`,
      upTo: (last, column) =>
        `(SELECT CAST(n AS bigint) AS ${column} FROM generate_series(0, ${last}) AS s (n))`,
      rows: (columns, rows) => collated(columns, valuesQuery(columns, rows)),
      isNaN: (x) => `(${x} = ${nan})`,
      greatWhole,
      asFloat: (x) =>
        `(CASE WHEN abs(${x}) <= ${number(2 ** -150)} THEN ${x} * ${zero} ELSE CAST(CAST(${x} AS float4) AS float8) END)`,
      greatest: (x, y) => `greatest(${x}, ${y})`,
      bitCount: (x, y) =>
        `CAST(bit_count(CAST(CAST(${x} AS integer) # CAST(${y} AS integer) AS bit(8))) AS float8)`,
      logarithmOf2: (x) => `(ln(${x}) / ${number(Math.LN2)})`,
      // Exact where y is a power of 2, which is all that the standard asks for.
      modulo: (x, y) => `(${x} - ${y} * trunc(${x} / ${y}))`,
      exponential,
    },
    {
      stage: " MATERIALIZED",
      plansNestedSooner: true,
      hasComputedLimits: true,
      planning: { mostAtOnce: 2, repeatsExpressions: true },
      transaction: { begin: "BEGIN", commit: "COMMIT" },
      analyze: "EXPLAIN ANALYZE",
      asText: (x) => `CAST(${x} AS text) COLLATE "C"`,
      isOtherShape: (array, sizes) => {
        const others = sizes.map((size, at) => `array_length(${array}, ${at + 1}) <> ${size}`);
        return `(array_ndims(${array}) = ${sizes.length} AND (${others.join(" OR ")}))`;
      },
      scalars: {
        add,
        subtract,
        multiply,
        divide,
        exp: exponential,
        fmod: remainder,
        pow: (x, y) =>
          `(CASE WHEN ${y} = ${nan} OR (abs(${y}) = ${infinity} AND abs(${x}) = ${one}) THEN ${nan} WHEN ${x} < ${zero} AND abs(${y}) < ${infinity} AND ${y} <> floor(${y}) THEN CASE WHEN ${x} > ${negativeInfinity} THEN ${nan} WHEN ${y} > ${zero} THEN ${infinity} ELSE ${zero} END WHEN ${x} = ${zero} AND ${y} < ${zero} THEN CASE WHEN ${isNegative(x)} AND ${y} > ${negativeInfinity} AND ${isOdd(y)} THEN ${negativeInfinity} ELSE ${infinity} END ELSE ${power(x, y)} END)`,
      },
      exactSum: aggregates.sum,
      aggregates,
    },
  );

function arraysOf(base: SqlDialect, { multiply, aggregates }: PostgresArithmetic): ArrayFunctions {
  /** The aggregate of the elements of an array. */
  const ofElements =
    (aggregator: AggregatorName): Template =>
    (array) =>
      `(SELECT ${base.aggregates[aggregator]?.("u.e", "u.n")} FROM unnest(${array}) WITH ORDINALITY AS u (e, n))`;
  return {
    type: "float8[]",
    literal: (numbers) => `ARRAY[${numbers.join(", ")}]`,
    asNumbers: (array) => `CAST(${array} AS float8[])`,
    transform: (arrays, body) => {
      const elements = arrays.map((_, at) => `e${at}`);
      return `ARRAY(SELECT ${body(elements.map((each) => `u.${each}`))} FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS u (${elements.join(", ")}, n) ORDER BY u.n)`;
    },
    hasQuickProducts: false,
    innerProduct: (x, y) =>
      `(SELECT ${aggregates.sum(multiply("u.x", "u.y"))} FROM unnest(${x}, ${y}) AS u (x, y))`,
    aggregates: {
      sum: ofElements("sum"),
      prod: ofElements("prod"),
      median: ofElements("median"),
      max: ofElements("max"),
      min: ofElements("min"),
      vespaMax: ofElements("vespaMax"),
      vespaMin: ofElements("vespaMin"),
    },
  };
}

export const postgresql: SqlDialect = postgresqlWith(operators);

/** Rows whose texts are compared by their bytes. */
function collated(columns: readonly TypedColumn[], query: string): string {
  const names = columns.map(({ name, type }) =>
    type === "text" ? `r.${name} COLLATE "C" AS ${name}` : `r.${name}`,
  );
  return columns.some(({ type }) => type === "text")
    ? `SELECT ${names.join(", ")}\nFROM (${query}) AS r`
    : query;
}
