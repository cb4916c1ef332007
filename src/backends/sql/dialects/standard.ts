import type { CellType } from "../../../language/types/cell.js";
import type { SqlDialect, TypedColumn } from "../dialect.js";
import { call, type ScalarExpression, type Template } from "../scalar-expression.js";
import { erfText } from "./erf.js";

/** What a dialect says for itself; the rest follows from the standard. */
type Essentials = Pick<
  SqlDialect,
  | "name"
  | "title"
  | "isRun"
  | "identifier"
  | "text"
  | "number"
  | "types"
  | "shared"
  | "range"
  | "upTo"
  | "rows"
  | "isNaN"
  | "asIndex"
  | "asLabel"
> & {
  /** The whole part of a number. */
  readonly truncate?: Template;
  /** A number rounded to a float and back, where it is in the range of floats; nothing where the engine has no floats. */
  readonly asFloat: Template | undefined;
  /** The larger of two numbers, where a NaN is the largest of all. */
  readonly greatest: Template;
  /** The logarithm to base 2, which may be off by one when it is rounded down. */
  readonly logarithmOf2?: Template;
  /** The remainder of a division by a power of 2; by default that of any division. */
  readonly modulo?: Template;
  /** e to the power of x, in the functions that need it. */
  readonly exponential?: Template;
  /** The number of ones among the low 8 bits of a number, and of two that differ. */
  readonly bitCount: Template;
  /** The bits that two whole numbers of 64 bits have in common. */
  readonly commonBits?: Template;
};

type Exceptions = Partial<Omit<SqlDialect, keyof Essentials | "scalars" | "aggregates">> & {
  readonly scalars?: Partial<SqlDialect["scalars"]>;
  readonly aggregates?: Partial<SqlDialect["aggregates"]>;
};

/**
 * A dialect from what it must say, and what it says otherwise than most: engines whose doubles are those of IEEE 754, save that
 * a NaN equals itself and is greater than all numbers, and that functions refuse what is out of their domain.
 */
