import type { Template } from "../expressions/scalar-expression.js";
import type { Essentials, Exceptions } from "./essentials.js";

/** What the templates of a dialect are made of: numbers, conditions, and arithmetic as the engine has it. */
export interface Fragments
  extends Pick<Essentials, "number" | "types" | "greatest" | "bitCount" | "asFloat">,
    Required<Pick<Essentials, "truncate" | "logarithmOf2" | "modulo" | "exponential" | "commonBits">> {
  readonly zero: string;
  readonly one: string;
  readonly nan: string;
  readonly infinity: string;
  readonly negativeInfinity: string;
  readonly isNotNumber: Template;
  readonly isInfinite: Template;
  readonly isFiniteNumber: Template;
  /** 1 where a condition holds, else 0. */
  readonly truth: Template;
  readonly multiply: Template;
  readonly fmod: Template;
  /** The whole number next to one of less than 51 bits, the even one of two; without parentheses around it. */
  readonly roundedToWhole: Template;
}

/** A call of a function with one parameter. */
export const named =
  (name: string): Template =>
  (x) =>
    `${name}(${x})`;

/** The fragments of a dialect, from what it says for itself and the scalar functions that it has otherwise. */
export function fragmentsOf(essentials: Essentials, { scalars = {} }: Exceptions): Fragments {
  const { number, types, greatest, bitCount, asFloat, isNaN: isNotNumber } = essentials;
  const [zero, one, infinity] = [number(0), number(1), number(Number.POSITIVE_INFINITY)];
  const fmod = scalars.fmod ?? ((x, y) => `(${x} % ${y})`);
  // Doubles of this size have no fraction, and adding it rounds as all additions do.
  const roundingConstant = number(1.5 * 2 ** 52);
  return {
    ...{ number, types, greatest, bitCount, asFloat, isNotNumber, zero, one, infinity, fmod },
    nan: number(Number.NaN),
    negativeInfinity: number(Number.NEGATIVE_INFINITY),
    isInfinite: (x) => `abs(${x}) = ${infinity}`,
    isFiniteNumber: (x) => `abs(${x}) < ${infinity}`,
    truth: (condition) => `(CASE WHEN ${condition} THEN ${one} ELSE ${zero} END)`,
    truncate: essentials.truncate ?? named("trunc"),
    modulo: essentials.modulo ?? fmod,
    multiply: scalars.multiply ?? ((x, y) => `(${x} * ${y})`),
    commonBits: essentials.commonBits ?? ((x, y) => `(${x} & ${y})`),
    logarithmOf2: essentials.logarithmOf2 ?? named("log2"),
    exponential: essentials.exponential ?? named("exp"),
    roundedToWhole: (x) => `(${x} + ${roundingConstant}) - ${roundingConstant}`,
  };
}
