import fc from "fast-check";
import { expect, test } from "vitest";
import { type ScalarName, scalarFunctions } from "../../src/language/scalar/functions.js";
import { holds } from "../chance.js";
import { corners, evenly, many, run } from "./scalar-runs.js";

/** Functions of lanes that give the very numbers that the reference gives: those of bits, powers of 2, and of near equality. */

type Pair = readonly [number, number];

const types = ["double", "float"] as const;

/** Whether lanes and single numbers have the values of the reference, rounded to the type. */
function expectExact(name: ScalarName, pairs: readonly Pair[]): void {
  for (const cellType of types) {
    const rounded = (x: number): number => (cellType === "float" ? Math.fround(x) : x);
    const inputs = [pairs.map(([x]) => rounded(x)), pairs.map(([, y]) => rounded(y))];
    const expected = pairs.map(([x, y]) => rounded(scalarFunctions[name].compute(rounded(x), rounded(y))));
    expect(run(name, cellType, inputs)).toEqual(expected);
    for (const [at, [x, y]] of pairs.slice(0, 5).entries())
      expect(run(name, cellType, [[rounded(x)], [rounded(y)]], false)).toEqual([expected[at]]);
  }
}

const crossed = (xs: readonly number[], ys: readonly number[]): Pair[] =>
  xs.flatMap((x) => ys.map((y): Pair => [x, y]));

/** Whole numbers of all sizes about those that 32 and 53 bits hold, and numbers with fractions. */
const wholes = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.tuple(evenly, fc.nat({ max: 56 })).map(([x, bits]) => x * 2 ** bits),
  fc.constantFrom(...corners, 2 ** 26, -(2 ** 26), 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1 - 2 ** 53, 2 ** 32),
);

for (const name of ["bit_and", "bit_or", "bit_xor"] as const)
  test(`${name} of whole numbers, and of what is none`, () => {
    expectExact(name, crossed(corners, [...corners, -7, 255.9, 2 ** 40 + 1]));
    holds(
      fc.property(many(fc.tuple(wholes, wholes)), (pairs) => expectExact(name, pairs)),
      60,
    );
  });

test("ldexp rounds once, and not at all within the numbers that are not denormal", () => {
  const powers = [
    0, -0.9, 1, 52, 1023, 1024, 2046, 2047, 2100, -1022, -1023, -1074, -1075, -2045, -2100, -3000,
  ];
  expectExact("ldexp", crossed(corners, [...powers, ...corners]));
  const chosen = fc.tuple(
    fc.double(),
    evenly.map((x) => x * 2250),
  );
  holds(
    fc.property(many(chosen), (pairs) => expectExact("ldexp", pairs)),
    60,
  );
  // Just above half of the least denormal number, whose digits a rounding in between would lose.
  expect(run("ldexp", "double", [[1 + 2 ** -52], [-1075]])).toEqual([5e-324]);
});

test("~= of floats that are next to each other, of zeros, and of what is no number", () => {
  expectExact("approximately", crossed(corners, [...corners, -(2 ** -149), 2 ** -148]));
  const near = fc
    .tuple(fc.oneof(fc.double(), evenly), fc.integer({ min: -20, max: 20 }))
    .map(([x, units]): Pair => [x, x * (1 + units * 2 ** -25)]);
  holds(
    fc.property(many(near), (pairs) => expectExact("approximately", pairs)),
    60,
  );
});

test("elu has the last digits of a power, less 1", () => {
  const isNear = (numbers: readonly number[]): void => {
    for (const cellType of types) {
      const rounded = numbers.map((x) => (cellType === "float" ? Math.fround(x) : x));
      const unit = cellType === "float" ? 2 ** -23 : 0;
      const found = run("elu", cellType, [rounded]);
      for (const [at, x] of rounded.entries()) {
        const value = found[at] ?? Number.NaN;
        if (!(x < 0)) expect(value).toBe(x);
        else expect(Math.abs(value - (Math.exp(x) - 1))).toBeLessThanOrEqual(2 ** -53 - unit * Math.expm1(x));
      }
    }
  };
  isNear(corners);
  holds(fc.property(many(evenly), isNear), 20);
  holds(fc.property(many(evenly.map((x) => x * 800)), isNear), 20);
  // A hundred times the unit of a power near 1: with the digits of floats there would be nothing of it.
  expect(run("elu", "float", [[-(2 ** -46)]])).toEqual([-(2 ** -46)]);
  expect(run("elu", "double", [[-0.25]], false)).toEqual(run("elu", "double", [[-0.25]]));
});

for (const name of ["hamming", "bit"] as const) {
  test(`${name} of bytes, and of what is none`, () => {
    const x: number[] = [];
    const y: number[] = [];
    for (const one of [
      ...corners,
      ...Array.from({ length: 64 }, (_, at) => at * 8.25 - 260),
      2 ** 31 + 5,
      -(2 ** 40) - 3,
    ])
      for (const other of [
        -1,
        -0.5,
        0,
        1,
        3.9,
        7,
        7.5,
        8,
        97,
        -43,
        1e9,
        Number.NaN,
        Number.POSITIVE_INFINITY,
      ]) {
        x.push(one);
        y.push(other);
      }
    for (const cellType of ["double", "float"] as const) {
      const inputs = [x, y].map((numbers) => (cellType === "float" ? numbers.map(Math.fround) : numbers));
      const [first = [], second = []] = inputs;
      const expected = first.map((each, at) => scalarFunctions[name].compute(each, second[at] ?? 0));
      expect(run(name, cellType, inputs)).toEqual(expected);
    }
  });
}
