import fc from "fast-check";
import { expect, test } from "vitest";
import { Arena, type Block } from "../src/backends/engine/arena.js";
import type {
  Access,
  Along,
  Axis,
  Instruction,
  Loop,
  LoopAggregator,
  Step,
} from "../src/backends/engine/loop.js";
import { fusedLoops } from "../src/backends/engine/loops/lowering.js";
import { aggregators } from "../src/scalar/aggregators.js";
import { type ScalarName, scalarFunctions } from "../src/scalar/functions.js";
import { type CellType, cellTypes, readCell, writeCell } from "../src/types/cell.js";

/**
 * Fused loops against the plainest way to run a loop: one place after the other, one instruction after the other, in
 * the numbers and with the functions by which they are defined.
 */
const arena = new Arena({ maximumBytes: 2 ** 26 });
const lower = fusedLoops(arena);

interface Result {
  readonly values: Map<number, number>;
  /** For sums: how large the terms are together. */
  readonly sizes: Map<number, number>;
}

function plainly(loop: Loop): Result {
  const values = new Map<number, number>();
  const rests = new Map<number, number>();
  const sizes = new Map<number, number>();
  const along = (step: Along | undefined, place: number): number =>
    typeof step === "object" ? Number(step.block.cells[place]) : (step ?? 0) * place;
  const cellOf = ({ offset, steps }: Access, places: readonly number[]): number =>
    places.reduce((sum, place, axis) => sum + along(steps[axis], place), offset);
  const visit = (places: readonly number[]): void => {
    const axis = loop.axes[places.length];
    if (axis !== undefined) {
      for (let place = 0; place < axis.size; place++) visit([...places, place]);
      return;
    }
    const numbers: number[] = [];
    for (const each of loop.body) {
      const at = (index: number): number => numbers[index] ?? Number.NaN;
      numbers.push(
        each.op === "read"
          ? ((source) => readCell(source.cellType, source.slot.block.cells, cellOf(source, places)))(
              loop.sources[each.source] as Access,
            )
          : each.op === "constant"
            ? each.value
            : each.op === "place"
              ? (places[each.axis] ?? 0)
              : each.op === "select"
                ? at(each.condition) !== 0
                  ? at(each.yes)
                  : at(each.no)
                : each.op === "store"
                  ? cellTypes[each.cellType].store(at(each.value))
                  : scalarFunctions[each.function].compute(
                      at(each.arguments[0] ?? -1),
                      at(each.arguments[1] ?? -1),
                    ),
      );
    }
    const value = numbers.at(-1) ?? Number.NaN;
    const cell = cellOf(loop.target, places);
    const before = values.get(cell);
    if (loop.aggregator === undefined) values.set(cell, value);
    else if (loop.aggregator === "sum") {
      const total = (before ?? 0) + value;
      const [large, small] =
        Math.abs(before ?? 0) >= Math.abs(value) ? [before ?? 0, value] : [value, before ?? 0];
      if (Number.isFinite(total)) rests.set(cell, (rests.get(cell) ?? 0) + (large - total + small));
      values.set(cell, total);
      sizes.set(cell, (sizes.get(cell) ?? 0) + Math.abs(value));
    } else {
      const fold = foldOf(loop.aggregator);
      values.set(
        cell,
        before === undefined && fold.start === undefined
          ? value
          : fold.step(before ?? fold.start ?? 0, value),
      );
    }
  };
  const start = loop.aggregator === undefined ? undefined : foldOf(loop.aggregator).start;
  if (start !== undefined && loop.axes.some(({ size, isReduced }) => size === 0 && isReduced)) {
    const prepare = (places: readonly number[]): void => {
      const axis = loop.axes[places.length];
      if (axis === undefined) values.set(cellOf(loop.target, places), start);
      else for (let place = 0; place < (axis.isReduced ? 1 : axis.size); place++) prepare([...places, place]);
    };
    prepare([]);
  }
  visit([]);
  for (const [cell, rest] of rests) {
    const total = values.get(cell) ?? 0;
    if (Number.isFinite(total)) values.set(cell, total + rest);
  }
  return { values, sizes };
}

