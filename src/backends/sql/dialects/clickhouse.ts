import type { SqlDialect } from "../dialect.js";
import { remainderText } from "./remainder.js";
import { backslashed, dialectOf, digits, quoted, rowTexts } from "./standard.js";
import { greatPower } from "./whole-labels.js";

/** ClickHouse 26.3 and later. Comparisons are those of IEEE 754, and an aggregate of nothing is 0. */
const number = (value: number): string =>
  Number.isNaN(value)
    ? "nan"
    : Number.isFinite(value)
      ? `toFloat64('${digits(value)}')`
      : value > 0
        ? "inf"
        : "(-inf)";
const identifier = (name: string): string => quoted(name.replaceAll("\\", "\\\\"), "`");
const sorted = (v: string): string => `arraySort(groupArray(${v}))`;
/** The element in the middle of so many in order, or between the two there. */
const middle = (sorted: string, count: string): string =>
  `if(${count} % 2 = 1, ${sorted}[intDiv(${count}, 2) + 1], (${sorted}[intDiv(${count}, 2)] + ${sorted}[intDiv(${count}, 2) + 1]) / 2)`;
const numberCount = (array: string): string => `arrayCount(e -> NOT isNaN(e), ${array})`;
const numbersIn = (array: string): string => `arrayFilter(e -> NOT isNaN(e), ${array})`;
const numbers = (v: string): string => `countIf(NOT isNaN(${v}))`;

/** Its own is as exact as the number 1, and not as what it computes: of a small number it is a continued fraction (Lambert 1770). */
const tanh = (x: string): string => {
  const fraction = [5, 7, 9, 11, 13, 15].reduceRight(
    (rest, each) => `(${each} + ${x} * ${x} / ${rest})`,
    "17",
  );
  return `(CASE WHEN abs(${x}) < ${number(0.5)} THEN ${x} / (1 + ${x} * ${x} / (3 + ${x} * ${x} / ${fraction})) ELSE tanh(${x}) END)`;
};

/**
 * Its power is off where the outcome is beyond what a double holds: there the outcome follows from the sign. It takes the root of
 * the least numbers wrongly, and knows no sign of a zero.
 */
const power = (x: string, y: string): string => {
  const bits = `${y} * log2(abs(${x}))`;
  const sign = `(CASE WHEN (${x} < ${number(0)} OR ${number(1)} / ${x} < ${number(0)}) AND abs(${y} - ${number(2)} * trunc(${y} / ${number(2)})) = ${number(1)} THEN ${number(-1)} ELSE ${number(1)} END)`;
  const isRoot = `${x} < ${number(0)} AND ${x} > -inf AND floor(${y}) <> ${y}`;
  return `(CASE WHEN isNaN(${y}) OR (abs(${y}) = inf AND abs(${x}) = ${number(1)}) OR (${isRoot}) THEN nan WHEN ${bits} > ${number(1100)} THEN ${sign} * inf WHEN ${bits} < ${number(-1100)} THEN ${sign} * ${number(0)} WHEN abs(${x}) < ${number(2 ** -1022)} THEN power(${x} * ${number(2 ** 200)}, ${y}) * power(${number(2)}, ${number(-200)} * ${y}) ELSE power(${x}, ${y}) END)`;
};

/** Its own integer of a double beyond 64 bits is off: all bits as one of 64, times a power of 2, as long as 256 bits hold it. */
const greatWhole = (x: string): string => {
  const power = greatPower(`log2(abs(${x}))`);
  const whole = `toInt256(toInt64(${x} / power(${number(2)}, ${power}))) * bitShiftLeft(toInt256(1), toUInt8(${power}))`;
  // Which branch is computed for which rows is not certain.
  const isTooLarge = `throwIf(abs(${x}) >= ${number(2 ** 255)} AND abs(${x}) < inf, 'the number of a label is too large')`;
  return `toString(${whole} + ${isTooLarge})`;
};

