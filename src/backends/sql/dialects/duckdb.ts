import type { FileColumn, SqlDialect } from "../dialect.js";
import { dialectOf, quoted, replacedTable, textInParts, valuesQuery } from "./standard.js";

const numbersIn = (array: string): string => `list_filter(${array}, lambda e: NOT isnan(e))`;

/** The element in the middle of a sorted list, or between the two there; a NaN is the last one. */
const middle = (sorted: string): string =>
  `CASE WHEN isnan(${sorted}[-1]) THEN 'NaN'::DOUBLE WHEN len(${sorted}) % 2 = 1 THEN ${sorted}[len(${sorted}) // 2 + 1] ELSE (${sorted}[len(${sorted}) // 2] + ${sorted}[len(${sorted}) // 2 + 1]) / 2e0 END`;

/**
 * Labels are what is written: 01, dates, an empty text between quotes and #1 are no numbers, other dates, NULL, or a comment. No
 * line is left out, as are those that have fewer fields than the lines that follow, unless a number says how many.
 */
const commaSeparated = `, all_varchar = true, skip = 0, quote = '"', escape = '"', comment = '', allow_quoted_nulls = false`;
const endingOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1).toLowerCase();
/** Whether a path is a pattern, or within folders whose names are labels. */
const hasSeveralFiles = (path: string): boolean => ["*", "?", "[", "="].some((each) => path.includes(each));
/** The first file does not decide for others that 2.5 is 3, nor whole numbers in all names of folders that 01 is 1. */
const severalFiles = ", union_by_name = true, hive_types_autocast = false";
const asWritten = (columns: readonly FileColumn[]): string => {
  const types = columns.map(
    ({ name, isArray }) => `${quoted(name, "'")}: '${isArray ? "DOUBLE[]" : "VARCHAR"}'`,
  );
  return `, columns = {${types.join(", ")}}`;
};

const identifier = (name: string): string => quoted(name, '"');

