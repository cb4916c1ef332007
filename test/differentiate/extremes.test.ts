import { expect, test } from "vitest";
import { compile } from "../../src/index.js";
import { isNear } from "../../src/language/values/near.js";

/** Derivatives where squares of the numbers are not in the range of doubles, although the derivative is, or too near to 1. */

// biome-ignore format: a table
test.each([
  ["atan2(p, 1e-200)",                    1e-200,   5e199],
  ["atan2(p, 1e200)",                     1e200,    5e-201],
  ["atan2(3e200, p)",                     4e200,    -1.2e-201],
  ["atan2(p, 2)",                         0,        0.5],
  ["atan2(p, -2)",                        0,        -0.5],
  ["atan2(2, p)",                         0,        -0.5],
  ["asinh(p)",                            1e200,    1e-200],
  ["asinh(p)",                            -1e200,   1e-200],
  ["asinh(p)",                            1e-200,   1],
  ["acosh(p)",                            1e200,    1e-200],
  ["acosh(p)",                            -2,       Number.NaN],
  ["gradient(asinh(p), p)",               0.75,     -0.384],
  ["gradient(asinh(p), p)",               1,        -(0.5 ** 1.5)],
  ["gradient(atan2(p, 1), p)",            1,        -0.5],
  ["gradient(atan2(p, 1), p)",            0,        0],
  ["acos(p)",                             0.9999999924237447, -8123.771565604887],
  ["asin(p)",                             -0.9999999924237447, 8123.771565604887],
  ["atanh(p)",                            0.9999999924237447, 65995664.45013],
  ["fmod(1e30, p)",                       1,        -1e30],
  ["fmod(-7, p)",                         2,        3],
  ["tanh(p)",                             340,      1.913428758812214e-295],
  ["gradient(tanh(p), p)",                200,      -1.532135677371205e-173],
  ["gradient(tanh(p), p)",                800,      0],
  ["gradient(tanh(p), p)",                -1e10,    0],
])("of %s at %d it is %d", (text, p, expected) => {
  for (const backend of ["engine", "reference"] as const) {
    const found = compile(`input p: tensor()\ngradient(${text}, p)`, { backend }).run({ p }).asNumber();
    expect(isNear(found, expected, 1e-12 * Math.abs(expected)), `${found}`).toBe(true);
  }
});

test.each([
  ["gradient(gradient(pow(x, y), x), y)", 2, 0, 0.5],
  ["gradient(gradient(pow(x, y), y), x)", 2, 0, 0.5],
  ["gradient(gradient(gradient(pow(x, y), x), x), y)", 2, 1, 0.5],
  ["gradient(gradient(gradient(pow(x, y), x), y), y)", 2, 0, Math.LN2],
  ["gradient(pow(x, y), x)", 0, 0, 0],
  ["gradient(pow(x, y), x)", 1 / 0, 0, 0],
  ["gradient(pow(x, y), x)", 0, 1, 1],
  ["gradient(gradient(gradient(pow(x, y), x), x), x)", 0, 0, 0],
])("%s at %d and %d is %d", (text, x, y, expected) => {
  for (const backend of ["engine", "reference"] as const) {
    const program = compile(`input x: tensor()\ninput y: tensor()\n${text}`, { backend });
    expect(program.run({ x, y }).asNumber()).toBeCloseTo(expected, 12);
  }
});
