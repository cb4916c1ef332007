import type { Template } from "../expressions/scalar-expression.js";
import type { Fragments } from "./fragments.js";

/** How doubles become floats. */
export interface FloatRounding {
  /** A number as a float; what is too large for one is infinite. */
  readonly narrowed: Template;
  /** The greatest power of 2 that is not above a number above 0. */
  readonly binade: Template;
  /** 1 where two numbers are equal, or neighbours, as floats, else 0. */
  readonly approximately: Template;
}

/** The rounding to floats in a dialect: by a cast where its engine has floats, else by arithmetic. */
export function floatRoundingOf(fragments: Fragments): FloatRounding {
  const { number, zero, one, nan, infinity, negativeInfinity, isNotNumber, truth } = fragments;

  // A logarithm may be off by one beside a power.
  const binade: Template = (x) => {
    const guess = `power(${number(2)}, least(floor(${fragments.logarithmOf2(x)}), ${number(1023)}))`;
    return `(CASE WHEN ${guess} > ${x} THEN ${guess} / ${number(2)} WHEN ${guess} <= ${x} / ${number(2)} THEN ${guess} * ${number(2)} ELSE ${guess} END)`;
  };

  /** A number rounded to the 24 bits of a float by arithmetic: to even, as all others. */
  const roundedToFloat: Template = (x) => {
    const size = `(CASE WHEN abs(${x}) > ${number(2 ** -126)} THEN abs(${x}) ELSE ${number(2 ** -126)} END)`;
    const unit = `(${binade(size)} * ${number(2 ** -23)})`;
    return `((${fragments.roundedToWhole(`${x} / ${unit}`)}) * ${unit})`;
  };

  const asFloat = fragments.asFloat ?? roundedToFloat;
  const narrowed: Template = (x) =>
    `(CASE WHEN abs(${x}) < ${number(2 ** 128 - 2 ** 103)} THEN ${asFloat(x)} WHEN ${x} < ${zero} THEN ${negativeInfinity} WHEN ${isNotNumber(x)} THEN ${nan} ELSE ${infinity} END)`;

  const approximately: Template = (a, b) => {
    const [x, y] = [narrowed(a), narrowed(b)];
    const least = `(CASE WHEN abs(${x}) < abs(${y}) THEN abs(${x}) ELSE abs(${y}) END)`;
    const spacing = `(CASE WHEN ${least} < ${number(2 ** -126)} THEN ${number(2 ** -149)} ELSE ${binade(least)} * ${number(2 ** -23)} END)`;
    const quotient = narrowed(`(${b} / ${a})`);
    return `(CASE WHEN ${isNotNumber(a)} OR ${isNotNumber(b)} THEN ${zero} WHEN ${a} = ${b} THEN ${one} WHEN abs(${a}) > ${one} AND (abs(${b}) < abs(${a}) * ${number(0.5)} OR abs(${b}) * ${number(0.5)} > abs(${a})) THEN ${zero} WHEN abs(${a}) > ${one} THEN ${truth(`${quotient} BETWEEN ${number(1 - 2 ** -24)} AND ${number(1 + 2 ** -23)} AND NOT ${isNotNumber(quotient)}`)} WHEN abs(${y}) = ${infinity} THEN ${zero} WHEN abs(${x} - ${y}) <= ${spacing} THEN ${one} ELSE ${zero} END)`;
  };

  return { narrowed, binade, approximately };
}