function foldOf(name: LoopAggregator): { start?: number; step: (a: number, b: number) => number } {
  return aggregators[name];
}

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
  readonly axes: readonly Axis[];
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
function stepsOf(
  axes: readonly Axis[],
  order: readonly number[],
  kinds: readonly number[],
  seed: number,
): { steps: Along[]; length: number; lowest: number } {
  const steps: Along[] = axes.map(() => 0);
  let stride = 1;
  let lowest = 0;
  for (const axis of order) {
    const size = axes[axis]?.size;
    if (size === undefined) continue;
    const kind = kinds[axis] ?? 0;
    if (kind === 0) continue;
    if (kind === 1) {
      lowest -= stride * Math.max(size - 1, 0);
      steps[axis] = -stride;
    } else if (kind === 2) {
      const places = Array.from(
        { length: size },
        (_, at) => (Math.abs(numberOf(seed + at, true) * 16) % (size + 1)) * stride,
      );
      steps[axis] = tableOf(places.map(Math.round));
      stride *= 1;
      stride *= size + 2;
      continue;
    } else steps[axis] = kind === 3 ? stride * 2 : stride;
    stride *= (kind === 3 ? 2 : 1) * Math.max(size, 1);
  }
  return { steps, length: stride, lowest: -lowest };
}

function made(recipe: Recipe): Loop {
  const { axes: given, aggregator } = recipe;
  const sources = recipe.sources.map(({ cellType, seed, kinds, offset }): Access => {
    const order = kinds[0] === 9 ? [0, 1, 2] : [2, 1, 0];
    const { steps, length, lowest } = stepsOf(given, order, kinds, seed);
    const block = blockOf(cellType, length + offset, seed, recipe.isTame);
    return { slot: { block }, cellType, offset: offset + lowest, steps };
  });
  const body: Instruction[] = sources.map((_, source) => ({ op: "read", source }));
  for (const { kind, pick, operands, value } of recipe.body) {
    const [one, two, three] = operands.map((each) => each % body.length) as [number, number, number];
    const name = simpleNames[pick % simpleNames.length] as ScalarName;
    const type = knownTypes[pick % knownTypes.length] as CellType;
    if (kind === 0) body.push({ op: "constant", value: [...special, ...odd][value] as number });
    else if (kind === 1 && given.length > 0) body.push({ op: "place", axis: pick % given.length });
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
  const { steps, length } = stepsOf(axes, recipe.target.order, kinds, 3);
  const hasTables = steps.some((step) => typeof step === "object");
  // What is summed decays to float or double.
  const wanted = recipe.target.cellType;
  const cellType = hasTables ? "double" : aggregator === "sum" ? cellTypes[wanted].decaysTo : wanted;
  const block = arena.allocate(cellType, length + 3) as Block;
  return { axes, sources, body, target: { slot: { block }, cellType, offset: 2, steps }, aggregator };
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
    const wanted = cellTypes[cellType].store(value ?? untouched);
    if (isSame(found, wanted)) continue;
    const size = sizes.get(at);
    // Sums may be rounded otherwise (D16); and where terms are too large, which sum overflows depends on the order.
    const tolerance = (size ?? 0) * (cellType === "double" ? 1e-14 : 1.06e-6);
    const isNear =
      size !== undefined &&
      (!(size < 1e300) || Math.abs(found - (value ?? 0)) <= tolerance + Number.MIN_VALUE);
    if (!isNear) throw new Error(`cell ${at}: found ${found}, wanted ${wanted}`);
  }
}

/** A balanced tree of choices over features, whose leaves are numbers; the instruction of its root. */
function grow(body: Instruction[], features: number, depth: number, seed: number): number {
  const push = (instruction: Instruction): number => body.push(instruction) - 1;
  const mixed = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  if (depth === 0) return push({ op: "constant", value: (mixed % 2000) / 1000 - 1 });
  const bound = push({ op: "constant", value: (mixed % 97) / 97 });
  const condition = push({ op: "apply", function: "less", arguments: [mixed % features, bound] });
  const yes = grow(body, features, depth - 1, mixed);
  const no = grow(body, features, depth - 1, mixed + 1);
  return push({ op: "select", condition, yes, no });
}

