import { expect, test } from "vitest";
import type { Access, Instruction, Loop } from "../../src/backends/engine/loop.js";
import { fusedLoops } from "../../src/backends/engine/loops/lowering.js";
import { Arena, type Block } from "../../src/backends/engine/memory/arena.js";
import {
  type CellType,
  cellTypeNames,
  cellTypes,
  readCell,
  writeCell,
} from "../../src/language/types/cell.js";

/** Kernels store numbers in cells, and read them, as the language says it: every cell that 16 bits can be, and numbers around them. */
const arena = new Arena({ maximumBytes: 2 ** 27 });
const lower = fusedLoops(arena);

const doubles = new DataView(new ArrayBuffer(8));

/** A double, and the nearest ones on its either side. */
function around(value: number): readonly number[] {
  if (!Number.isFinite(value) || value === 0) return [value];
  doubles.setFloat64(0, value);
  const bits = doubles.getBigInt64(0);
  return [-1n, 0n, 1n].map((step) => {
    doubles.setBigInt64(0, bits + step);
    return doubles.getFloat64(0);
  });
}

/** The numbers of all cells of a type of 16 bits, and those half-way between neighbours. */
function numbersOf(cellType: "half" | "bfloat16"): readonly number[] {
  const cells = Uint16Array.from({ length: 2 ** 16 }, (_, bits) => bits);
  const numbers = Array.from(cells, (_, at) => readCell(cellType, cells, at));
  return numbers.flatMap((number, at) => [number, ...around((number + (numbers[at + 1] ?? number)) / 2)]);
}

const bounds = [7, 8, 15, 16, 24, 31, 32, 52, 53, 63, 64, 65, 127, 128, 1023].flatMap((power) => {
  const bound = 2 ** power;
  return [bound, bound - 1, bound - 0.5, bound + 0.5, bound + 1, 3 * bound].flatMap((each) => [
    ...around(each),
    ...around(-each),
  ]);
});
const inputs = Float64Array.from([
  ...numbersOf("half"),
  ...numbersOf("bfloat16"),
  ...bounds,
  ...[5e-324, -5e-324, 2 ** -150, 1.5 * 2 ** -149, 0, -0],
]);

function blockOf(cellType: CellType, numbers: ArrayLike<number>): Block {
  const block = arena.allocate(cellType, numbers.length);
  if (block === undefined) throw new Error("there is memory for this");
  for (let at = 0; at < numbers.length; at++) writeCell(cellType, block.cells, at, numbers[at] ?? Number.NaN);
  return block;
}

/** In lanes where cells lie side by side, and otherwise one at a time. */
function run(source: Block, from: CellType, into: CellType, stride: 1 | 2, rounding?: CellType): Block {
  const count = source.length;
  const target = blockOf(into, new Float64Array(count * stride));
  const access = (block: Block, cellType: CellType, step: number): Access => ({
    ...{ slot: { block }, cellType, offset: 0, strides: [step] },
  });
  const read: Instruction = { op: "read", source: 0 };
  const loop: Loop = {
    axes: [{ size: count, isReduced: false }],
    sources: [access(source, from, 1)],
    body: rounding === undefined ? [read] : [read, { op: "store", cellType: rounding, value: 0 }],
    target: access(target, into, stride),
  };
  const step = lower(loop);
  if (step === undefined) throw new Error("this loop is covered");
  step.run(0, step.extent);
  return target;
}

function expectCells(
  found: Block,
  cellType: CellType,
  stride: number,
  expected: (at: number) => number,
): void {
  const wrong: string[] = [];
  for (let at = 0; at < found.length / stride; at++) {
    const number = readCell(cellType, found.cells, at * stride);
    if (!Object.is(number, expected(at))) wrong.push(`${inputs[at]}: ${number} rather than ${expected(at)}`);
  }
  expect(wrong.slice(0, 5)).toEqual([]);
}

for (const cellType of cellTypeNames)
  for (const stride of [1, 2] as const) {
    const manner = stride === 1 ? "in lanes" : "one by one";
    test(`${cellType}: numbers are stored and read ${manner} as the language says`, () => {
      const { store } = cellTypes[cellType];
      const source = blockOf("double", inputs);
      const cells = run(source, "double", cellType, stride);
      expectCells(cells, cellType, stride, (at) => store(inputs[at] ?? 0));
      const rounded = run(source, "double", "double", stride, cellType);
      expectCells(rounded, "double", stride, (at) => store(inputs[at] ?? 0));
      const read = run(blockOf(cellType, inputs), cellType, "double", stride);
      expectCells(read, "double", stride, (at) => store(inputs[at] ?? 0));
      for (const block of [source, cells, rounded, read]) arena.dispose(block);
    });
  }
