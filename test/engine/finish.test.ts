import fc from "fast-check";
import { expect, test } from "vitest";
import { contractions } from "../../src/backends/engine/contractions/lowering.js";
import type { Access, Instruction, Loop, Slot, Step } from "../../src/backends/engine/loop.js";
import { fusedLoops } from "../../src/backends/engine/loops/lowering.js";
import { lower } from "../../src/backends/engine/machine/tiered-step.js";
import { scalarFunctions } from "../../src/language/scalar/functions.js";
import { readCell, writeCell } from "../../src/language/types/cell.js";
import { holds } from "../chance.js";
import { arena, expected, multiply, run } from "./contractions.js";

/**
 * Sums of products with what is computed of each sum where it is summed: a bias, what is added from elsewhere, limits, into a target
 * with a border. All of that grows with the sum, so what is computed of the least and the greatest number that D16 allows for
 * a sum bounds the result.
 */

const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3e38, -3e38, -0];

function floats(length: number, seed: number, isTame: boolean): Slot {
  const block = arena.allocate("float", length);
  if (block === undefined) throw new Error("no memory");
  for (let at = 0; at < length; at++) {
    const mixed = Math.imul((seed + at * 7919) ^ ((seed + at * 7919) >>> 15), 0x2c1b3c6d) >>> 0;
    const isSpecial = !isTame && mixed % 97 === 0;
    const number = isSpecial
      ? (special[(mixed >>> 8) % special.length] ?? 0)
      : ((mixed >>> 4) % 2001) / 1000 - 1;
    writeCell("float", block.cells, at, number);
  }
  return { block };
}

const shapes = fc.record({
  filters: fc.integer({ min: 1, max: 40 }),
  channels: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(129, 260)),
  high: fc.integer({ min: 1, max: 9 }),
  wide: fc.integer({ min: 1, max: 20 }),
  kernel: fc.constantFrom(1, 1, 1, 2, 3),
  stride: fc.integer({ min: 1, max: 2 }),
  border: fc.integer({ min: 0, max: 2 }),
  isLastFilter: fc.boolean(),
  isTame: fc.boolean(),
  hasBias: fc.boolean(),
  isAdded: fc.boolean(),
  limits: fc.constantFrom("none", "relu", "clip"),
  seed: fc.nat({ max: 1_000_000 }),
});
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never;

/** The instructions behind the sum, which is the first. */
function finishOf({ hasBias, isAdded, limits }: Shape): readonly Instruction[] {
  const finish: Instruction[] = [];
  let last = 0;
  const add = (instruction: Instruction): number => finish.push(instruction);
  const addSource = (source: number): void => {
    const read = add({ op: "read", source });
    const sum = add({ op: "apply", function: "add", arguments: [last, read] });
    last = add({ op: "store", cellType: "float", value: sum });
  };
  if (hasBias) addSource(2);
  if (isAdded) addSource(3);
  if (limits === "relu") last = add({ op: "apply", function: "relu", arguments: [last] });
  if (limits === "clip") {
    const least = add({ op: "constant", value: 0 });
    last = add({ op: "apply", function: "max", arguments: [last, least] });
    const most = add({ op: "constant", value: 6 });
    last = add({ op: "apply", function: "min", arguments: [last, most] });
  }
  add({ op: "store", cellType: "float", value: last });
  return finish;
}

function finishedConvolution(shape: Shape): Loop {
  const { filters, channels, high, wide, stride, border, seed, isTame } = shape;
  const kernel = channels > 40 ? 1 : shape.kernel;
  const line = (wide - 1) * stride + kernel;
  const plane = line * ((high - 1) * stride + kernel);
  const own = channels * kernel * kernel;
  const [broad, area] = [wide + 2 * border, (wide + 2 * border) * (high + 2 * border)];
  const access = (length: number, strides: readonly number[], areTame = isTame, offset = 0): Access => ({
    slot: floats(length, seed + length, areTame),
    cellType: "float",
    offset,
    strides,
  });
  const sizes = [filters, high, wide, channels, kernel, kernel];
  const target = shape.isLastFilter
    ? access(filters * high * wide, [1, wide * filters, filters, 0, 0, 0], true)
    : access(filters * area, [area, broad, 1, 0, 0, 0], true, border * broad + border);
  const added = shape.isLastFilter ? [1, wide * filters, filters, 0, 0, 0] : [high * wide, wide, 1, 0, 0, 0];
  return {
    axes: sizes.map((size, at) => ({ size, isReduced: at > 2 })),
    sources: [
      access(channels * plane, [0, line * stride, stride, plane, line, 1]),
      access(filters * own, [own, 0, 0, kernel * kernel, kernel, 1], true),
      access(filters, [1, 0, 0, 0, 0, 0]),
      access(filters * high * wide, added),
    ],
    body: [...multiply, { op: "store", cellType: "float", value: 2 }],
    target,
    aggregator: "sum",
    finish: finishOf(shape),
  };
}

