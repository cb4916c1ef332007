import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verify } from "../../src/backends/engine/ir/verify.js";
import type { Access, Instruction, Loop, Stride } from "../../src/backends/engine/loop.js";
import { segmentLoops } from "../../src/backends/engine/loops/segments.js";
import { Arena, type Block } from "../../src/backends/engine/memory/arena.js";
import { compile, parseType, Tensor } from "../../src/index.js";
import { type CellType, cellTypes, readCell, writeCell } from "../../src/language/types/cell.js";
import { holds } from "../chance.js";
import { plainly } from "./plain-loop.js";
import { planFor } from "./plans.js";

/** Sums over segments of neighbouring rows with the loop that reads them: as one kernel, and in plans. */

const arena = new Arena({ maximumBytes: 2 ** 26 });
const lower = segmentLoops(arena);

const untouched = -77;

const pairs = fc.record({
  /** How many rows each segment has. */
  segments: fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 5 })), {
    minLength: 1,
    maxLength: 12,
  }),
  /** The cells of an inner axis; 0 where there is none. */
  inner: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 32 })),
  summed: fc.tuple(
    fc.constantFrom<CellType>("double", "float", "int8"),
    fc.constantFrom<CellType>("double", "float"),
  ),
  read: fc.constantFrom<CellType>("double", "float", "bfloat16"),
  written: fc.constantFrom<CellType>("double", "float", "bfloat16", "int8"),
  isRounded: fc.boolean(),
  /** Whether rows are looked up, and where rows are written to. */
  isLookedUp: fc.boolean(),
  isScattered: fc.boolean(),
  /** Whether what is read along with a sum is the same for all of its inner axis. */
  isOfRow: fc.boolean(),
  isOdd: fc.boolean(),
  seed: fc.nat({ max: 1_000_000 }),
});
type Pair = typeof pairs extends fc.Arbitrary<infer Value> ? Value : never;

const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0];

/** Multiples of 1/16 below 4, whose products and sums no double rounds; and seldom something else. */
function blockOf(cellType: CellType, length: number, seed: number, isOdd: boolean): Block {
  const block = arena.allocate(cellType, length) as Block;
  for (let at = 0; at < length; at++) {
    const mixed = Math.imul((seed + at * 7919) ^ ((seed + at * 7919) >>> 15), 0x2c1b3c6d) >>> 0;
    const isOwn = isOdd && mixed % 23 === 0;
    writeCell(cellType, block.cells, at, isOwn ? (odd[mixed % 4] as number) : ((mixed >>> 4) % 127) / 16 - 4);
  }
  return block;
}

function tableOf(entries: readonly number[]): Stride {
  const block = arena.allocate("int", entries.length) as Block;
  for (const [at, entry] of entries.entries()) block.cells[at] = entry;
  return { block };
}

/** The loop that sums, and the one that reads the sums with something else and writes what becomes of them. */
function loopsOf({
  segments,
  inner,
  summed,
  read,
  written,
  isOdd,
  seed,
  ...how
}: Pair): readonly [Loop, Loop] {
  const rows = segments.reduce((sum, each) => sum + each, 0);
  const width = Math.max(inner, 1);
  const shape = (size: number) => [size, inner].filter((each, at) => at === 0 || each > 0);
  const axes = (size: number) => shape(size).map((each) => ({ size: each, isReduced: false }));
  const strides = (row: Stride, cell: number): readonly Stride[] => (inner === 0 ? [row] : [row, cell]);
  const access = (cellType: CellType, length: number, along: readonly Stride[], mixed: number): Access => ({
    slot: { block: blockOf(cellType, length, seed + mixed, isOdd) },
    cellType,
    offset: 0,
    strides: along,
  });
  const lookUp = (size: number, step: number): Stride =>
    tableOf(Array.from({ length: size }, (_, at) => ((at * 5 + seed) % 7) * step));
  const offsets = segments.flatMap((count, at) => Array.from({ length: count }, () => at * width));
  const sums = access("double", segments.length * width, strides(tableOf(offsets), 1), 1);
  const summing: Loop = {
    axes: axes(rows),
    sources: [
      how.isLookedUp
        ? access(summed[0], 7 * width, strides(lookUp(rows, width), 1), 2)
        : access(summed[0], rows * width, strides(width, 1), 2),
      access(summed[1], rows, strides(1, 0), 3),
    ],
    body: [
      { op: "read", source: 0 },
      { op: "read", source: 1 },
      { op: "apply", function: "multiply", arguments: [0, 1] },
    ],
    target: sums,
    aggregator: "sum",
  };
  const back = Array.from(segments.keys(), (at) => (segments.length - 1 - at) * (width + 1));
  const target = access(
    written,
    segments.length * (width + 1),
    strides(how.isScattered ? tableOf(back) : width + 1, 1),
    4,
  );
  const beside = how.isOfRow
    ? access(read, segments.length, strides(1, 0), 5)
    : access(read, 7 * width, strides(lookUp(segments.length, width), 1), 5);
  const rounded: readonly Instruction[] = how.isRounded ? [{ op: "store", cellType: "float", value: 0 }] : [];
  const reading: Loop = {
    axes: axes(segments.length),
    sources: [{ ...sums, strides: strides(width, 1) }, beside],
    body: [
      { op: "read", source: 0 },
      ...rounded,
      { op: "read", source: 1 },
      { op: "apply", function: "add", arguments: [rounded.length, 1 + rounded.length] },
      { op: "apply", function: "relu", arguments: [2 + rounded.length] },
    ],
    target,
  };
  return [summing, reading];
}

