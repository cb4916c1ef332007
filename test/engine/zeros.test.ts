import { describe, expect, test } from "vitest";
import { skippingZeros } from "../../src/backends/engine/contractions/skipping.js";
import type { Loop, Step } from "../../src/backends/engine/loop.js";
import { type CellType, writeCell } from "../../src/language/types/cell.js";
import { compile } from "../../src/program/compile.js";
import { arena, differences, lowering, type Plain, plain, run } from "./contractions.js";

/** Products of which one operand is mostly zeros, against a plain loop; and whether all of their cells were multiplied. */

const [rows, columns, sum] = [70, 64, 103];
const right = (k: number, column: number): number => ((k * 7 + column * 3) % 19) / 4 - 2;
/** Two cells of each row are not 0, and none of some. */
const left = (row: number, k: number): number =>
  row % 9 > 0 && (k === row || k === (row * 5) % sum) ? (row % 7) + 0.5 : 0;

interface Cells {
  readonly left: (row: number, k: number) => number;
  readonly right: (k: number, column: number) => number;
}

/** The ways that a left operand can lie, and the sides that it may be on. */
const layouts: Readonly<Record<string, Plain & { readonly side: 0 | 1; readonly isTurned: boolean }>> = {
  "along the sum": { ...product([0, 2]), side: 0, isTurned: false },
  "along rows": { ...product([2, 0]), side: 0, isTurned: true },
  "as the second factor": {
    ...product([0, 2]),
    left: [2, 1],
    right: [0, 2],
    side: 1,
    isTurned: false,
  },
};

function product(of: readonly number[]): Plain {
  return { sizes: [rows, columns, sum], left: of, right: [2, 1], target: [0, 1] };
}

function loopOf(layout: string, cellType: CellType, cells: Cells): Loop {
  const { side, isTurned, ...form } = layouts[layout] ?? fail();
  const loop = plain({ ...form, cellTypes: [cellType, cellType, cellType] });
  const [own, other] = side === 0 ? loop.sources : loop.sources.toReversed();
  const [sparse, dense] = [(own ?? fail()).slot.block, (other ?? fail()).slot.block];
  for (let k = 0; k < sum; k++) {
    for (let row = 0; row < rows; row++)
      writeCell(cellType, sparse.cells, isTurned ? k * rows + row : row * sum + k, cells.left(row, k));
    for (let column = 0; column < columns; column++)
      writeCell(cellType, dense.cells, k * columns + column, cells.right(k, column));
  }
  return loop;
}

const fail = (): never => {
  throw new Error("not a product");
};

/** What is wrong with a product, and whether it was computed cell by cell of its left operand. */
function outcome(loop: Loop): { readonly wrong: readonly string[]; readonly isWhole: boolean } {
  let isWhole = false;
  const watched = (each: Loop): Step | undefined => {
    const step = lowering()(each);
    return (
      step && {
        ...step,
        run: (from, to) => {
          isWhole = true;
          step.run(from, to);
        },
      }
    );
  };
  const step = skippingZeros(watched, arena)(loop) ?? fail();
  run(loop, step, [1]);
  return { wrong: differences(loop), isWhole };
}

const anInfinity = (k: number, column: number): number =>
  k === 50 && column === 20 ? Number.POSITIVE_INFINITY : right(k, column);

// biome-ignore format: a table
describe.each<[string, Cells, Partial<Record<CellType, boolean>>]>([
  ["few cells",                          { left, right },                                                               { double: false, float: false }],
  ["no cells",                           { left: () => 0, right },                                                      { double: false, float: false }],
  ["zeros below zero",                   { left: (row, k) => left(row, k) || -0, right },                               { double: false, float: false }],
  ["half of all cells",                  { left: (row, k) => (row + k) % 2, right },                                    { double: true, float: true }],
  ["zeros that meet what is infinite",   { left, right: anInfinity },                                                   { double: true, float: true }],
  ["zeros that meet no number",          { left, right: (k, column) => (k === 101 && column === 63 ? Number.NaN : right(k, column)) }, { double: true, float: true }],
  ["a cell that is no number",           { left: (row, k) => (row === 3 && k === 3 ? Number.NaN : left(row, k)), right }, { double: true, float: true }],
  ["a row of many terms",                { left: (row, k) => (row === 69 ? 1 + k / 8 : left(row, k)), right },          { double: true, float: true }],
  ["terms beyond floats whose sum is 0", { left: (row, k) => (row === 5 && k < 4 ? (k < 2 ? 3e38 : -3e38) : left(row, k)), right: (k, column) => (k < 4 ? 1.1 : right(k, column)) }, { float: true }],
])("a product with %s", (_, cells, isWhole) => {
  for (const layout of Object.keys(layouts))
    test.each(Object.keys(isWhole) as CellType[])(`${layout}, of %s`, (cellType) => {
      expect(outcome(loopOf(layout, cellType, cells))).toEqual({ wrong: [], isWhole: isWhole[cellType] });
    });
});

test("the gradient of a largest cell is that of the vectors that it is a product of", () => {
  const [questions, documents, length] = [32, 200, 128];
  const inputs = {
    q: `tensor<float>(x[${length}],y[${questions}])`,
    d: `tensor<float>(x[${length}],z[${documents}])`,
  };
  const text = "gradient(sum(reduce(sum(q * d, x), max, z), y), q)";
  const cell = (at: number): number => ((at * 7919) % 251) - 125;
  const q = Float32Array.from({ length: length * questions }, (_, at) => cell(at));
  const d = Float32Array.from({ length: length * documents }, (_, at) => cell(at + 5));
  const at = (cells: Float32Array, x: number, other: number, size: number): number =>
    cells[x * size + other] ?? fail();
  const expected = new Float32Array(length * questions);
  for (let y = 0; y < questions; y++) {
    const scores = Array.from({ length: documents }, (_, z) => {
      let score = 0;
      for (let x = 0; x < length; x++) score += at(q, x, y, questions) * at(d, x, z, documents);
      return score;
    });
    const most = Math.max(...scores);
    const best = [...scores.keys()].filter((z) => scores[z] === most);
    for (let x = 0; x < length; x++) {
      const shares = best.map((z) => at(d, x, z, documents) / best.length);
      expected[x * questions + y] = shares.reduce((total, share) => total + share, 0);
    }
  }
  expect([...compile(text, { inputs, backend: "engine" }).run({ q, d }).data]).toEqual([...expected]);
});

test("what becomes of a product of mostly zeros is computed, too", () => {
  const [items, hidden, length] = [200, 128, 300];
  const inputs = {
    a: `tensor<float>(b[${items}],k[${length}])`,
    w: `tensor<float>(k[${length}],x[${hidden}])`,
    c: `tensor<float>(x[${hidden}])`,
  };
  const a = new Float32Array(items * length);
  for (let item = 0; item < items; item++) a[item * length + ((item * 7) % length)] = 1;
  const w = Float32Array.from({ length: length * hidden }, (_, at) => ((at * 7919) % 251) - 125);
  const c = Float32Array.from({ length: hidden }, (_, column) => column - 30);
  const expected = Float32Array.from({ length: items * hidden }, (_, at) => {
    const [item, column] = [Math.floor(at / hidden), at % hidden];
    return Math.max(0, (w[((item * 7) % length) * hidden + column] ?? fail()) + column - 30);
  });
  const program = compile("relu(sum(a * w, k) + c)", { inputs, backend: "engine" });
  for (let run = 0; run < 3; run++) expect([...program.run({ a, w, c }).data]).toEqual([...expected]);
});
