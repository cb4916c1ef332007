import fc from "fast-check";
import { expect, test } from "vitest";
import { type ScalarName, scalarFunctions } from "../../src/language/scalar/functions.js";
import { holds } from "../chance.js";
import { corners, evenly, many, run } from "./scalar-runs.js";

/**
 * Mathematics in lanes against that of JavaScript (and our own erf), over all of the numbers there are: doubles to a few
 * units in the last place, floats to two, or two and a half.
 */
const bits = new DataView(new ArrayBuffer(8));

/** How many doubles lie between two, both of one sign. */
function unitsBetween(one: number, other: number): number {
  if (Object.is(one, other) || (Number.isNaN(one) && Number.isNaN(other))) return 0;
  if (Number.isNaN(one) || Number.isNaN(other)) return Number.POSITIVE_INFINITY;
  if (Math.sign(one) !== Math.sign(other) && one !== 0 && other !== 0) return Number.POSITIVE_INFINITY;
  const place = (value: number): bigint => {
    bits.setFloat64(0, Math.abs(value));
    return bits.getBigUint64(0);
  };
  if (one === 0 && other === 0) return Number.POSITIVE_INFINITY; // of the two signs
  const distance = Number(place(one) - place(other));
  return Math.abs(distance);
}

function floatUnitsBetween(found: number, exact: number): number {
  const expected = Math.fround(exact);
  if (Object.is(found, expected) || (Number.isNaN(found) && Number.isNaN(expected))) return 0;
  if (!Number.isFinite(found) || !Number.isFinite(expected)) {
    // Just below the greatest float, one rounding may give Infinity and another not.
    return Math.abs(exact) > 3.4028e38 && Math.abs(found) > 3.4028e38 ? 1 : Number.POSITIVE_INFINITY;
  }
  bits.setFloat32(0, Math.abs(expected));
  const next = bits.getUint32(0) + 1;
  bits.setUint32(0, next);
  const unit = bits.getFloat32(0) - Math.abs(expected);
  return Math.abs(found - exact) / unit;
}

/** Many numbers from -range to range, of all sizes and evenly; or of all that there are, and some about 1. */
function samples(range: "all" | number): fc.Arbitrary<number[]> {
  const number =
    range === "all"
      ? fc.oneof(
          fc.double(),
          evenly.map((x) => 1 + x / 2),
        )
      : fc.oneof(
          fc.double({ min: -range, max: range }),
          evenly.map((x) => x * range),
        );
  return many(number);
}

function worst(
  name: ScalarName,
  cellType: "double" | "float",
  inputs: readonly (readonly number[])[],
  allowed = 2,
): string {
  const rounded = inputs.map((numbers) => (cellType === "float" ? numbers.map(Math.fround) : numbers));
  const found = run(name, cellType, rounded);
  let most = -1;
  let text = "";
  for (const [at, value] of found.entries()) {
    const [x, y] = rounded.map((numbers) => numbers[at] ?? 0) as [number, number];
    const expected = scalarFunctions[name].compute(x, y);
    const units = cellType === "double" ? unitsBetween(value, expected) : floatUnitsBetween(value, expected);
    if (units > most) {
      most = units;
      text = `${name}(${x}${y === undefined ? "" : `, ${y}`}) = ${value}, not ${expected}`;
    }
  }
  return most <= allowed ? "near" : `${text}: ${most} units`;
}

interface Measured {
  readonly name: ScalarName;
  readonly ranges: readonly ("all" | number)[];
  /** How many units a double and a float may be off, where that is not two. */
  readonly double?: number;
  readonly float?: number;
}

// biome-ignore format: a table
const functions: readonly Measured[] = [
  { name: "exp",     ranges: [760] },
  { name: "sigmoid", ranges: [760], float: 2.5 }, // e to the power of -x, the sum with 1 and the quotient round: 2.36 at most
  { name: "tanh",    ranges: [25], float: 3 },
  { name: "sinh",    ranges: [760, 1], float: 3 },
  { name: "cosh",    ranges: [760] },
  { name: "log",     ranges: ["all"] },
  { name: "log10",   ranges: ["all"] },
  { name: "erf",     ranges: [7], float: 3 },
  { name: "sin",     ranges: ["all", 30, 1e7] },
  { name: "cos",     ranges: ["all", 30, 1e7] },
  { name: "tan",     ranges: ["all", 30, 1e7], double: 3, float: 3 }, // sine, cosine and quotient round
  { name: "asin",    ranges: [1.01] },
  { name: "acos",    ranges: [1.01] },
  { name: "asinh",   ranges: ["all", 5] },
  { name: "acosh",   ranges: ["all", 5] },
  { name: "atanh",   ranges: [1.01] },
  { name: "atan",    ranges: ["all", 10] },
];

for (const { name, ranges, ...allowed } of functions) {
  for (const cellType of ["double", "float"] as const) {
    test(`${name} of ${cellType}s is near to JavaScript's`, () => {
      const isNear = (numbers: readonly number[]): void => {
        expect(worst(name, cellType, [numbers], allowed[cellType])).toBe("near");
      };
      isNear(corners);
      for (const range of ranges) holds(fc.property(samples(range), isNear), 40);
    });
  }
  test(`${name} of one number is that of lanes`, () => {
    for (const x of [0.3, -0, 2, Number.NaN, -800]) {
      expect(run(name, "double", [[x]], false)).toEqual(run(name, "double", [[x]]));
      expect(run(name, "float", [[x]], false)).toEqual(run(name, "float", [[x]]));
    }
  });
}

