import { expect, test } from "vitest";
import { compile } from "../../src/index.js";
import { heaviest } from "../../src/inspect/provenance/largest-contributions.js";

/** Which of many contributions are listed. */

test("the heaviest are those of the largest size, whatever their sign, in their order", () => {
  const of = (values: readonly number[], most: number) =>
    heaviest(
      values.map((value) => ({ value })),
      most,
    ).map(({ value }) => value);
  expect(of([-9, 1], 1)).toEqual([-9]);
  expect(of([1, -9, 3, 8], 2)).toEqual([-9, 8]);
  expect(of([1e300, Number.NaN, -Infinity, 2], 2)).toEqual([Number.NaN, -Infinity]);
});

test("how many others there are is told", () => {
  const why = compile("input a: tensor(x[100001]); sum(a)").why({}, { a: new Float64Array(100_001).fill(1) });
  expect(why.steps[0]?.others).toBe(1);
});
