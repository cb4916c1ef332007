import type { SqlDialect, TypedColumn } from "../dialect.js";
import type { Template } from "../expressions/scalar-expression.js";
import { cellStoring } from "./cell-storing.js";
import type { Essentials, Exceptions } from "./essentials.js";
import { floatRoundingOf } from "./float-rounding.js";
import { fragmentsOf } from "./fragments.js";
import { standardAggregates } from "./standard-aggregates.js";
import { standardScalars } from "./standard-scalars.js";
import { labelTemplate } from "./whole-labels.js";

/**
 * A dialect from what it must say, and what it says otherwise than most: engines whose doubles are those of IEEE 754, save that
 * a NaN equals itself and is greater than all numbers, and that functions refuse what is out of their domain.
 */
export function dialectOf(essentials: Essentials, exceptions: Exceptions = {}): SqlDialect {
  const { types, number } = essentials;
  const fragments = fragmentsOf(essentials, exceptions);
  const rounding = floatRoundingOf(fragments);
  const {
    asText = (x) => `CAST(${x} AS ${types.label})`,
    asInteger = (x) => `CAST(${x} AS ${types.index})`,
  } = exceptions;
  return {
    integer: (value) => `${value}`,
    with: "WITH",
    stage: "",
    plansNestedSooner: false,
    hasComputedLimits: false,
    planning: { mostAtOnce: 24, repeatsExpressions: false },
    namesColumns: false,
    preparation: () => [],
    settings: "",
    fullJoin: "FULL OUTER JOIN",
    exactSum: (v) => `sum(${v})`,
    asNumber: (x) => `CAST(${x} AS ${types.number})`,
    asText,
    asInteger,
    asIndex: (x) =>
      `CASE WHEN ${x} > ${number(-1)} AND ${x} < ${number(2 ** 53)} THEN CAST(${fragments.truncate(x)} AS ${types.index}) END`,
    asLabel: labelTemplate({ ...essentials, ...fragments, asText, asInteger }),
    quotient: (x, y) => `(${x} / ${y})`,
    arrayLength: (array) => `cardinality(${array})`,
    unnest: (array, alias, position, cell) =>
      `CROSS JOIN LATERAL (SELECT o.${cell}, o.n - 1 AS ${position} FROM unnest(${array}) WITH ORDINALITY AS o (${cell}, n)) AS ${alias}`,
    // The query may read the table that it replaces.
    writeTable: (query, table) => {
      const path = table.split(".");
      const last = path.pop() ?? "";
      const [own, written] = [last, `sphex_new_${last}`].map((name) =>
        [...path, name].map(essentials.identifier).join("."),
      );
      return [
        `CREATE TABLE ${written} AS\n${query}`,
        `DROP TABLE IF EXISTS ${own}`,
        `ALTER TABLE ${written} RENAME TO ${essentials.identifier(last)}`,
      ];
    },
    storing: cellStoring(fragments, rounding),
    ...essentials,
    ...exceptions,
    scalars: { ...standardScalars(fragments, rounding), ...exceptions.scalars },
    aggregates: { ...standardAggregates(fragments), ...exceptions.aggregates },
  };
}

/** A quotient of an engine that divides by no zero, whose sign a text tells. */
export const guardedQuotient =
  (number: (value: number) => string, isNotNumber: Template, text: string): Template =>
  (x, y) =>
    `(CASE WHEN ${y} = ${number(0)} THEN CASE WHEN ${x} = ${number(0)} OR ${isNotNumber(x)} THEN ${number(Number.NaN)} WHEN (${x} > ${number(0)}) = (NOT CAST(${y} AS ${text}) LIKE '-%') THEN ${number(Number.POSITIVE_INFINITY)} ELSE ${number(Number.NEGATIVE_INFINITY)} END ELSE ${x} / ${y} END)`;

/** A table with the rows of a query, where an engine replaces tables, also those that the query reads. */
export const replacedTable =
  (identifier: (name: string) => string): SqlDialect["writeTable"] =>
  (query, table) => [`CREATE OR REPLACE TABLE ${table.split(".").map(identifier).join(".")} AS\n${query}`];

/** A number as JavaScript writes it, a negative zero with its sign. */
export const digits = (value: number): string => (Object.is(value, -0) ? "-0" : `${value}`);

/** A literal or a name between quotes, which are doubled inside. */
export const quoted = (text: string, quote: string): string =>
  `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;

/** A text in quotes, for engines in which a backslash begins an escape: ends of lines and NUL are such escapes. */
export const backslashed = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\0", "\\0")}'`;

/** A text in quotes, whose control characters are written by their codes: a statement is laid out in lines, and may end at a NUL. */
export function textInParts(text: string, quote: string, character: (code: number) => string): string {
  const parts: string[] = [];
  let plain = "";
  for (const each of text) {
    const code = each.charCodeAt(0);
    if (code >= 0x20) {
      plain += each;
      continue;
    }
    parts.push(quoted(plain, quote), character(code));
    plain = "";
  }
  return parts.length === 0 ? quoted(text, quote) : `(${[...parts, quoted(plain, quote)].join(" || ")})`;
}

/** The rows of a query that are written out, a line each. */
export const rowTexts = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `(${row.join(", ")})`).join(",\n  ");

/** `VALUES` as a query. */
export function valuesQuery(columns: readonly TypedColumn[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) {
    const empty = columns.map(({ name, type }) => `CAST(NULL AS ${type}) AS ${name}`);
    return `SELECT ${empty.join(", ")} WHERE 1 = 0`;
  }
  const names = columns.map(({ name }) => name).join(", ");
  return `SELECT ${names}\nFROM (VALUES\n  ${rowTexts(rows)}\n) AS r (${names})`;
}