test("tanh of doubles is near where subtracting 1 cancels the digits of a power", () => {
  const numbers = Array.from({ length: 100_000 }, (_, at) => 0.17 + at * 2e-7);
  expect(worst("tanh", "double", [numbers])).toBe("near");
});

test("the rest of an angle is exact where quarter turns leave next to nothing of it", () => {
  // By 400 digits of Python's mpmath; the first is the double that is nearest to a multiple of π/2, where there is one.
  const angles = [6381956970095103 * 2 ** 797, 1.5707963267948966, 411557987];
  expect(run("cos", "double", [angles])).toEqual([-4.687165924254628e-19, 6.123233995736766e-17, 1]);
  const tangents = [2.133485385753704e18, -1.633123935319537e16, -2.5367160519636766e-9];
  expect(run("tan", "double", [angles.map((x) => -x)])).toEqual(tangents);
});

for (const cellType of ["double", "float"] as const) {
  test(`atan2 of ${cellType}s is near to JavaScript's`, () => {
    const special = [...corners, 3, -3, Math.fround(0.1), 1e308, -1e308, 1e-310, -1e-310, 1e-40];
    const ys = special.flatMap((y) => special.map(() => y));
    const xs = special.flatMap(() => special);
    expect(worst("atan2", cellType, [ys, xs])).toBe("near");
    const isNear = (points: readonly (readonly [number, number])[]): void => {
      expect(worst("atan2", cellType, [points.map(([y]) => y), points.map(([, x]) => x)])).toBe("near");
    };
    holds(fc.property(many(fc.tuple(evenly, evenly)), isNear), 40);
    holds(fc.property(many(fc.tuple(fc.double(), fc.double())), isNear), 40);
  });
}

for (const cellType of ["double", "float"] as const) {
  test(`pow of ${cellType}s is near to JavaScript's`, () => {
    const special = [...corners, 3, -3, 0.25, -7, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1.5, -1.5, 0.1, 33, -33];
    const bases = special.flatMap((x) => special.map(() => x));
    const exponents = special.flatMap(() => special);
    expect(worst("pow", cellType, [bases, exponents])).toBe("near");
    const isNear = (powers: readonly Power[]): void => {
      const inputs = [powers.map(({ base }) => base), powers.map(({ exponent }) => exponent)];
      expect(worst("pow", cellType, inputs)).toBe("near");
    };
    holds(fc.property(many(powers), isNear), 30);
  });
}

for (const cellType of ["double", "float"] as const) {
  test(`fmod of ${cellType}s is JavaScript's %`, () => {
    const special = [
      ...corners,
      3,
      7,
      1e16,
      1e300,
      1e-300,
      2 ** 53 - 1,
      2 ** 50,
      0.1,
      5.300000000000001,
      33,
      6e-39,
    ];
    const xs = special.flatMap((x) => special.map(() => x));
    const ys = special.flatMap(() => special);
    expect(worst("fmod", cellType, [xs, ys], 0)).toBe("near");
    const isEqual = (divisions: readonly Division[]): void => {
      const inputs = [divisions.map(({ x }) => x), divisions.map(({ y }) => y)];
      expect(worst("fmod", cellType, inputs, 0)).toBe("near");
    };
    holds(fc.property(many(divisions), isEqual), 60);
  });
}

test("log10 of a power of ten is its exponent", () => {
  const exponents = Array.from({ length: 23 }, (_, at) => at);
  const powers = exponents.map((exponent) => Number(`1e${exponent}`)); // doubles, without rounding
  expect([...run("log10", "double", [powers])]).toEqual(exponents);
  const few = exponents.slice(0, 11);
  expect([...run("log10", "float", [powers.slice(0, 11)])]).toEqual(few);
});

interface Power {
  readonly base: number;
  readonly exponent: number;
}

/** Powers that are mostly numbers. */
const powers = fc
  .tuple(fc.constantFrom(1074, 20, 0.5), evenly, evenly, fc.nat(6))
  .map(([most, x, y, kind]): Power => {
    const base = 2 ** (x * most);
    const exponent = y * Math.min(1080 / Math.abs(Math.log2(base)), 1e6);
    return kind === 0 ? { base: -base, exponent: Math.round(exponent) } : { base, exponent };
  });

interface Division {
  readonly x: number;
  readonly y: number;
}

/** Any numbers, whole ones, and such that a multiple of the divisor is near. */
const divisions = fc.oneof(
  fc.record<Division>({ x: fc.double(), y: fc.double() }),
  fc.record<Division>({ x: fc.integer(), y: fc.integer({ min: -100, max: 100 }) }),
  fc
    .record({
      y: fc.double({ min: 1e-30, max: 1e30 }),
      times: fc.maxSafeNat(),
      by: fc.integer({ min: -2, max: 2 }),
    })
    .map(({ y, times, by }): Division => ({ x: y * times * (1 + by * 2 ** -52), y })),
  fc
    .record({
      y: fc.double({ min: 1e-30, max: 1e30 }),
      times: fc.nat({ max: 3000 }),
      by: fc.integer({ min: -2, max: 2 }),
    })
    .map(({ y, times, by }): Division => ({ x: y * times * (1 + by * 2 ** -23), y })),
);
