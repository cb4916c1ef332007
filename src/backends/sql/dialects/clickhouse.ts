import type { SqlDialect } from "../dialect.js";
import { dialectOf, quoted } from "./standard.js";

/** ClickHouse 25 and later, as its documentation has it. Comparisons are those of IEEE 754, and an aggregate of nothing is 0. */
const number = (value: number): string =>
  Number.isNaN(value)
    ? "nan"
    : Number.isFinite(value)
      ? `toFloat64('${Object.is(value, -0) ? "-0" : value}')`
      : value > 0
        ? "inf"
        : "(-inf)";
const text = (value: string): string =>
  `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\0", "\\0")}'`;
const sorted = (v: string): string => `arraySort(groupArray(${v}))`;
const numbers = (v: string): string => `countIf(NOT isNaN(${v}))`;

export const clickhouse: SqlDialect = dialectOf(
  {
    name: "clickhouse",
    title: "ClickHouse",
    isRun: false,
    identifier: (name) => quoted(name.replaceAll("\\", "\\\\"), "`"),
    text,
    number,
    types: { label: "String", index: "Int64", number: "Float64" },
    shared: "",
    range: (size, column) => `(SELECT toInt64(number) AS ${column} FROM numbers(${size}))`,
    rows: (columns, rows) => {
      const names = columns.map(({ name }) => name).join(", ");
      const types = columns.map(({ name, type }) => `${name} ${type}`).join(", ");
      if (rows.length === 0) return `SELECT ${names}\nFROM null(${text(types)})`;
      return `SELECT ${names}\nFROM values(${text(types)},\n  ${rows.map((row) => `(${row.join(", ")})`).join(",\n  ")}\n)`;
    },
    isNaN: (x) => `isNaN(${x})`,
    asIndex: (x) =>
      `CASE WHEN ${x} > ${number(-1)} AND ${x} < ${number(2 ** 53)} THEN toInt64(trunc(${x})) END`,
    asLabel: (x) =>
      `CASE WHEN isNaN(${x}) THEN 'NaN' WHEN ${x} = inf THEN 'Infinity' WHEN ${x} = -inf THEN '-Infinity' ELSE toString(toInt256(trunc(${x}))) END`,
    asFloat: (x) => `toFloat64(toFloat32(${x}))`,
    greatest: (x, y) =>
      `(CASE WHEN isNaN(${x}) OR isNaN(${y}) THEN nan WHEN ${x} < ${y} THEN ${y} ELSE ${x} END)`,
    bitCount: (x, y) => `toFloat64(bitCount(bitXor(toUInt8(${x}), toUInt8(${y}))))`,
  },
  {
    // What an outer join lacks is NULL.
    settings: "\nSETTINGS join_use_nulls = 1",
    asText: (x) => `toString(${x})`,
    quotient: (x, y) => `intDiv(${x}, ${y})`,
    exactSum: (v) => `sumKahan(${v})`,
    scalars: { erf: (x) => `erf(${x})` },
    unnest: (array, alias, position, element) =>
      `ARRAY JOIN ${array} AS ${element}, range(length(${array})) AS ${position} /* ${alias} */`,
    aggregates: {
      max: (v) => `if(${numbers(v)} = 0, -inf, maxIf(${v}, NOT isNaN(${v})))`,
      min: (v) => `if(${numbers(v)} = 0, inf, minIf(${v}, NOT isNaN(${v})))`,
      prod: (v) => `arrayProduct(groupArray(${v}))`,
      median: (v) =>
        `if(max(isNaN(${v})), nan, (${sorted(v)}[intDiv(count() + 1, 2)] + ${sorted(v)}[intDiv(count(), 2) + 1]) / 2)`,
      vespaMax: (v, order) => `if(isNaN(argMin(${v}, tuple(${order}))), nan, maxIf(${v}, NOT isNaN(${v})))`,
      vespaMin: (v, order) => `if(isNaN(argMin(${v}, tuple(${order}))), nan, minIf(${v}, NOT isNaN(${v})))`,
    },
  },
);