function scalarLoop(features: readonly number[], grown: (body: Instruction[]) => void): Loop {
  const sources = features.map((feature): Access => {
    const block = arena.allocate("double", 1) as Block;
    block.cells[0] = feature;
    return { slot: { block }, cellType: "double", offset: 0, steps: [] };
  });
  const body = sources.map((_, source): Instruction => ({ op: "read", source }));
  grown(body);
  const target: Access = {
    slot: { block: arena.allocate("double", 1) as Block },
    cellType: "double",
    offset: 0,
    steps: [],
  };
  return { axes: [], sources, body, target };
}

test("a forest of 400 trees is one program", () => {
  const loop = scalarLoop(
    Array.from({ length: 20 }, (_, at) => ((at * 37) % 20) / 20),
    (body) => {
      let sum = 0;
      for (let tree = 0; tree < 400; tree++) {
        const root = grow(body, 20, 5, tree * 131);
        sum = sum === 0 ? root : body.push({ op: "apply", function: "add", arguments: [sum, root] }) - 1;
      }
    },
  );
  check(loop, lower(loop) as Step, 1);
});

test("long chains, and values that many others use, are no obstacle", () => {
  for (const length of [10, 1000, 30_000]) {
    const loop = scalarLoop([0.5, 3], (body) => {
      for (let link = 0; link < length; link++) {
        const { length: next } = body;
        const name = link % 3 === 0 ? "add" : link % 3 === 1 ? "multiply" : "subtract";
        body.push({
          op: "apply",
          function: name,
          arguments: [next - 1, link % 7 === 0 ? next - 2 : link % 2],
        });
        if (link % 5 === 0) body.push({ op: "apply", function: "min", arguments: [next, 1] });
      }
    });
    check(loop, lower(loop) as Step, 1);
  }
});

test("fused loops give what the loop says", () => {
  let covered = 0;
  fc.assert(
    fc.property(recipes, fc.integer({ min: 1, max: 4 }), (recipe, parts) => {
      const loop = made(recipe);
      if (loop.aggregator?.startsWith("vespa") && loop.axes.some(({ size }) => size === 0)) return;
      const step = lower(loop);
      if (step === undefined) return;
      covered += 1;
      check(loop, step, parts);
      check(loop, step, 1);
    }),
    { numRuns: Number(process.env.LOOP_RUNS ?? 400) },
  );
  expect(covered).toBeGreaterThan(200);
});

test("long sums of equal terms are as exact as short ones", () => {
  for (const cellType of ["double", "float"] as const) {
    const source: Block = arena.allocate(cellType, 8) as Block;
    for (let at = 0; at < 8; at++) source.cells[at] = 0.1;
    const term = Number(source.cells[0]);
    const size = 10_000_000;
    const sums: readonly { axes: readonly Axis[]; from: readonly number[]; to: readonly number[] }[] = [
      { axes: [{ size, isReduced: true }], from: [0], to: [0] },
      {
        axes: [
          { size, isReduced: true },
          { size: 5, isReduced: false },
        ],
        from: [0, 1],
        to: [0, 1],
      },
      {
        axes: [
          { size: 2, isReduced: false },
          { size, isReduced: true },
        ],
        from: [4, 0],
        to: [1, 0],
      },
    ];
    for (const { axes, from, to } of sums) {
      const target = arena.allocate(cellType, 5) as Block;
      const loop: Loop = {
        axes,
        sources: [{ slot: { block: source }, cellType, offset: 0, steps: from }],
        body: [{ op: "read", source: 0 }],
        target: { slot: { block: target }, cellType, offset: 0, steps: to },
        aggregator: "sum",
      };
      const step = lower(loop) as Step;
      for (let at = 0; at < step.extent; at += 1_234_567) step.run(at, Math.min(at + 1_234_567, step.extent));
      const kept = axes.find(({ isReduced }) => !isReduced)?.size ?? 1;
      for (let at = 0; at < kept; at++) {
        const error = Math.abs(Number(target.cells[at]) / (size * term) - 1);
        expect(error).toBeLessThanOrEqual(cellType === "double" ? 1e-14 : 1e-6);
      }
    }
  }
});
