import fc from "fast-check";
import { expect, test } from "vitest";
import type {
  Access,
  Instruction,
  Loop,
  LoopAggregator,
  LoopAxis,
  Step,
  Stride,
} from "../../src/backends/engine/loop.js";
import { fusedLoops } from "../../src/backends/engine/loops/lowering.js";
import { Arena, type Block } from "../../src/backends/engine/memory/arena.js";
import { type ScalarName, scalarFunctions } from "../../src/language/scalar/functions.js";
import { type CellType, cellTypes, readCell, writeCell } from "../../src/language/types/cell.js";
import { isNear } from "../../src/language/values/near.js";
import { holds } from "../chance.js";
import { plainly } from "./plain-loop.js";

/** Fused loops against the plainest way to run them, on loops of all kinds. */
const arena = new Arena({ maximumBytes: 2 ** 26 });
const lower = fusedLoops(arena);

const special = [
  0,
  -0,
  1,
  -1,
  0.5,
  -2.5,
  2.5,
  127.5,
  -129,
  300,
  1e-310,
  1e300,
  -1e300,
  5e9,
  -3e9,
  1e19,
  2 ** 64 + 2 ** 13,
];
const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** A number for a cell, from a seed: mostly ordinary, sometimes not. */
function numberOf(seed: number, isTame: boolean): number {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) >>> 0;
  const kind = mixed % 16;
  if (!isTame && kind === 0) return odd[(mixed >>> 8) % odd.length] as number;
  if (!isTame && kind < 4) return special[(mixed >>> 8) % special.length] as number;
  return ((mixed >>> 4) % 2001) / 16 - 60;
}

function blockOf(cellType: CellType, length: number, seed: number, isTame: boolean): Block {
  const block = arena.allocate(cellType, length) as Block;
  for (let at = 0; at < length; at++)
    writeCell(cellType, block.cells, at, numberOf(seed + at * 7919, isTame));
  return block;
}

function tableOf(places: readonly number[]): { block: Block } {
  const block = arena.allocate("int", places.length) as Block;
  for (const [at, place] of places.entries()) block.cells[at] = place;
  return { block };
}

const simpleNames = [
  "add",
  "subtract",
  "multiply",
  "divide",
  "max",
  "min",
  "vespaMax",
  "vespaMin",
  "relu",
  "abs",
  "negate",
  "sign",
  "round",
  "floor",
  "ceil",
  "sqrt",
  "square",
  "equal",
  "notEqual",
  "less",
  "lessOrEqual",
  "greater",
  "greaterOrEqual",
  "and",
  "or",
  "not",
  "isNan",
  "isInfinite",
  "trunc",
  "round_even",
  "bit_and",
  "bit_xor",
  "fmod",
  "hamming",
  "bit",
  "ldexp",
  "approximately",
] as const satisfies readonly ScalarName[];
const knownTypes = [
  "double",
  "float",
  "bfloat16",
  "int8",
  "short",
  "int",
  "long",
  "half",
] as const satisfies readonly CellType[];

interface Recipe {
  readonly axes: readonly LoopAxis[];
  readonly aggregator: LoopAggregator | undefined;
  readonly sources: readonly {
    readonly cellType: CellType;
    readonly seed: number;
    readonly kinds: readonly number[];
    readonly offset: number;
  }[];
  readonly target: {
    readonly cellType: CellType;
    readonly order: readonly number[];
    readonly tables: readonly number[];
  };
  readonly body: readonly {
    readonly kind: number;
    readonly pick: number;
    readonly operands: readonly [number, number, number];
    readonly value: number;
  }[];
  readonly isTame: boolean;
}