export function dialectOf(essentials: Essentials, exceptions: Exceptions = {}): SqlDialect {
  const { number, isNaN: isNotNumber, greatest, bitCount, types } = essentials;
  const truncate = essentials.truncate ?? ((x) => `trunc(${x})`);
  const [zero, one] = [number(0), number(1)];
  const truth = (condition: string): string => `(CASE WHEN ${condition} THEN ${one} ELSE ${zero} END)`;
  const nan = number(Number.NaN);
  const [infinity, negativeInfinity] = [number(Number.POSITIVE_INFINITY), number(Number.NEGATIVE_INFINITY)];
  const isInfinite = (x: string): string => `abs(${x}) = ${infinity}`;
  const isWithin = (x: string): string => `abs(${x}) < ${infinity}`;
  const within =
    (condition: Template, value: Template): Template =>
    (x) =>
      `(CASE WHEN ${condition(x)} THEN ${value(x)} ELSE ${nan} END)`;
  const finite = (name: string): Template =>
    within(
      (x) => `NOT ${isInfinite(x)}`,
      (x) => `${name}(${x})`,
    );
  const inUnit = (name: string): Template =>
    within(
      (x) => `${x} BETWEEN ${number(-1)} AND ${one}`,
      (x) => `${name}(${x})`,
    );
  const logarithm =
    (name: string): Template =>
    (x) =>
      `(CASE WHEN ${x} > ${zero} THEN ${name}(${x}) WHEN ${x} = ${zero} THEN ${negativeInfinity} ELSE ${nan} END)`;
  const named =
    (name: string): Template =>
    (x) =>
      `${name}(${x})`;
  /** The low 8 bits of the whole part, from 0 to 255. */
  const lowByte: Template = (x) =>
    `(CASE WHEN ${isWithin(x)} THEN ${modulo(`(${modulo(truncate(x), number(256))} + ${number(256)})`, number(256))} ELSE ${zero} END)`;
  const modulo = (x: string, y: string): string => (essentials.modulo ?? scalars.fmod)(x, y);
  const commonBits = essentials.commonBits ?? ((x, y) => `(${x} & ${y})`);
  /** What follows from the bits that two numbers have in common, and from both. */
  const bitwise =
    (write: (both: string, x: string, y: string) => string): Template =>
    (x, y) => {
      const [a, b] = [x, y].map((each) => `CAST(${truncate(each)} AS ${types.index})`) as [string, string]; // two
      return `(CASE WHEN abs(${x}) < ${number(2 ** 53)} AND abs(${y}) < ${number(2 ** 53)} THEN CAST(${write(commonBits(a, b), a, b)} AS ${types.number}) ELSE ${nan} END)`;
    };
  const logarithmOf2 = essentials.logarithmOf2 ?? named("log2");
  const exp = essentials.exponential ?? named("exp");

  const scalars: SqlDialect["scalars"] = {
    abs: named("abs"),
    fabs: named("abs"),
    acos: inUnit("acos"),
    acosh: within((x) => `${x} >= ${one}`, named("acosh")),
    asin: inUnit("asin"),
    asinh: named("asinh"),
    atan: named("atan"),
    atan2: (y, x) => `atan2(${y}, ${x})`,
    atanh: (x) =>
      `(CASE WHEN abs(${x}) < ${one} THEN atanh(${x}) WHEN ${x} = ${one} THEN ${infinity} WHEN ${x} = ${number(-1)} THEN ${negativeInfinity} ELSE ${nan} END)`,
    bit: (x, n) =>
      `(CASE WHEN ${isNotNumber(n)} THEN ${modulo(lowByte(x), number(2))} WHEN ${n} > ${number(-1)} AND ${n} < ${number(8)} THEN ${modulo(`floor(${lowByte(x)} / power(${number(2)}, ${truncate(n)}))`, number(2))} ELSE ${zero} END)`,
    bit_and: bitwise((both) => both),
    bit_or: bitwise((both, x, y) => `(${x} + ${y} - ${both})`),
    bit_xor: bitwise((both, x, y) => `(${x} + ${y} - 2 * ${both})`),
    ceil: named("ceil"),
    cos: finite("cos"),
    cosh: named("cosh"),
    elu: (x) => `(CASE WHEN ${x} < ${zero} THEN ${exp(x)} - ${one} ELSE ${x} END)`,
    erf: (x) => erfText(x, number),
    exp,
    floor: named("floor"),
    fmod: (x, y) => `(${x} % ${y})`,
    hamming: (x, y) => bitCount(lowByte(x), lowByte(y)),
    isInfinite: (x) => truth(isInfinite(x)),
    isNan: (x) => truth(isNotNumber(x)),
    ldexp: (x, e) => scaled(x, e),
    log: logarithm("ln"),
    log10: logarithm("log10"),
    max: greatest,
    min: (x, y) => `(-${greatest(`-${x}`, `-${y}`)})`,
    pow: (x, y) =>
      `(CASE WHEN ${isNotNumber(y)} OR (${isInfinite(y)} AND abs(${x}) = ${one}) THEN ${nan} ELSE power(${x}, ${y}) END)`,
    relu: (x) => greatest(x, zero),
    // Halves go up, NaN is 0, and the outcome stays within 64 bits.
    round: (x) =>
      `(CASE WHEN ${isNotNumber(x)} THEN ${zero} WHEN ${x} >= ${number(2 ** 63)} THEN ${number(2 ** 63)} WHEN ${x} <= ${number(-(2 ** 63))} THEN ${number(-(2 ** 63))} WHEN ${x} - floor(${x}) >= ${number(0.5)} THEN floor(${x}) + ${one} ELSE floor(${x}) + ${zero} END)`,
    // Adding this constant leaves no fraction, and rounds as all additions do; what becomes 0 retains its sign.
    round_even: (x) =>
      `(CASE WHEN abs(${x}) <= ${number(0.5)} THEN ${x} * ${zero} WHEN abs(${x}) < ${number(2 ** 51)} THEN (${x} + ${magic}) - ${magic} ELSE ${x} END)`,
    sigmoid: (x) =>
      `(CASE WHEN ${x} < ${zero} THEN ${exp(`-abs(${x})`)} ELSE ${one} END / (${one} + ${exp(`-abs(${x})`)}))`,
    sign: (x) => `(CASE WHEN ${x} >= ${zero} AND NOT ${isNotNumber(x)} THEN ${one} ELSE ${number(-1)} END)`,
    sin: finite("sin"),
    sinh: named("sinh"),
    sqrt: within((x) => `${x} >= ${zero}`, named("sqrt")),
    square: (x) => scalars.multiply(x, x),
    tan: finite("tan"),
    tanh: named("tanh"),
    trunc: truncate,
    add: (x, y) => `(${x} + ${y})`,
    subtract: (x, y) => `(${x} - ${y})`,
    multiply: (x, y) => `(${x} * ${y})`,
    divide: (x, y) => `(${x} / ${y})`,
    equal: (x, y) => truth(`${x} = ${y} AND NOT ${isNotNumber(x)}`),
    notEqual: (x, y) => truth(`${x} <> ${y} OR ${isNotNumber(x)}`),
    less: (x, y) => truth(`${x} < ${y} AND NOT ${isNotNumber(y)}`),
    lessOrEqual: (x, y) => truth(`${x} <= ${y} AND NOT ${isNotNumber(y)}`),
    greater: (x, y) => truth(`${x} > ${y} AND NOT ${isNotNumber(x)}`),
    greaterOrEqual: (x, y) => truth(`${x} >= ${y} AND NOT ${isNotNumber(x)}`),
    approximately: (x, y) => approximately(x, y),
    and: (x, y) => truth(`${x} <> ${zero} AND ${y} <> ${zero}`),
    or: (x, y) => truth(`${x} <> ${zero} OR ${y} <> ${zero}`),
    not: (x) => truth(`${x} = ${zero}`),
    negate: (x) => `(-${x})`,
    vespaMax: (x, y) => `(CASE WHEN ${x} < ${y} AND NOT ${isNotNumber(y)} THEN ${y} ELSE ${x} END)`,
    vespaMin: (x, y) => `(CASE WHEN ${y} < ${x} AND NOT ${isNotNumber(x)} THEN ${y} ELSE ${x} END)`,
    ...exceptions.scalars,
  };

  /** x times 2 to the power of the whole part of e, in steps of which at most the last one rounds. */
  function scaled(x: string, e: string): string {
    const exponent = `(CASE WHEN ${isNotNumber(e)} OR ${e} < ${number(-2200)} THEN ${number(-2200)} WHEN ${e} > ${number(2200)} THEN ${number(2200)} ELSE ${truncate(e)} END)`;
    const power = (of: string): string => `power(${number(2)}, ${of})`;
    const product = (first: string, ...others: readonly string[]): string =>
      others.reduce((text, each) => scalars.multiply(text, each), first);
    const large = product(
      x,
      number(2 ** 1000),
      power(`least(${exponent} - ${number(1000)}, ${number(1000)})`),
      power(`greatest(${exponent} - ${number(2000)}, ${zero})`),
    );
    const small = product(
      x,
      number(2 ** -969),
      power(`greatest(${exponent} + ${number(969)}, ${number(-969)})`),
      power(`least(${exponent} + ${number(1938)}, ${zero})`),
    );
    return `(CASE WHEN ${exponent} > ${number(1000)} THEN ${large} WHEN ${exponent} < ${number(-1022)} THEN ${small} ELSE ${product(x, power(exponent))} END)`;
  }

  /** Whether two numbers are equal, or neighbours, as floats. */
  function approximately(a: string, b: string): string {
    const [x, y] = [narrowed(a), narrowed(b)];
    const least = `(CASE WHEN abs(${x}) < abs(${y}) THEN abs(${x}) ELSE abs(${y}) END)`;
    const spacing = `(CASE WHEN ${least} < ${number(2 ** -126)} THEN ${number(2 ** -149)} ELSE ${binadeText(least)} * ${number(2 ** -23)} END)`;
    const quotient = narrowed(`(${b} / ${a})`);
    return `(CASE WHEN ${isNotNumber(a)} OR ${isNotNumber(b)} THEN ${zero} WHEN ${a} = ${b} THEN ${one} WHEN abs(${a}) > ${one} AND (abs(${b}) < abs(${a}) * ${number(0.5)} OR abs(${b}) * ${number(0.5)} > abs(${a})) THEN ${zero} WHEN abs(${a}) > ${one} THEN ${truth(`${quotient} BETWEEN ${number(1 - 2 ** -24)} AND ${number(1 + 2 ** -23)} AND NOT ${isNotNumber(quotient)}`)} WHEN abs(${y}) = ${infinity} THEN ${zero} WHEN abs(${x} - ${y}) <= ${spacing} THEN ${one} ELSE ${zero} END)`;
  }

  /** A number rounded to the 24 bits of a float by arithmetic: to even, as all others. */
  function roundedToFloat(x: string): string {
    const size = `(CASE WHEN abs(${x}) > ${number(2 ** -126)} THEN abs(${x}) ELSE ${number(2 ** -126)} END)`;
    const unit = `(${binadeText(size)} * ${number(2 ** -23)})`;
    return `(((${x} / ${unit} + ${number(1.5 * 2 ** 52)}) - ${number(1.5 * 2 ** 52)}) * ${unit})`;
  }

  /** A number as a float; what is too large for one is infinite. */
  function narrowed(x: string): string {
    return `(CASE WHEN abs(${x}) < ${number(2 ** 128 - 2 ** 103)} THEN ${(essentials.asFloat ?? roundedToFloat)(x)} WHEN ${x} < ${zero} THEN ${negativeInfinity} WHEN ${isNotNumber(x)} THEN ${nan} ELSE ${infinity} END)`;
  }

  /** The greatest power of 2 that is not above a number above 0; a logarithm may be off by one beside a power. */
  function binadeText(x: string): string {
    const guess = `power(${number(2)}, least(floor(${logarithmOf2(x)}), ${number(1023)}))`;
    return `(CASE WHEN ${guess} > ${x} THEN ${guess} / ${number(2)} WHEN ${guess} <= ${x} / ${number(2)} THEN ${guess} * ${number(2)} ELSE ${guess} END)`;
  }

  /** The distance of neighbours near a number, of which so many bits are stored; below the least power it no longer shrinks. */
  const spacing = (x: ScalarExpression, bits: number, least: number): ScalarExpression => {
    const [limit, scale] = [number(least), number(2 ** (1 - bits))];
    const size = call(
      (value) =>
        `CASE WHEN abs(${value}) > ${limit} AND ${isWithin(value)} THEN abs(${value}) ELSE ${limit} END`,
      x,
    );
    return call(
      (unit) => `(${unit} * ${scale})`,
      call((value) => binadeText(`(${value})`), size),
    );
  };
  const wrapped = (bits: number): Template => {
    const [range, half] = [number(2 ** bits), number(2 ** (bits - 1))];
    return (x) =>
      `(CASE WHEN ${isWithin(x)} THEN ${modulo(`(${modulo(`(${modulo(truncate(x), range)} + ${half})`, range)} + ${range})`, range)} - ${half} ELSE ${zero} END)`;
  };
  const saturated: Template = (x) =>
    `(CASE WHEN ${isNotNumber(x)} THEN ${zero} WHEN ${x} >= ${number(2 ** 31 - 1)} THEN ${number(2 ** 31 - 1)} WHEN ${x} <= ${number(-(2 ** 31))} THEN ${number(-(2 ** 31))} ELSE ${x} END)`;
  const magic = number(1.5 * 2 ** 52);

  const storing: Readonly<Record<CellType, (value: ScalarExpression) => ScalarExpression>> = {
    double: (value) => value,
    float: (value) => call(narrowed, value),
    bfloat16: (value) => {
      const float = call(narrowed, value);
      const unit = spacing(float, 8, 2 ** -126);
      return call(
        (x, u) => `(CASE WHEN ${isWithin(x)} THEN ${truncate(`(${x} / ${u})`)} * ${u} ELSE ${x} END)`,
        float,
        unit,
      );
    },
    int8: (value) => call(wrapped(8), call(saturated, call(narrowed, value))),
    short: (value) => call(wrapped(16), value),
    int: (value) => call(wrapped(32), value),
    // Beyond these 64 bits all doubles are multiples of 2048, and the sums of the remainder are exact.
    long: (value) =>
      call(
        (x, beyond) => `(CASE WHEN abs(${x}) < ${number(2 ** 63)} THEN ${truncate(x)} ELSE ${beyond} END)`,
        value,
        call(wrapped(64), value),
      ),
    half: (value) => {
      const rounded = call(
        (x, u) => scalars.multiply(`((${x} / ${u} + ${magic}) - ${magic})`, u),
        value,
        spacing(value, 11, 2 ** -14),
      );
      return call(
        (x, r) =>
          // What becomes 0 retains its sign.
          `(CASE WHEN ${r} = ${zero} THEN ${x} * ${zero} WHEN abs(${x}) < ${number(65520)} THEN ${r} WHEN ${isNotNumber(x)} THEN ${x} ELSE ${x} * ${infinity} END)`,
        value,
        rounded,
      );
    },
  };
  const numbersOf = (v: string): string => `FILTER (WHERE NOT ${isNotNumber(v)})`;
  const hasNaN = (v: string): string => `bool_or(${isNotNumber(v)})`;
  const lower = (v: string): string => `percentile_disc(0.5) WITHIN GROUP (ORDER BY ${v})`;

  return {
    integer: (value) => `${value}`,
    with: "WITH",
    stage: "",
    plansNestedSooner: false,
    namesColumns: false,
    preparation: () => [],
    settings: "",
    fullJoin: "FULL OUTER JOIN",
    exactSum: (v) => `sum(${v})`,
    asNumber: (x) => `CAST(${x} AS ${types.number})`,
    asText: (x) => `CAST(${x} AS ${types.label})`,
    asInteger: (x) => `CAST(${x} AS ${types.index})`,
    quotient: (x, y) => `(${x} / ${y})`,
    arrayLength: (array) => `cardinality(${array})`,
    unnest: (array, alias, position, cell) =>
      `CROSS JOIN LATERAL (SELECT o.${cell}, o.n - 1 AS ${position} FROM unnest(${array}) WITH ORDINALITY AS o (${cell}, n)) AS ${alias}`,
    writeTable: (query, table) => {
      const name = table.split(".").map(essentials.identifier).join(".");
      return [
        `DROP TABLE IF EXISTS ${name}`,
        `CREATE TABLE ${name} AS
${query}`,
      ];
    },
    storing,
    ...essentials,
    ...exceptions,
    scalars,
    aggregates: {
      avg: (v) => `sum(${v}) / count(*)`,
      count: () => `CAST(count(*) AS ${types.number})`,
      max: (v) => `coalesce(max(${v}) ${numbersOf(v)}, ${negativeInfinity})`,
      median: (v) =>
        `CASE WHEN ${hasNaN(v)} THEN ${nan} WHEN count(*) % 2 = 1 THEN ${lower(v)} ELSE (${lower(v)} - ${lower(`-${v}`)}) / ${number(2)} END`,
      min: (v) => `coalesce(min(${v}) ${numbersOf(v)}, ${infinity})`,
      prod: (v) => `product(${v})`,
      sum: (v) => `sum(${v})`,
      vespaMax: (v, order) => firstOr("max", v, order),
      vespaMin: (v, order) => firstOr("min", v, order),
      ...exceptions.aggregates,
    },
  };

  /** The largest or smallest of all, unless the first one is a NaN, which stays. */
  function firstOr(name: "max" | "min", v: string, order: string): string {
    const first = (of: string): string => `(array_agg(${of} ORDER BY ${order}))[1]`;
    return `CASE WHEN ${first(isNotNumber(v))} THEN ${nan} ELSE ${name}(${v}) ${numbersOf(v)} END`;
  }
}

