import { expect, test, vi } from "vitest";
import type { Access } from "../../src/backends/engine/loop.js";
import { fusedLoops } from "../../src/backends/engine/loops/lowering.js";
import { Arena } from "../../src/backends/engine/memory/arena.js";
import { compile } from "../../src/program/compile.js";
import { nearlyFull } from "../hunt/memory.js";

/** What only some machines do: loops of closures in tiles, and what becomes of a run for which memory is too small. */

const sizes = [
  // The last axis is longer than a tile, and two are walked around it.
  { x: 3, y: 4, z: 3000 },
  // The last axis is within a tile, the one before it is split, and one is walked around both.
  { x: 5, y: 50, z: 100 },
  // All is one tile.
  { x: 2, y: 3, z: 4 },
  // A part of the axis that is split is left over.
  { x: 3, y: 2049, z: 1 },
];

test.each(sizes)("closures go through all of $x × $y × $z cells", ({ x, y, z }) => {
  const program = compile(`a * 10000 + b`, {
    inputs: { a: `tensor(x[${x}],z[${z}])`, b: `tensor(y[${y}],z[${z}])` },
    backend: "closures",
  });
  const a = Float64Array.from({ length: x * z }, (_, at) => at % 101);
  const b = Float64Array.from({ length: y * z }, (_, at) => at % 103);
  const expected = Float64Array.from({ length: x * y * z }, (_, at) => {
    const [row, column, last] = [Math.floor(at / (y * z)), Math.floor(at / z) % y, at % z];
    return ((row * z + last) % 101) * 10_000 + ((column * z + last) % 103);
  });
  expect(program.run({ a, b }).data).toEqual(expected);
});

/** A vector is 80 kB, and the memory of the hunt is one of a megabyte that is filled with more and more blocks. */
const length = 10_000;

test.each([0, 1, 2, 3, 4, 5])("a run for which memory is too small gives what others give: %i", (levels) => {
  const a = Float64Array.from({ length }, (_, at) => at % 7);
  const b = Float64Array.from({ length }, (_, at) => at % 5);
  const results = nearlyFull(levels, () => {
    const program = compile("s = sum(a * b)\nexp(a - a) * s + b\ncell_order(a * b, min)", {
      inputs: { a: `tensor(x[${length}])`, b: `tensor(x[${length}])` },
    });
    const first = program.runAll({ a, b }).results;
    const second = program.runAll({ a: b, b }).results;
    return [first, second].map((each) => each.map(({ data }) => Array.from(data, Number)));
  });
  for (const [at, [sums, ranks]] of results.entries()) {
    const left = at === 0 ? a : b;
    const products = left.map((value, index) => value * (b[index] ?? 0));
    const sum = products.reduce((total, each) => total + each, 0);
    expect(sums).toEqual(Array.from(b, (each) => sum + each));
    const order = [...products.keys()].sort((i, j) => (products[i] ?? 0) - (products[j] ?? 0) || i - j);
    const expected = new Array<number>(length);
    for (const [rank, index] of order.entries()) expected[index] = rank;
    expect(ranks).toEqual(expected);
  }
});

test.each(["engine", "closures"] as const)("sums of floats are added up in doubles: %s", (backend) => {
  const terms = 4001;
  const inputs = { a: `tensor<float>(x[${terms}])`, b: `tensor<float>(x[${terms}])` };
  // A float has no room for 1 beside 2 ** 24.
  const a = new Float32Array(terms).fill(1);
  a[0] = 2 ** 24;
  const b = new Float32Array(terms);
  for (const text of ["sum(a + b)", "sum(max(a, b))", "sum(a - b, x) + 0", "avg(a + b) * 4001"]) {
    const { data } = compile(text, { inputs, backend }).run({ a, b });
    expect(Number(data[0]) / (2 ** 24 + terms - 1)).toBeCloseTo(1, 6);
  }
});

test("what shares cells with a disposed result keeps them", () => {
  const inputs = { t: `tensor(x[${length}])` };
  const one = compile("s = t + 1\ns\nrename(s, x, y)\ns * 2", { inputs, backend: "engine" });
  const other = compile("t * 0 - 7", { inputs, backend: "engine" });
  const t = Float64Array.from({ length }, (_, at) => at);
  const expected = Array.from(t, (value) => value + 1);
  for (const disposed of [0, 1]) {
    const { results } = one.runAll({ t });
    results[disposed]?.dispose();
    const overwriting = Array.from({ length: 5 }, () => other.run({ t }));
    expect(overwriting.every(({ data }) => data.every((cell) => cell === -7))).toBe(true);
    expect(Array.from(results[1 - disposed]?.data ?? [], Number)).toEqual(expected);
    expect(Array.from(results[2]?.data ?? [], Number)).toEqual(expected.map((value) => 2 * value));
  }
});

test("kernels have memory that is not shared where there is no other, as in most pages", () => {
  vi.stubGlobal("SharedArrayBuffer", undefined);
  try {
    const arena = new Arena({ maximumBytes: 2 ** 20 });
    const cells = (from: number): Access => {
      const block = arena.allocate("double", 100) ?? expect.unreachable();
      for (let at = 0; at < 100; at++) block.cells[at] = from + at;
      return { slot: { block }, cellType: "double", offset: 0, strides: [1] };
    };
    const target = cells(0);
    const step = fusedLoops(arena)({
      axes: [{ size: 100, isReduced: false }],
      sources: [cells(5)],
      body: [
        { op: "read", source: 0 },
        { op: "apply", function: "add", arguments: [0, 0] },
      ],
      target,
      aggregator: undefined,
    });
    step?.run(0, step.extent);
    expect(arena.isShared).toBe(false);
    expect(Array.from(target.slot.block.cells, Number)).toEqual(
      Array.from({ length: 100 }, (_, at) => 10 + 2 * at),
    );
  } finally {
    vi.unstubAllGlobals();
  }
});
