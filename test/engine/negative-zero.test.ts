import { expect, test } from "vitest";
import type { Instruction } from "../../src/backends/engine/loop.js";
import { isNeverNegativeZero } from "../../src/backends/engine/loops/negative-zero.js";
import { compile } from "../../src/index.js";
import { type ScalarName, scalarFunctions } from "../../src/language/scalar/functions.js";
import { cellTypeNames, cellTypes } from "../../src/language/types/cell.js";

const numbers = [0, -0, 1, -1, 0.5, -0.5, 5e-324, -5e-324, -800, 8, Number.NaN, -1 / 0, 1 / 0];

const asConstant = (value: number): Instruction => ({ op: "constant", value });

test("what is never -0 by its instructions never is", () => {
  let count = 0;
  for (const name of Object.keys(scalarFunctions) as ScalarName[]) // its keys
    for (const x of numbers)
      for (const y of numbers) {
        const { parameters, compute } = scalarFunctions[name];
        const values = [x, y].slice(0, parameters.length);
        const apply: Instruction = { op: "apply", function: name, arguments: [...values.keys()] };
        if (!isNeverNegativeZero([...values.map(asConstant), apply], [])) continue;
        count++;
        expect(compute(x, y), `${name}(${values})`).not.toBe(-0);
      }
  expect(count).toBeGreaterThan(1000);
});

test("what is stored as whole numbers is never -0, what is rounded may be", () => {
  for (const cellType of cellTypeNames) {
    const body: readonly Instruction[] = [asConstant(-1e-200), { op: "store", cellType, value: 0 }];
    const isNegativeZero = Object.is(cellTypes[cellType].store(-1e-200), -0);
    if (isNeverNegativeZero(body, [])) expect(isNegativeZero).toBe(false);
    expect(isNeverNegativeZero([{ op: "read", source: 0 }], [cellType])).toBe(cellTypes[cellType].whole);
  }
});

test("of zeros of both signs the first one counts, after what is never -0 there is but one", () => {
  const sizes = [1, 3, 4, 1001];
  for (const size of sizes)
    for (const cellType of ["double", "float"])
      for (const first of [0, -0]) {
        const a = Array.from({ length: size }, (_, at) => (at === 0 ? first : -first));
        const results = ["max(a)", "min(a)", "max(a > 0)", "min(a != 0)", "max(abs(a))", "sum(a >= 0)"].map(
          (text) => compile(`input a: tensor<${cellType}>(x[${size}])\n${text}`).run({ a }).asNumber(),
        );
        expect(results).toEqual([first, first, 0, 0, 0, size]);
      }
});
