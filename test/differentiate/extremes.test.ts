import { expect, test } from "vitest";
import { compile } from "../../src/index.js";
import { isNear } from "../../src/language/values/near.js";

/** Derivatives where squares of the numbers are not in the range of doubles, although the derivative is. */

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
])("of %s at %d it is %d", (text, p, expected) => {
  for (const backend of ["engine", "reference"] as const) {
    const found = compile(`input p: tensor()\ngradient(${text}, p)`, { backend }).run({ p }).asNumber();
    expect(isNear(found, expected, 1e-12 * Math.abs(expected)), `${found}`).toBe(true);
  }
});