const small = fc.nat({ max: 1_000_000 });
const recipes: fc.Arbitrary<Recipe> = fc.record({
  axes: fc.array(
    fc.record({
      size: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) },
        { weight: 3, arbitrary: fc.integer({ min: 6, max: 40 }) },
        { weight: 1, arbitrary: fc.constant(0) },
      ),
      isReduced: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  aggregator: fc.option(
    fc.constantFrom<LoopAggregator>("sum", "max", "min", "prod", "vespaMax", "vespaMin"),
    {
      nil: undefined,
    },
  ),
  sources: fc.array(
    fc.record({
      cellType: fc.constantFrom<CellType>("double", "double", "float", "float", ...knownTypes),
      seed: small,
      kinds: fc.array(fc.nat({ max: 9 }), { minLength: 3, maxLength: 3 }),
      offset: fc.nat({ max: 5 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  target: fc.record({
    cellType: fc.constantFrom<CellType>("double", "double", "float", "float", ...knownTypes),
    order: fc.shuffledSubarray([0, 1, 2], { minLength: 3, maxLength: 3 }),
    tables: fc.array(fc.nat({ max: 9 }), { minLength: 3, maxLength: 3 }),
  }),
  body: fc.array(
    fc.record({
      kind: fc.nat({ max: 9 }),
      pick: small,
      operands: fc.tuple(small, small, small),
      value: fc.nat({ max: special.length + odd.length - 1 }),
    }),
    { maxLength: 8 },
  ),
  isTame: fc.boolean(),
});

/** The steps of an access with some order of its axes, some of them left out, reversed, or through a table. */
function stridesOf(
  axes: readonly LoopAxis[],
  order: readonly number[],
  kinds: readonly number[],
  seed: number,
): { strides: Stride[]; length: number; lowest: number } {
  const strides: Stride[] = axes.map(() => 0);
  let stride = 1;
  let lowest = 0;
  for (const axis of order) {
    const size = axes[axis]?.size;
    if (size === undefined) continue;
    const kind = kinds[axis] ?? 0;
    if (kind === 0) continue;
    if (kind === 1) {
      lowest -= stride * Math.max(size - 1, 0);
      strides[axis] = -stride;
    } else if (kind === 2) {
      const places = Array.from(
        { length: size },
        (_, at) => (Math.abs(numberOf(seed + at, true) * 16) % (size + 1)) * stride,
      );
      strides[axis] = tableOf(places.map(Math.round));
      stride *= 1;
      stride *= size + 2;
      continue;
    } else strides[axis] = kind === 3 ? stride * 2 : stride;
    stride *= (kind === 3 ? 2 : 1) * Math.max(size, 1);
  }
  return { strides, length: stride, lowest: -lowest };
}

function made(recipe: Recipe): Loop {
  const { axes: given, aggregator } = recipe;
  const sources = recipe.sources.map(({ cellType, seed, kinds, offset }): Access => {
    const order = kinds[0] === 9 ? [0, 1, 2] : [2, 1, 0];
    const { strides, length, lowest } = stridesOf(given, order, kinds, seed);
    const block = blockOf(cellType, length + offset, seed, recipe.isTame);
    return { slot: { block }, cellType, offset: offset + lowest, strides };
  });
  const body: Instruction[] = sources.map((_, source) => ({ op: "read", source }));
  for (const { kind, pick, operands, value } of recipe.body) {
    const [one, two, three] = operands.map((each) => each % body.length) as [number, number, number];
    const name = simpleNames[pick % simpleNames.length] as ScalarName;
    const type = knownTypes[pick % knownTypes.length] as CellType;
    if (kind === 0) body.push({ op: "constant", value: [...special, ...odd][value] as number });
    else if (kind === 1 && given.length > 0) body.push({ op: "index", axis: pick % given.length });
    else if (kind === 2) body.push({ op: "select", condition: one, yes: two, no: three });
    else if (kind < 5) body.push({ op: "store", cellType: kind === 3 ? "float" : type, value: one });
    else {
      const count = scalarFunctions[name].parameters.length;
      body.push({ op: "apply", function: name, arguments: [one, two].slice(0, count) });
    }
  }
  const axes = given.map(({ size, isReduced }) => ({
    size,
    isReduced: aggregator !== undefined && isReduced,
  }));
  const kinds = axes.map(({ isReduced }, at) => {
    if (isReduced) return 0;
    return aggregator !== undefined && recipe.target.tables[at] === 2 ? 2 : 4;
  });
  const { strides, length } = stridesOf(axes, recipe.target.order, kinds, 3);
  const hasTables = strides.some((step) => typeof step === "object");
  // What is summed decays to float or double.
  const expected = recipe.target.cellType;
  const cellType = hasTables ? "double" : aggregator === "sum" ? cellTypes[expected].decaysTo : expected;
  const block = arena.allocate(cellType, length + 3) as Block;
  return {
    axes,
    sources,
    body,
    target: { slot: { block }, cellType, offset: 2, strides },
    aggregator,
  };
}

const isSame = (one: number, other: number): boolean =>
  Object.is(one, other) || (Number.isNaN(one) && Number.isNaN(other));

/** Sets cells that nothing should touch, runs the step in the given parts, and compares all cells. */
function check(loop: Loop, step: Step, parts: number): void {
  const { cells } = loop.target.slot.block;
  const { cellType } = loop.target;
  const untouched = 77;
  for (let at = 0; at < cells.length; at++) writeCell(cellType, cells, at, untouched);
  const { values, sizes } = plainly(loop);
  const stride = Math.max(1, Math.ceil(step.extent / parts));
  for (let from = 0; from < step.extent; from += stride) step.run(from, Math.min(from + stride, step.extent));
  for (let at = 0; at < cells.length; at++) {
    const found = readCell(cellType, cells, at);
    const value = values.get(at);
    const expected = cellTypes[cellType].store(value ?? untouched);
    if (isSame(found, expected)) continue;
    const size = sizes.get(at);
    // Sums may be rounded otherwise (D16); and where terms are too large, which sum overflows depends on the order.
    const tolerance = (size ?? 0) * (cellType === "double" ? 1e-14 : 1.06e-6);
    const hasFiniteTerms = Number.isFinite(size);
    // Of terms of which some are not finite, that is what the sum is, whatever their order; of large ones some order may overflow.
    const mayOverflow = hasFiniteTerms && (size ?? 0) >= 1e300;
    const isFound =
      size !== undefined &&
      (hasFiniteTerms
        ? isNear(found, value ?? 0, tolerance + Number.MIN_VALUE) || (mayOverflow && !Number.isFinite(found))
        : isSame(found, expected));
    if (!isFound) throw new Error(`cell ${at}: found ${found}, wanted ${expected}`);
  }
}

/** What other ways of running are left to do. */
function mayBeDeclined({ target, aggregator }: Loop): boolean {
  return aggregator !== undefined && target.strides.some((step) => typeof step === "object");
}

test("fused loops give what the loop says", () => {
  let covered = 0;
  holds(
    fc.property(recipes, fc.integer({ min: 1, max: 4 }), (recipe, parts) => {
      const loop = made(recipe);
      if (loop.aggregator?.startsWith("vespa") && loop.axes.some(({ size }) => size === 0)) return;
      const step = lower(loop);
      if (step === undefined) {
        expect(mayBeDeclined(loop)).toBe(true);
        return;
      }
      covered += 1;
      check(loop, step, parts);
      check(loop, step, 1);
    }),
    400,
  );
  expect(covered).toBeGreaterThan(200);
});

const windows = fc.record({
  cells: fc.integer({ min: 1, max: 75 }),
  kernel: fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })),
  stride: fc.integer({ min: 1, max: 3 }),
  aggregator: fc.constantFrom<LoopAggregator>("sum", "max", "min", "prod", "vespaMax", "vespaMin"),
  cellType: fc.constantFrom<CellType>("double", "float", "float", ...knownTypes),
  isWeighted: fc.boolean(),
  seed: small,
});

test("windows over an axis that is computed in lanes give what the loop says, with every stride", () => {
  holds(
    fc.property(windows, ({ cells, kernel, stride, aggregator, cellType, isWeighted, seed }) => {
      const [lines, [high, wide]] = [3, kernel];
      const width = (cells - 1) * stride + wide;
      const block = blockOf(cellType, (lines + high) * width + 2, seed, seed % 2 === 0);
      const weights = blockOf("float", high * wide + 2, seed + 1, true);
      const read: Access = { slot: { block }, cellType, offset: 2, strides: [width, stride, width, 1] };
      const strides = [0, 0, wide, 1];
      const weight: Access = { ...read, slot: { block: weights }, cellType: "float", strides };
      const product: Instruction = { op: "apply", function: "multiply", arguments: [0, 1] };
      const reads = [0, 1].map((source): Instruction => ({ op: "read", source }));
      const target = cellTypes[cellType].decaysTo;
      const loop: Loop = {
        axes: [lines, cells, high, wide].map((size, at) => ({ size, isReduced: at > 1 })),
        sources: isWeighted ? [read, weight] : [read],
        body: isWeighted ? [...reads, product] : reads.slice(0, 1),
        target: {
          slot: { block: arena.allocate(target, lines * cells + 3) as Block },
          cellType: target,
          offset: 2,
          strides: [cells, 1, 0, 0],
        },
        aggregator,
      };
      const step = lower(loop);
      if (step === undefined) throw new Error("a loop without tables is covered");
      check(loop, step, 2);
    }),
    200,
  );
});