/** What a kernel writes that is not what the two loops come to one after the other, part by part from here on. */
function faults([summing, reading]: readonly [Loop, Loop], parts: readonly number[]): string[] {
  const { target } = reading;
  const { cells } = target.slot.block;
  for (let at = 0; at < target.slot.block.length; at++) writeCell(target.cellType, cells, at, untouched);
  const step = lower(summing, reading);
  if (step === undefined) return ["declined"];
  const ends = [...parts.map((part) => part % step.extent).toSorted((a, b) => a - b), step.extent];
  let from = 0;
  for (const end of ends) {
    step.run(from, end);
    from = end;
  }
  for (const [cell, value] of plainly(summing).values) summing.target.slot.block.cells[cell] = value;
  const expected = plainly(reading).values;
  const wrong: string[] = [];
  for (let at = 0; at < target.slot.block.length; at++) {
    const value = cellTypes[target.cellType].store(expected.get(at) ?? untouched);
    const actual = readCell(target.cellType, cells, at);
    if (!Object.is(actual + 0, value + 0)) wrong.push(`cell ${at}: ${actual} for ${value}`);
  }
  return wrong;
}

test("a kernel computes what the two loops do one after the other", () => {
  holds(
    fc.property(pairs, fc.array(fc.nat(20), { maxLength: 3 }), (pair, parts) => {
      expect(faults(loopsOf(pair), parts)).toEqual([]);
    }),
    400,
  );
});

test("a kernel declines more sums than it could hold", () => {
  const pair: Omit<Pair, "inner"> = {
    ...{ segments: [1, 2], summed: ["float", "float"], read: "float", written: "float", seed: 1 },
    ...{ isRounded: true, isLookedUp: false, isScattered: false, isOfRow: false, isOdd: false },
  };
  const declines = (inner: number): boolean => lower(...loopsOf({ ...pair, inner })) === undefined;
  expect([32, 33].map(declines)).toEqual([false, true]);
});

const labels = `tensor<float>(label{},row{}):{{label:a,row:0}:1,{label:a,row:2}:2,{label:b,row:1}:3,{label:c,row:0}:4}`;
const weights = `tensor<float>(label{}):{a:1,b:2,c:3,d:4}`;
const vectors = `tensor<float>(f[2],label{}):{a:[1,2],b:[3,4],c:[5,6],d:[7,8]}`;
const rows = `tensor<float>(row{}):{0:1,1:2,2:3}`;
const inputs = { x: labels, w: weights, v: vectors, r: rows };
const declared = `input x: tensor<float>(label{},row{})
input w: tensor<float>(label{})
input v: tensor<float>(f[2],label{})
input r: tensor<float>(row{})
`;