/** A quotient of an engine that divides by no zero, whose sign a text tells. */
export const guardedQuotient =
  (number: (value: number) => string, isNotNumber: Template, text: string): Template =>
  (x, y) =>
    `(CASE WHEN ${y} = ${number(0)} THEN CASE WHEN ${x} = ${number(0)} OR ${isNotNumber(x)} THEN ${number(Number.NaN)} WHEN (${x} > ${number(0)}) = (NOT CAST(${y} AS ${text}) LIKE '-%') THEN ${number(Number.POSITIVE_INFINITY)} ELSE ${number(Number.NEGATIVE_INFINITY)} END ELSE ${x} / ${y} END)`;

/** A literal or a name between quotes, which are doubled inside. */
export const quoted = (text: string, quote: string): string =>
  `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;

/** A text in quotes, whose control characters are written by their codes: a statement is laid out in lines, and may end at a NUL. */
export function textInParts(text: string, quote: string, character: (code: number) => string): string {
  const parts: string[] = [];
  let plain = "";
  for (const each of text) {
    const code = each.codePointAt(0) ?? 0;
    if (code >= 0x20) {
      plain += each;
      continue;
    }
    parts.push(quoted(plain, quote), character(code));
    plain = "";
  }
  return parts.length === 0 ? quoted(text, quote) : `(${[...parts, quoted(plain, quote)].join(" || ")})`;
}

/** `VALUES` as a query. */
export function valuesQuery(columns: readonly TypedColumn[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) {
    const empty = columns.map(({ name, type }) => `CAST(NULL AS ${type}) AS ${name}`);
    return `SELECT ${empty.join(", ")} WHERE 1 = 0`;
  }
  const names = columns.map(({ name }) => name).join(", ");
  return `SELECT ${names}\nFROM (VALUES\n  ${rows.map((row) => `(${row.join(", ")})`).join(",\n  ")}\n) AS r (${names})`;
}