/** DuckDB 1.4 and later. A NaN equals itself and is greater than all numbers; division and overflow are as in IEEE 754. */
export const duckdb: SqlDialect = dialectOf(
  {
    name: "duckdb",
    title: "DuckDB",
    isRun: true,
    identifier,
    text: (value) => textInParts(value, "'", (code) => `chr(${code})`),
    number: (value) => {
      if (!Number.isFinite(value)) return `'${value}'::DOUBLE`;
      const text = Object.is(value, -0) ? "-0e0" : `${value}`.includes("e") ? `${value}` : `${value}e0`;
      return text.startsWith("-") ? `(${text})` : text;
    },
    types: { label: "VARCHAR", index: "BIGINT", number: "DOUBLE" },
    shared: " MATERIALIZED",
    range: (size, column) => `(SELECT range AS ${column} FROM range(${size}))`,
    upTo: (last, column) => `(SELECT unnest(range(${last} + 1)) AS ${column})`,
    rows: valuesQuery,
    isNaN: (x) => `isnan(${x})`,
    greatWhole: (x) => `CAST(CAST(${x} AS BIGNUM) AS VARCHAR)`,
    asFloat: (x) => `CAST(CAST(${x} AS FLOAT) AS DOUBLE)`,
    greatest: (x, y) => `greatest(${x}, ${y})`,
    bitCount: (x, y) => `CAST(bit_count(xor(CAST(${x} AS INTEGER), CAST(${y} AS INTEGER))) AS DOUBLE)`,
  },
  {
    plansNestedSooner: true,
    hasComputedLimits: true,
    file: (path, columns) => {
      const ending = endingOf(path);
      const file = quoted(path, "'");
      if (ending === "parquet") return `read_parquet(${file}${hasSeveralFiles(path) ? severalFiles : ""})`;
      if (ending === "json") return `read_json(${file}${asWritten(columns)})`;
      return `read_csv(${file}, header = true${commaSeparated})`;
    },
    columnNames: {
      query: (query) => `SELECT column_name FROM (DESCRIBE ${query}\n)`,
      file: (path) => {
        const ending = endingOf(path);
        const file = quoted(path, "'");
        if (ending === "parquet")
          return `SELECT split_part(path_in_schema, ', ', 1) AS name FROM parquet_metadata(${file}) GROUP BY name ORDER BY min(column_id)`;
        // The first line of a file as one of its rows.
        return ending === "json"
          ? undefined
          : `SELECT unnest([*COLUMNS(*)]) FROM (SELECT * FROM read_csv(${file}, header = false${commaSeparated}) LIMIT 1)`;
      },
    },
    columnTypes: (path) =>
      endingOf(path) === "parquet" && hasSeveralFiles(path)
        ? `SELECT DISTINCT name, duckdb_type FROM parquet_schema(${quoted(path, "'")}) WHERE duckdb_type IS NOT NULL ORDER BY ALL`
        : undefined,
    // The bits of a double.
    isNoNumber: (x) => `typeof(${x}) LIKE 'BIT%'`,
    // A column may have a collation, by which different texts are equal.
    asText: (x) => `CAST(${x} AS VARCHAR) COLLATE "binary"`,
    asIndex: (x) =>
      `CASE WHEN ${x} > -1e0 AND ${x} < 9007199254740992e0 THEN CAST(trunc(${x}) AS BIGINT) END`,
    writeTable: replacedTable(identifier),
    quotient: (x, y) => `(${x} // ${y})`,
    transaction: { begin: "BEGIN", commit: "COMMIT" },
    analyze: "EXPLAIN ANALYZE",
    arrays: {
      type: "DOUBLE[]",
      literal: (numbers) => `[${numbers.join(", ")}]`,
      asNumbers: (array) => `CAST(${array} AS DOUBLE[])`,
      transform: ([first = "", ...others], body) =>
        others.length === 0
          ? `list_transform(${first}, lambda e: ${body(["e"])})`
          : `list_transform(list_zip(${[first, ...others].join(", ")}), lambda e: ${body([first, ...others].map((_, at) => `e[${at + 1}]`))})`,
      ofParts: (array, parts, size, value) =>
        `list_transform(range(${parts}), lambda p: ${value(`list_slice(${array}, p * ${size} + 1, (p + 1) * ${size})`)})`,
      hasQuickProducts: true,
      innerProduct: (x, y) => `list_inner_product(${x}, ${y})`,
      aggregates: {
        sum: (array) => `list_sum(${array})`,
        prod: (array) => `list_product(${array})`,
        median: (array) => middle(`list_sort(${array})`),
        max: (array) => `coalesce(list_max(${numbersIn(array)}), '-Infinity'::DOUBLE)`,
        min: (array) => `coalesce(list_min(${numbersIn(array)}), 'Infinity'::DOUBLE)`,
        vespaMax: (array) =>
          `CASE WHEN isnan(${array}[1]) THEN 'NaN'::DOUBLE ELSE list_max(${numbersIn(array)}) END`,
        vespaMin: (array) =>
          `CASE WHEN isnan(${array}[1]) THEN 'NaN'::DOUBLE ELSE list_min(${numbersIn(array)}) END`,
      },
    },
    arrayLength: (array) => `len(${array})`,
    // The list that is written in a text, too.
    unnest: (array, alias, position, element) =>
      `CROSS JOIN LATERAL (SELECT unnest(CAST(${array} AS DOUBLE[])) AS ${element}, generate_subscripts(CAST(${array} AS DOUBLE[]), 1) - 1 AS ${position}) AS ${alias}`,
    writeFile: (query, path, format) =>
      `COPY (\n${query}\n) TO ${quoted(path, "'")} (FORMAT ${format === "csv" ? "csv, HEADER" : format})`,
    exactSum: (v) => `fsum(${v})`,
    aggregates: {
      // A NaN is greater than all numbers, and of nothing but NaN the least is one.
      max: (v) => `(-least(min(-${v}), 'Infinity'::DOUBLE))`,
      min: (v) => `least(min(${v}), 'Infinity'::DOUBLE)`,
      median: (v) =>
        `CASE WHEN bool_or(isnan(${v})) THEN 'NaN'::DOUBLE WHEN count(*) % 2 = 1 THEN quantile_disc(${v}, 0.5) ELSE (quantile_disc(${v}, 0.5) - quantile_disc(-${v}, 0.5)) / 2e0 END`,
      vespaMax: (v, order) =>
        `CASE WHEN first(isnan(${v}) ORDER BY ${order}) THEN 'NaN'::DOUBLE ELSE max(${v}) FILTER (WHERE NOT isnan(${v})) END`,
      vespaMin: (v, order) =>
        `CASE WHEN first(isnan(${v}) ORDER BY ${order}) THEN 'NaN'::DOUBLE ELSE min(${v}) FILTER (WHERE NOT isnan(${v})) END`,
    },
  },
);
