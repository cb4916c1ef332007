import type { SqlDialect } from "../dialect.js";
import { call, type ScalarExpression, type Template } from "../expressions/scalar-expression.js";
import type { FloatRounding } from "./float-rounding.js";
import type { Fragments } from "./fragments.js";

/** What cells of each type hold after a number was stored in them. */
export function cellStoring(fragments: Fragments, rounding: FloatRounding): SqlDialect["storing"] {
  const { number, zero, infinity, isNotNumber, isFiniteNumber, truncate, modulo, multiply } = fragments;
  const { narrowed, binade } = rounding;

  /** The distance of neighbours near a number, of which so many bits are stored; below the least power it no longer shrinks. */
  const spacing = (x: ScalarExpression, bits: number, least: number): ScalarExpression => {
    const [limit, scale] = [number(least), number(2 ** (1 - bits))];
    const size = call(
      (value) =>
        `CASE WHEN abs(${value}) > ${limit} AND ${isFiniteNumber(value)} THEN abs(${value}) ELSE ${limit} END`,
      x,
    );
    return call(
      (unit) => `(${unit} * ${scale})`,
      call((value) => binade(`(${value})`), size),
    );
  };
  const wrapped = (bits: number): Template => {
    const [range, half] = [number(2 ** bits), number(2 ** (bits - 1))];
    return (x) =>
      `(CASE WHEN ${isFiniteNumber(x)} THEN ${modulo(`(${modulo(`(${modulo(truncate(x), range)} + ${half})`, range)} + ${range})`, range)} - ${half} ELSE ${zero} END)`;
  };
  /** Doubles beyond 64 bits are multiples of 2048. So are their remainders, to which nothing may be added that leaves these bits. */
  const remainderOfLong: Template = (x) =>
    `(CASE WHEN ${isFiniteNumber(x)} THEN ${modulo(truncate(x), number(2 ** 64))} ELSE ${zero} END)`;
  const wrappedLong: Template = (r) =>
    `(CASE WHEN ${r} >= ${number(2 ** 63)} THEN ${r} - ${number(2 ** 64)} WHEN ${r} < ${number(-(2 ** 63))} THEN ${r} + ${number(2 ** 64)} ELSE ${r} END)`;
  const saturated: Template = (x) =>
    `(CASE WHEN ${isNotNumber(x)} THEN ${zero} WHEN ${x} >= ${number(2 ** 31 - 1)} THEN ${number(2 ** 31 - 1)} WHEN ${x} <= ${number(-(2 ** 31))} THEN ${number(-(2 ** 31))} ELSE ${x} END)`;

  return {
    double: (value) => value,
    float: (value) => call(narrowed, value),
    bfloat16: (value) => {
      const float = call(narrowed, value);
      const unit = spacing(float, 8, 2 ** -126);
      return call(
        (x, u) => `(CASE WHEN ${isFiniteNumber(x)} THEN ${truncate(`(${x} / ${u})`)} * ${u} ELSE ${x} END)`,
        float,
        unit,
      );
    },
    int8: (value) => call(wrapped(8), call(saturated, call(narrowed, value))),
    short: (value) => call(wrapped(16), value),
    int: (value) => call(wrapped(32), value),
    long: (value) =>
      call(
        (x, beyond) => `(CASE WHEN abs(${x}) < ${number(2 ** 63)} THEN ${truncate(x)} ELSE ${beyond} END)`,
        value,
        call(wrappedLong, call(remainderOfLong, value)),
      ),
    half: (value) => {
      const rounded = call(
        (x, u) => multiply(`(${fragments.roundedToWhole(`${x} / ${u}`)})`, u),
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
}