describe("in a plan", () => {
  const segmentedIn = (text: string): number =>
    planFor(declared + text, inputs)
      .stages.flatMap(({ steps }) => steps)
      .filter((step) => step.kind === "loop" && step.isSegmented === true).length;

  // biome-ignore format: a table
  test.each([
    { name: "sums of labels that are put among others", text: "merge(w, sum(x * r, row), f(a,b)(a + b))",                 count: 1 },
    { name: "sums of blocks",                           text: "merge(v, sum(x * v * r, row), f(a,b)(a + b))",             count: 1 },
    { name: "sums that are a result, too",              text: "s = sum(x * r, row)\ns\nmerge(w, s, f(a,b)(a + b))",       count: 0 },
    { name: "sums that are read twice",                 text: "s = sum(x * r, row)\nmerge(w, s, f(a,b)(a + b)) + sum(s)", count: 0 },
    { name: "sums whose rows lie apart",                text: "merge(r, sum(x * w, label), f(a,b)(a + b))",               count: 0 },
    { name: "a greatest cell",                          text: "merge(w, max(x * r, row), f(a,b)(a + b))",                 count: 0 },
  ])("$name", ({ text, count }) => {
    expect(segmentedIn(text)).toBe(count);
  });

  test.each([
    ["sums that are a result, too", "s = sum(x * r, row)\ns\nmerge(w, s, f(a,b)(a + b))"],
    ["sums that are read twice", "s = sum(x * r, row)\nmerge(w, s, f(a,b)(a + b)) + sum(s)"],
    ["a loop that no other one reads", "x * r"],
  ])("it is a fault to take %s for segments", (_, text) => {
    const plan = planFor(declared + text, inputs);
    const taken = plan.stages.map((stage) => {
      const first = stage.steps.find(({ kind }) => kind === "loop");
      return {
        ...stage,
        steps: stage.steps.map((step) => (step === first ? { ...step, isSegmented: true } : step)),
      };
    });
    expect(() => verify(plan)).not.toThrow();
    expect(() => verify({ ...plan, stages: taken })).toThrow(/segments/);
  });
});

const sparse = fc.record({
  cells: fc.uniqueArray(
    fc.record({ label: fc.nat(9), row: fc.nat(5), value: fc.integer({ min: -8, max: 8 }) }),
    { minLength: 1, maxLength: 30, selector: ({ label, row }) => `${label} ${row}` },
  ),
  width: fc.integer({ min: 1, max: 9 }),
  loss: fc.constantFrom(
    "sum(sum(v * x, label) ^ 2)",
    "sum((sum(w * x, label) - r) ^ 2)",
    "sum(sum(v * x, label) ^ 2 - sum(v * v * x * x, label)) + sum(w)",
    "sum(max(sum(v * x, label), f) * r)",
  ),
});

test("gradients of sparse variables are those of the reference", () => {
  holds(
    fc.property(sparse, ({ cells, width, loss }) => {
      const text = `input x: tensor(label{},row{})
input w: tensor(label{})
input v: tensor(f[${width}],label{})
input r: tensor(row{})
loss = ${loss}
gradient(loss, w)
gradient(loss, v)`;
      const numbers = (size: number) => Array.from({ length: size }, (_, at) => `${at}`);
      const values = {
        x: Tensor.from(
          parseType("tensor(label{},row{})"),
          cells.map(({ label, row, value }) => ({ address: { label: `${label}`, row: `${row}` }, value })),
        ),
        w: Tensor.from(
          parseType("tensor(label{})"),
          numbers(10).map((label) => ({ address: { label }, value: Number(label) - 4 })),
        ),
        v: Tensor.from(
          parseType(`tensor(f[${width}],label{})`),
          numbers(10).flatMap((label) =>
            numbers(width).map((f) => ({
              address: { f: Number(f), label },
              value: Number(f) - Number(label),
            })),
          ),
        ),
        r: Tensor.from(
          parseType("tensor(row{})"),
          numbers(6).map((row) => ({ address: { row }, value: Number(row) })),
        ),
      };
      const [engine, reference] = (["engine", "reference"] as const).map((backend) =>
        compile(text, { backend })
          .prepare()
          .runAll(values)
          .map((tensor) => `${tensor}`),
      );
      expect(engine).toEqual(reference);
    }),
    60,
  );
});
