import { expect, test } from "vitest";
import type { RangeStep } from "../../src/backends/engine/ir/step.js";
import type { Slot } from "../../src/backends/engine/loop.js";
import { compiledRange } from "../../src/backends/engine/machine/range-step.js";
import type { StepContext } from "../../src/backends/engine/machine/steps.js";
import { Arena } from "../../src/backends/engine/memory/arena.js";

/** Whether cells are of middling size, by the kernel and by plain loops: one cell among others, wherever it is. */

const limits = { double: 2 ** 200, float: 2 ** 50 } as const;

/** What the step finds of these cells. */
function found(
  cellType: keyof typeof limits,
  cells: readonly number[],
  emitsCode: boolean,
): number | undefined {
  const arena = new Arena();
  const [source, target] = [arena.allocate(cellType, cells.length), arena.allocate("double", 1)];
  if (source === undefined || target === undefined) throw new Error("there is memory");
  source.cells.set(cells as never); // neither is of whole numbers of 64 bits
  const step = {
    buffers: [source],
    limit: limits[cellType],
    writes: target,
    isOnce: false,
  } as unknown as RangeStep; // what it reads of it
  const slotOf = (buffer: unknown): Slot => ({ block: buffer }) as Slot; // and of a slot
  compiledRange(step, { arena, emitsCode, slotOf } as StepContext).step.run(0, 1);
  return Number(target.cells[0]);
}

/** What a cell may be, of a limit and the part by which numbers beside 1 differ from it. */
// biome-ignore format: a table
test.each<[string, (limit: number, step: number) => number, number]>([
  ["infinite",              () => Number.NEGATIVE_INFINITY,        0],
  ["no number",             () => Number.NaN,                      0],
  ["as large as the limit", (limit) => -limit,                     0],
  ["somewhat smaller",      (limit) => limit * (1 - 2 ** -20),     1],
  ["larger",                (limit, step) => limit * (1 + step),   0],
  ["its reciprocal",        (limit) => 1 / limit,                  0],
  ["next to that",          (limit, step) => -(1 + step) / limit,  1],
  ["smaller",               (limit, step) => -(1 - step) / limit,  0],
  ["denormal",              (_, step) => step * 2 ** (step === 2 ** -52 ? -1022 : -126), 0],
  ["zero",                  () => 0,                               1],
  ["negative zero",         () => -0,                              1],
])("a cell that is %s", (_, odd, expected) => {
  for (const [cellType, step] of [["double", 2 ** -52], ["float", 2 ** -23]] as const)
    for (const length of [1, 7, 8, 9, 16, 17, 61])
      for (let at = 0; at < length; at++) {
        const cell = odd(limits[cellType], step);
        const cells = Array.from({ length }, (_, each) => (each === at ? cell : (each % 5) - 2));
        for (const emitsCode of [true, false]) expect(found(cellType, cells, emitsCode)).toBe(expected);
      }
});

test("what lies behind the cells does not count, nor does another cell type", () => {
  const cells = Array.from({ length: 16 }, (_, at) => at + 1);
  expect(found("float", [...cells, Number.NaN], true)).toBe(0);
  expect(found("float", cells, true)).toBe(1);
  expect(found("double", [], true)).toBe(1);
});
