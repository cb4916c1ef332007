import type { ScalarName } from "../scalar/functions.js";

/** Sums of squares are taken in units of the larger summand, since the squares themselves may not be in the range of doubles. */
const larger = "max(abs(x), abs(y))";
const scaled = `(square(x / ${larger}) + square(y / ${larger}))`;
const orOne = "max(abs(x), 1)";

/**
 * The partial derivatives of the scalar functions, written in the language: one for each parameter, of which the first is
 * called x and the second y here. Where a function has a corner or a step, the answers are those of most frameworks: 0 at the corner of
 * `abs` (of which JAX 0.10 says 1) and `relu`, half to each side where `max` and `min` find both alike, and 0 for every function of steps.
 */
// biome-ignore format: a table
export const derivatives = {
  abs:            ["(x > 0) - (x < 0)"],
  fabs:           ["(x > 0) - (x < 0)"],
  acos:           ["-1 / sqrt((1 - x) * (1 + x))"],
  acosh:          ["1 / sqrt(x - 1) / sqrt(x + 1)"],
  asin:           ["1 / sqrt((1 - x) * (1 + x))"],
  asinh:          [`1 / ${orOne} / sqrt(square(x / ${orOne}) + square(1 / ${orOne}))`],
  atan:           ["1 / (1 + x * x)"],
  atan2:          [`y / ${larger} / ${scaled} / ${larger}`, `-x / ${larger} / ${scaled} / ${larger}`],
  atanh:          ["1 / ((1 - x) * (1 + x))"],
  bit:            ["0", "0"],
  bit_and:        ["0", "0"],
  bit_or:         ["0", "0"],
  bit_xor:        ["0", "0"],
  ceil:           ["0"],
  cos:            ["-sin(x)"],
  cosh:           ["sinh(x)"],
  elu:            ["if(x < 0, exp(x), 1)"],
  erf:            ["1.1283791670955126 * exp(-(x * x))"],
  exp:            ["exp(x)"],
  floor:          ["0"],
  fmod:           ["1", "-floor((x - fmod(x, y)) / y + 0.5)"],
  hamming:        ["0", "0"],
  isInfinite:     ["0"],
  isNan:          ["0"],
  ldexp:          ["ldexp(1, y)", "0"],
  log:            ["1 / x"],
  log10:          ["0.4342944819032518 / x"],
  max:            ["if(x > y, 1, if(x == y, 0.5, 0))", "if(y > x, 1, if(x == y, 0.5, 0))"],
  min:            ["if(x < y, 1, if(x == y, 0.5, 0))", "if(y < x, 1, if(x == y, 0.5, 0))"],
  pow:            ["if(if(y == 0, abs(x) > 1e-300, 1), y * pow(x, y - 1), 0)", "if(x == 0, 0, log(x) * pow(x, y))"],
  relu:           ["x > 0"],
  round:          ["0"],
  round_even:     ["0"],
  sigmoid:        ["sigmoid(x) * sigmoid(-x)"],
  sign:           ["0"],
  sin:            ["cos(x)"],
  sinh:           ["cosh(x)"],
  sqrt:           ["0.5 / sqrt(x)"],
  square:         ["2 * x"],
  tan:            ["1 / square(cos(x))"],
  tanh:           ["square(1 / cosh(max(min(x, 700), -700)))"],
  trunc:          ["0"],

  add:            ["1", "1"],
  subtract:       ["1", "-1"],
  multiply:       ["y", "x"],
  divide:         ["1 / y", "-x / y / y"],
  equal:          ["0", "0"],
  notEqual:       ["0", "0"],
  less:           ["0", "0"],
  lessOrEqual:    ["0", "0"],
  greater:        ["0", "0"],
  greaterOrEqual: ["0", "0"],
  approximately:  ["0", "0"],
  and:            ["0", "0"],
  or:             ["0", "0"],
  not:            ["0"],
  negate:         ["-1"],
  vespaMax:       ["if(x < y, 0, if(x == y, 0.5, 1))", "if(x < y, 1, if(x == y, 0.5, 0))"],
  vespaMin:       ["if(y < x, 0, if(x == y, 0.5, 1))", "if(y < x, 1, if(x == y, 0.5, 0))"],
} satisfies Record<ScalarName, readonly [string] | readonly [string, string]>;

/** The derivative of a function in one of its parameters, as a text of x and y. */
export function derivativeText(name: ScalarName, position: number): string {
  const text: string | undefined = derivatives[name][position];
  if (text === undefined) throw new Error(`${name} has no derivative in parameter ${position}`);
  return text;
}
