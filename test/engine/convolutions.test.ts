import fc from "fast-check";
import { expect, test } from "vitest";
import { contractions } from "../../src/backends/engine/contractions/lowering.js";
import type { Access, Loop, Slot } from "../../src/backends/engine/loop.js";
import { type CellType, writeCell } from "../../src/language/types/cell.js";
import { holds } from "../chance.js";
import { arena, differences, multiply, run, summary } from "./contractions.js";

/**
 * Convolutions as contractions: windows that overlap, of which often some lie next to each other in memory, by filters that are
 * packed once, into a target whose cells lie next to each other along the windows. Beside a plain loop, within the bound of D16.
 */

const special = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, 3e38, -3e38, 1e-40];

/** A number for a cell, from a seed: mostly ordinary. Filters are tame: terms that are too great are infinite by definition. */
function numberOf(seed: number, isTame: boolean): number {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) >>> 0;
  if (!isTame && mixed % 61 === 0) return special[(mixed >>> 8) % special.length] as number; // within the list
  return ((mixed >>> 4) % 2001) / 1000 - 1;
}

function slotOf(cellType: CellType, length: number, seed: number, isTame: boolean): Slot {
  const block = arena.allocate(cellType, length);
  if (block === undefined) throw new Error("no memory");
  for (let at = 0; at < length; at++)
    writeCell(cellType, block.cells, at, numberOf(seed + at * 7919, isTame));
  return { block };
}

const shapes = fc.record({
  filters: fc.integer({ min: 1, max: 40 }),
  channels: fc.integer({ min: 1, max: 12 }),
  high: fc.integer({ min: 1, max: 9 }),
  wide: fc.integer({ min: 1, max: 17 }),
  kernel: fc.integer({ min: 1, max: 4 }),
  stride: fc.integer({ min: 1, max: 2 }),
  gap: fc.integer({ min: 0, max: 3 }),
  cellTypes: fc.constantFrom<readonly [CellType, CellType, CellType]>(
    ["float", "float", "float"],
    ["float", "float", "float"],
    ["double", "double", "double"],
    ["float", "bfloat16", "float"],
    ["int8", "float", "double"],
  ),
  isLastFilter: fc.boolean(),
  isTame: fc.boolean(),
  seed: fc.nat({ max: 1_000_000 }),
});
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never;

function convolution(shape: Shape): Loop {
  const { filters, channels, high, wide, kernel, stride, gap, seed, isTame } = shape;
  const [ofImage, ofWeights, ofTarget] = shape.cellTypes;
  const line = (wide - 1) * stride + kernel + gap;
  const plane = line * ((high - 1) * stride + kernel);
  const [own, area] = [channels * kernel * kernel, high * wide];
  const access = (
    cellType: CellType,
    length: number,
    offset: number,
    strides: readonly number[],
    areTame = true,
  ): Access => ({
    slot: slotOf(cellType, length + offset, seed + length, areTame),
    cellType,
    offset,
    strides,
  });
  const target = shape.isLastFilter ? [1, wide * filters, filters, 0, 0, 0] : [area, wide, 1, 0, 0, 0];
  const sizes = [filters, high, wide, channels, kernel, kernel];
  return {
    axes: sizes.map((size, at) => ({ size, isReduced: at > 2 })),
    sources: [
      access(ofImage, channels * plane, 3, [0, line * stride, stride, plane, line, 1], isTame),
      access(ofWeights, filters * own, 0, [own, 0, 0, kernel * kernel, kernel, 1]),
    ],
    body: [
      ...multiply,
      ...(ofTarget === "float" ? [{ op: "store", cellType: "float", value: 2 } as const] : []),
    ],
    target: access(ofTarget, filters * area, 1, target),
    aggregator: "sum",
  };
}

test("convolutions of any shapes, whichever operand is packed once", () => {
  let covered = 0;
  holds(
    fc.property(
      shapes,
      fc.boolean(),
      fc.constantFrom(undefined, 0, 1),
      fc.nat(20),
      (shape, wide, fixed, cut) => {
        const loop = convolution(shape);
        const isFixed = (slot: Slot): boolean => fixed !== undefined && loop.sources[fixed]?.slot === slot;
        const step = contractions(arena, { wide, isFixed })(loop);
        if (step === undefined) return;
        covered++;
        for (const cuts of [[], [cut]]) {
          run(loop, step, cuts);
          const found = differences(loop);
          expect({ loop: summary(loop), found }).toEqual({ loop: summary(loop), found: [] });
        }
      },
    ),
    150,
  );
  expect(covered).toBeGreaterThan(75);
});

test("sums of each depth at which they are added up otherwise", () => {
  for (const channels of [2, 32, 33, 255, 256, 257, 511, 512, 513, 1025]) {
    const shape = { filters: 17, channels, high: 2, wide: 7, kernel: 1, stride: 1, gap: 0 };
    for (const isTame of [true, false]) {
      const types = ["float", "float", "float"] as const;
      const loop = convolution({ ...shape, cellTypes: types, isLastFilter: false, isTame, seed: channels });
      const isFixed = (slot: Slot): boolean => loop.sources[1]?.slot === slot;
      const step = contractions(arena, { isFixed })(loop);
      if (step === undefined) throw new Error("no step");
      run(loop, step);
      expect({ channels, found: differences(loop) }).toEqual({ channels, found: [] });
    }
  }
});
