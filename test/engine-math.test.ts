import { expect, test } from "vitest";
import { Arena, type Block } from "../src/backends/engine/arena.js";
import type { Instruction } from "../src/backends/engine/loop.js";
import { fusedLoops } from "../src/backends/engine/loops/lowering.js";
import { type ScalarName, scalarFunctions } from "../src/language/scalar/functions.js";

/**
 * Mathematics in lanes against that of JavaScript (and our own erf), over all of the numbers there are: doubles to a few
 * units in the last place, floats to two.
 */
const arena = new Arena({ maximumBytes: 2 ** 26 });
const lower = fusedLoops(arena);

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
  const wanted = Math.fround(exact);
  if (Object.is(found, wanted) || (Number.isNaN(found) && Number.isNaN(wanted))) return 0;
  if (!Number.isFinite(found) || !Number.isFinite(wanted)) {
    // Just below the greatest float, one rounding may give Infinity and another not.
    return Math.abs(exact) > 3.4028e38 && Math.abs(found) > 3.4028e38 ? 1 : Number.POSITIVE_INFINITY;
  }
  bits.setFloat32(0, Math.abs(wanted));
  const next = bits.getUint32(0) + 1;
  bits.setUint32(0, next);
  const unit = bits.getFloat32(0) - Math.abs(wanted);
  return Math.abs(found - exact) / unit;
}

let state = 12345;
const random = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

const corners = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  2,
  -2,
  10,
  100,
  1000,
  1e15,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  5e-324,
  -5e-324,
  2.2250738585072014e-308,
  2.225073858507201e-308,
  1.7976931348623157e308,
  -1.7976931348623157e308,
  709.782712893384,
  709.7827128933841,
  -708.3964185322641,
  -745.1332191019411,
  -745.1332191019412,
  -746,
  88.72283,
  88.7229,
  -87.33655,
  -103.97207,
  -103.9721,
  1 - 2 ** -53,
  1 + 2 ** -52,
  Math.SQRT2,
  Math.SQRT1_2,
  Math.E,
  1e-8,
  -1e-8,
  19.0615,
  22,
  -22,
  2 ** -149,
  2 ** -126,
  3.4028234663852886e38,
];

function samples(range: "all" | number): number[] {
  const numbers = [...corners];
  for (let count = 0; count < 20_000; count++) {
    const [one, other] = [random(), random()];
    if (typeof range === "number") numbers.push((2 * one - 1) * range, (2 * one - 1) * 2 ** (-40 * other));
    else numbers.push((one + 0.5) * 2 ** Math.round((2 * other - 1) * 1074), 0.5 + one);
  }
  return numbers;
}

function run(
  name: ScalarName,
  cellType: "double" | "float",
  inputs: readonly (readonly number[])[],
  mayBeLanes = true,
): number[] {
  const size = inputs[0]?.length ?? 0;
  const blocks = inputs.map((numbers) => {
    const block = arena.allocate(cellType, size) as Block;
    for (const [at, number] of numbers.entries()) block.cells[at] = number;
    return block;
  });
  const target = arena.allocate(cellType, size) as Block;
  const reads = inputs.map((_, source): Instruction => ({ op: "read", source }));
  const step = lower({
    axes: mayBeLanes ? [{ size, isReduced: false }] : [],
    sources: blocks.map((block) => ({ slot: { block }, cellType, offset: 0, steps: mayBeLanes ? [1] : [] })),
    body: [
      ...reads,
      { op: "apply", function: name, arguments: [...reads.keys()] },
      { op: "store", cellType, value: reads.length },
    ],
    target: { slot: { block: target }, cellType, offset: 0, steps: mayBeLanes ? [1] : [] },
  });
  step?.run(0, step.extent);
  const results = Array.from(target.cells, Number);
  for (const block of [...blocks, target]) arena.dispose(block);
  return results;
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
    const wanted = scalarFunctions[name].compute(x, y);
    const units = cellType === "double" ? unitsBetween(value, wanted) : floatUnitsBetween(value, wanted);
    if (units > most) {
      most = units;
      text = `${name}(${x}${y === undefined ? "" : `, ${y}`}) = ${value}, not ${wanted}`;
    }
  }
  return most <= allowed ? "near" : `${text}: ${most} units`;
}

const functions: readonly (readonly [ScalarName, "all" | number, number?])[] = [
  ["exp", 760],
  ["sigmoid", 760],
  ["tanh", 25, 3], // of which V8's own is up to two units off

  ["log", "all"],
  ["log10", "all"],
  ["erf", 7],
];

for (const [name, range, allowed] of functions) {
  for (const cellType of ["double", "float"] as const) {
    test(`${name} of ${cellType}s is near to JavaScript's`, () => {
      expect(worst(name, cellType, [samples(range)], allowed)).toBe("near");
    });
  }
  test(`${name} of one number is that of lanes`, () => {
    for (const x of [0.3, -0, 2, Number.NaN, -800]) {
      expect(run(name, "double", [[x]], false)).toEqual(run(name, "double", [[x]]));
      expect(run(name, "float", [[x]], false)).toEqual(run(name, "float", [[x]]));
    }
  });
}

for (const cellType of ["double", "float"] as const) {
  test(`pow of ${cellType}s is near to JavaScript's`, () => {
    const special = [...corners, 3, -3, 0.25, -7, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1.5, -1.5, 0.1, 33, -33];
    const bases = special.flatMap((x) => special.map(() => x));
    const exponents = special.flatMap(() => special);
    expect(worst("pow", cellType, [bases, exponents])).toBe("near");
    const x: number[] = [];
    const y: number[] = [];
    for (let count = 0; count < 30_000; count++) {
      const size = 2 ** ((random() * 2 - 1) * (count % 3 === 0 ? 1074 : count % 3 === 1 ? 20 : 0.5));
      x.push(count % 7 === 0 ? -size : size);
      const most = Math.min(1080 / Math.abs(Math.log2(size)), 1e6);
      const exponent = (random() * 2 - 1) * most;
      y.push(count % 7 === 0 ? Math.round(exponent) : exponent);
    }
    expect(worst("pow", cellType, [x, y])).toBe("near");
  });
}

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
      const wanted = first.map((each, at) => scalarFunctions[name].compute(each, second[at] ?? 0));
      expect(run(name, cellType, inputs)).toEqual(wanted);
    }
  });
}
