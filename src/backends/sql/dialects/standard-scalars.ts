import type { SqlDialect } from "../dialect.js";
import type { Template } from "../expressions/scalar-expression.js";
import { bitFunctionsOf } from "./bit-functions.js";
import { erfText } from "./erf.js";
import type { FloatRounding } from "./float-rounding.js";
import { type Fragments, named } from "./fragments.js";
import { ldexpText } from "./ldexp.js";

/** The scalar functions and operators of the standard, within the domains that engines accept. */
export function standardScalars(fragments: Fragments, rounding: FloatRounding): SqlDialect["scalars"] {
  const { number, zero, one, nan, infinity, negativeInfinity } = fragments;
  const { isNotNumber, isInfinite, truth, greatest, multiply, exponential: exp } = fragments;
  const within =
    (condition: Template, value: Template): Template =>
    (x) =>
      `(CASE WHEN ${condition(x)} THEN ${value(x)} ELSE ${nan} END)`;
  const finite = (name: string): Template => within((x) => `NOT ${isInfinite(x)}`, named(name));
  const inUnit = (name: string): Template =>
    within((x) => `${x} BETWEEN ${number(-1)} AND ${one}`, named(name));
  const logarithm =
    (name: string): Template =>
    (x) =>
      `(CASE WHEN ${x} > ${zero} THEN ${name}(${x}) WHEN ${x} = ${zero} THEN ${negativeInfinity} ELSE ${nan} END)`;
  return {
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
    ...bitFunctionsOf(fragments),
    ceil: named("ceil"),
    cos: finite("cos"),
    cosh: named("cosh"),
    elu: (x) => `(CASE WHEN ${x} < ${zero} THEN ${exp(x)} - ${one} ELSE ${x} END)`,
    erf: (x) => erfText(x, number),
    exp,
    floor: named("floor"),
    fmod: fragments.fmod,
    isInfinite: (x) => truth(isInfinite(x)),
    isNan: (x) => truth(isNotNumber(x)),
    ldexp: (x, e) => ldexpText(x, e, fragments),
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
    // What becomes 0 retains its sign.
    round_even: (x) =>
      `(CASE WHEN abs(${x}) <= ${number(0.5)} THEN ${x} * ${zero} WHEN abs(${x}) < ${number(2 ** 51)} THEN ${fragments.roundedToWhole(x)} ELSE ${x} END)`,
    sigmoid: (x) =>
      `(CASE WHEN ${x} < ${zero} THEN ${exp(`-abs(${x})`)} ELSE ${one} END / (${one} + ${exp(`-abs(${x})`)}))`,
    sign: (x) => `(CASE WHEN ${x} >= ${zero} AND NOT ${isNotNumber(x)} THEN ${one} ELSE ${number(-1)} END)`,
    sin: finite("sin"),
    sinh: named("sinh"),
    sqrt: within((x) => `${x} >= ${zero}`, named("sqrt")),
    square: (x) => multiply(x, x),
    tan: finite("tan"),
    tanh: named("tanh"),
    trunc: fragments.truncate,
    add: (x, y) => `(${x} + ${y})`,
    subtract: (x, y) => `(${x} - ${y})`,
    multiply,
    divide: (x, y) => `(${x} / ${y})`,
    equal: (x, y) => truth(`${x} = ${y} AND NOT ${isNotNumber(x)}`),
    notEqual: (x, y) => truth(`${x} <> ${y} OR ${isNotNumber(x)}`),
    less: (x, y) => truth(`${x} < ${y} AND NOT ${isNotNumber(y)}`),
    lessOrEqual: (x, y) => truth(`${x} <= ${y} AND NOT ${isNotNumber(y)}`),
    greater: (x, y) => truth(`${x} > ${y} AND NOT ${isNotNumber(x)}`),
    greaterOrEqual: (x, y) => truth(`${x} >= ${y} AND NOT ${isNotNumber(x)}`),
    approximately: rounding.approximately,
    and: (x, y) => truth(`${x} <> ${zero} AND ${y} <> ${zero}`),
    or: (x, y) => truth(`${x} <> ${zero} OR ${y} <> ${zero}`),
    not: (x) => truth(`${x} = ${zero}`),
    negate: (x) => `(-${x})`,
    vespaMax: (x, y) => `(CASE WHEN ${x} < ${y} AND NOT ${isNotNumber(y)} THEN ${y} ELSE ${x} END)`,
    vespaMin: (x, y) => `(CASE WHEN ${y} < ${x} AND NOT ${isNotNumber(x)} THEN ${y} ELSE ${x} END)`,
  };
}