/** What the finish makes of a sum, for the cell at these indexes. */
function finished({ finish = [], sources }: Loop, sum: number, indexes: readonly number[]): number {
  const values = [Math.fround(sum)];
  const at = (number: number): number => values[number] ?? Number.NaN;
  for (const each of finish) {
    if (each.op === "constant") values.push(each.value);
    else if (each.op === "store") values.push(Math.fround(at(each.value)));
    else if (each.op === "read") {
      const { slot, offset, strides } = sources[each.source] as Access; // there are four
      const cell = indexes.reduce((sum, index, axis) => sum + index * Number(strides[axis]), offset);
      values.push(readCell("float", slot.block.cells, cell));
    } else if (each.op === "apply")
      values.push(
        (scalarFunctions[each.function].compute as (...of: number[]) => number)(...each.arguments.map(at)),
      );
  }
  return values.at(-1) ?? Number.NaN;
}

const untouched = 12345;

function faults(loop: Loop, { filters, high, wide }: Shape): string[] {
  const sums = expected(loop);
  const { cells } = loop.target.slot.block;
  const wrong: string[] = [];
  const seen = new Set<number>();
  for (let filter = 0; filter < filters; filter++)
    for (let y = 0; y < high; y++)
      for (let x = 0; x < wide; x++) {
        const indexes = [filter, y, x];
        const cell = indexes.reduce(
          (sum, index, axis) => sum + index * Number(loop.target.strides[axis]),
          loop.target.offset,
        );
        seen.add(cell);
        const { sum, magnitude, terms } = sums.get(cell) ?? { sum: 0, magnitude: 0, terms: 0 };
        const bound = 1e-6 * magnitude + 2 ** -23 * Math.abs(sum) + (terms + 1) * 2 ** -149;
        const allowed = Number.isFinite(sum) ? bound : 0;
        const [least, most] = [sum - allowed, sum + allowed].map((each) => finished(loop, each, indexes));
        const got = readCell("float", cells, cell);
        const isWithin =
          Number.isNaN(least) || Number.isNaN(most)
            ? Number.isNaN(got)
            : got >= (least ?? 0) && got <= (most ?? 0);
        if (!isWithin) wrong.push(`cell ${cell}: ${got}, not from ${least} to ${most}`);
      }
  for (let cell = 0; cell < cells.length; cell++)
    if (!seen.has(cell) && readCell("float", cells, cell) !== untouched)
      wrong.push(`cell ${cell} was written`);
  return wrong;
}

const described = (shape: Shape, step: Step): string => `${JSON.stringify(shape)}: ${step.description}`;

const fixedSlots = new Set<Slot>();
const isFixed = (slot: Slot): boolean => fixedSlots.has(slot);
const [narrow, wideOnes] = [false, true].map((wide) => contractions(arena, { wide, isFixed }));

test("what is computed of sums is computed where they are summed", () => {
  let covered = 0;
  holds(
    fc.property(
      shapes,
      fc.boolean(),
      fc.constantFrom(undefined, 0, 1),
      fc.nat(20),
      (shape, wide, fixed, cut) => {
        const loop = finishedConvolution(shape);
        fixedSlots.clear();
        const operand = fixed === undefined ? undefined : loop.sources[fixed];
        if (operand !== undefined) fixedSlots.add(operand.slot);
        const step = (wide ? wideOnes : narrow)?.(loop);
        if (step === undefined) return;
        covered++;
        for (const cuts of [[], [cut]]) {
          run(loop, step, cuts);
          expect({ of: described(shape, step), found: faults(loop, shape) }).toEqual({
            of: described(shape, step),
            found: [],
          });
        }
      },
    ),
    60,
  );
  expect(covered).toBeGreaterThan(20);
});

test("what no kernel finishes is computed in the target, interpreted and compiled", () => {
  holds(
    fc.property(shapes, fc.boolean(), fc.nat(20), (shape, isCompiled, cut) => {
      const loop = finishedConvolution({ ...shape, channels: Math.min(shape.channels, 5), isTame: true });
      const step = lower(loop, { compiled: isCompiled ? [fusedLoops(arena)] : [] }, "before running");
      for (const cuts of [[], [cut]]) {
        run(loop, step, cuts);
        expect({ of: described(shape, step), found: faults(loop, shape) }).toEqual({
          of: described(shape, step),
          found: [],
        });
      }
    }),
    40,
  );
});