export const clickhouse: SqlDialect = dialectOf(
  {
    name: "clickhouse",
    title: "ClickHouse",
    isRun: true,
    identifier,
    text: backslashed,
    number,
    types: { label: "String", index: "Int64", number: "Float64" },
    shared: " MATERIALIZED",
    range: (size, column) => `(SELECT toInt64(number) AS ${column} FROM numbers(${size}))`,
    upTo: (last, column) =>
      `(SELECT toInt64(arrayJoin(range(toUInt64(coalesce(${last}, -1) + 1)))) AS ${column})`,
    rows: (columns, rows) => {
      const names = columns.map(({ name }) => name).join(", ");
      const types = columns.map(({ name, type }) => `${name} ${type}`).join(", ");
      if (rows.length === 0) return `SELECT ${names}\nFROM null(${backslashed(types)})`;
      return `SELECT ${names}\nFROM values(${backslashed(types)},\n  ${rowTexts(rows)}\n)`;
    },
    isNaN: (x) => `isNaN(${x})`,
    greatWhole,
    asFloat: (x) => `toFloat64(toFloat32(${x}))`,
    greatest: (x, y) =>
      `(CASE WHEN isNaN(${x}) OR isNaN(${y}) THEN nan WHEN ${x} < ${y} THEN ${y} ELSE ${x} END)`,
    // Exact where y is a power of 2, which is all that the standard asks for.
    modulo: (x, y) => `(${x} - ${y} * trunc(${x} / ${y}))`,
    commonBits: (x, y) => `bitAnd(${x}, ${y})`,
    bitCount: (x, y) => `toFloat64(bitCount(bitXor(toUInt8(${x}), toUInt8(${y}))))`,
  },
  {
    namesColumns: true,
    // What an outer join lacks is NULL, and so is what a cast makes of a NULL; what is used twice is computed once.
    settings: "\nSETTINGS join_use_nulls = 1, cast_keep_nullable = 1, enable_materialized_cte = 1",
    // Dates are days, and the elements of an enumeration are codes.
    isNoNumber: (x) => `match(toTypeName(${x}), 'Date|Enum|Time')`,
    arrayLength: (array) => `length(${array})`,
    writeTable: (query, table) => [
      `CREATE OR REPLACE TABLE ${table.split(".").map(identifier).join(".")} ENGINE = MergeTree ORDER BY tuple() AS\n${query}`,
    ],
    asText: (x) => `toString(${x})`,
    asIndex: (x) =>
      `CASE WHEN ${x} > ${number(-1)} AND ${x} < ${number(2 ** 53)} THEN toInt64(trunc(${x})) END`,
    quotient: (x, y) => `intDiv(${x}, ${y})`,
    arrays: {
      type: "Array(Float64)",
      literal: (numbers) => `[${numbers.join(", ")}]`,
      asNumbers: (array) => `CAST(${array} AS Array(Float64))`,
      asNullableNumbers: (array) => `CAST(${array} AS Array(Nullable(Float64)))`,
      transform: (arrays, body) => {
        const elements = arrays.map((_, at) => `e${at}`);
        // No cell is NULL, but a column that may be makes elements that may be, of which there are no sums.
        return `arrayMap((${elements.join(", ")}) -> assumeNotNull(${body(elements)}), ${arrays.join(", ")})`;
      },
      ofParts: (array, parts, size, value) =>
        `arrayMap(p -> ${value(`arraySlice(${array}, p * ${size} + 1, ${size})`)}, range(${parts}))`,
      hasQuickProducts: true,
      innerProduct: (x, y) => `arrayDotProduct(${x}, ${y})`,
      aggregates: {
        sum: (array) => `arraySum(${array})`,
        prod: (array) => `arrayProduct(${array})`,
        median: (array) =>
          `if(${numberCount(array)} < length(${array}), nan, ${middle(`arraySort(${array})`, `length(${array})`)})`,
        max: (array) => `if(${numberCount(array)} = 0, -inf, arrayMax(${numbersIn(array)}))`,
        min: (array) => `if(${numberCount(array)} = 0, inf, arrayMin(${numbersIn(array)}))`,
        vespaMax: (array) => `if(isNaN(${array}[1]), nan, arrayMax(${numbersIn(array)}))`,
        vespaMin: (array) => `if(isNaN(${array}[1]), nan, arrayMin(${numbersIn(array)}))`,
      },
    },
    exactSum: (v) => `sumKahan(${v})`,
    scalars: {
      erf: (x) => `erf(${x})`,
      tanh,
      // What becomes 0 retains its sign.
      atan2: (y, x) =>
        `(CASE WHEN ${y} < ${number(0)} AND atan2(${y}, ${x}) = ${number(0)} THEN ${number(-0)} ELSE atan2(${y}, ${x}) END)`,
      // Its own is off where the quotient is rounded.
      fmod: (x, y) =>
        remainderText(
          x,
          y,
          number,
          // Which branch is computed for which rows is not certain.
          `toFloat64(throwIf(abs(${x}) >= abs(${y}) * ${number(2 ** 52)} AND abs(${x}) < inf AND ${y} <> ${number(0)}, 'the quotient of a remainder is too large'))`,
        ),
      pow: power,
    },
    // A name with a dot is that of a column of an alias.
    unnest: (array, alias, position, element) =>
      `ARRAY JOIN ${array} AS \`${alias}.${element}\`, CAST(range(length(${array})) AS Array(Int64)) AS \`${alias}.${position}\``,
    aggregates: {
      max: (v) => `if(${numbers(v)} = 0, -inf, maxIf(${v}, NOT isNaN(${v})))`,
      min: (v) => `if(${numbers(v)} = 0, inf, minIf(${v}, NOT isNaN(${v})))`,
      // No cell is NULL, but a column that may be makes elements that may be, of which there is no product.
      prod: (v, order) =>
        `arrayProduct(arrayMap(e -> assumeNotNull(e.1), arraySort(e -> e.2, groupArray((${v}, tuple(${order}))))))`,
      median: (v) => `if(max(isNaN(${v})), nan, ${middle(sorted(v), "count()")})`,
      vespaMax: (v, order) => `if(isNaN(argMin(${v}, tuple(${order}))), nan, maxIf(${v}, NOT isNaN(${v})))`,
      vespaMin: (v, order) => `if(isNaN(argMin(${v}, tuple(${order}))), nan, minIf(${v}, NOT isNaN(${v})))`,
    },
  },
);
