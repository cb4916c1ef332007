import { describe, expect, test } from "vitest";
import type { Access, Instruction, Loop } from "../../src/backends/engine/loop.js";
import { spanOf, withoutEvenTables } from "../../src/backends/engine/loops/even-tables.js";
import { fusedLoops } from "../../src/backends/engine/loops/lowering.js";
import { Arena, type Block } from "../../src/backends/engine/memory/arena.js";
import { compile, parseTensor } from "../../src/index.js";
import { plainly } from "./plain-loop.js";

/** Tables that go on evenly are strides along two axes. */
const arena = new Arena({ maximumBytes: 2 ** 24 });
const lower = fusedLoops(arena);

const blockOf = (cellType: "int" | "double", cells: readonly number[]): Block => {
  const block = arena.allocate(cellType, cells.length) as Block;
  for (const [at, cell] of cells.entries()) block.cells[at] = cell;
  return block;
};

const upTo = <T>(length: number, of: (at: number) => T): T[] => Array.from({ length }, (_, at) => of(at));

/** Three rows of sources that are read through tables, and of one that is read as it lies, multiplied. */
function loopOf(tables: readonly (readonly number[])[], aggregator?: "sum"): Loop {
  const size = tables[0]?.length ?? 0;
  const source = (strides: Access["strides"]): Access => {
    const block = blockOf(
      "double",
      upTo(400, (at) => (at * 7) % 23),
    );
    return { slot: { block }, cellType: "double", offset: 5, strides };
  };
  const sources = [
    source([size, 1]),
    ...tables.map((table) => source([100, { block: blockOf("int", table) }])),
  ];
  const body: Instruction[] = sources.map((_, at) => ({ op: "read", source: at }));
  for (let at = 1, last = 0; at < sources.length; at++)
    last = body.push({ op: "apply", function: "multiply", arguments: [last, at] }) - 1;
  const target: Access = {
    slot: {
      block: blockOf(
        "double",
        upTo(3 * size, () => -1),
      ),
    },
    cellType: "double",
    offset: 0,
    strides: aggregator === undefined ? [size, 1] : [1, 0],
  };
  const isReduced = aggregator !== undefined;
  return {
    axes: [
      { size: 3, isReduced: false },
      { size, isReduced },
    ],
    ...{ sources, body, target, aggregator },
  };
}

const sizesOf = ({ axes }: Loop): number[] => axes.map(({ size }) => size);

// biome-ignore format: a table
const cases: readonly { what: string; tables: readonly (readonly number[])[]; axes: readonly number[] }[] = [
  { what: "eight times the same",            tables: [upTo(32, (at) => at >> 3)],                           axes: [3, 4, 8] },
  { what: "the same eight again",            tables: [upTo(32, (at) => at & 7)],                            axes: [3, 4, 8] },
  { what: "backwards, every other",          tables: [upTo(16, (at) => (at >> 2) * 9 - 2 * (at & 3))],      axes: [3, 4, 4] },
  { what: "two tables of one period",        tables: [upTo(24, (at) => at >> 3), upTo(24, (at) => at & 7)], axes: [3, 3, 8] },
  { what: "two tables of different periods", tables: [upTo(32, (at) => at >> 3), upTo(32, (at) => at & 3)], axes: [3, 32] },
  { what: "one step in all of the table",    tables: [upTo(16, (at) => at * 3)],                            axes: [3, 16] },
  { what: "one step, and eight times",       tables: [upTo(32, (at) => 2 * at), upTo(32, (at) => at >> 3)], axes: [3, 4, 8] },
  { what: "periods that fill no lanes",      tables: [upTo(24, (at) => Math.floor(at / 3))],                axes: [3, 24] },
  { what: "a last period that is short",     tables: [upTo(20, (at) => at >> 3)],                           axes: [3, 20] },
  { what: "one entry that is out of step",   tables: [upTo(32, (at) => (at === 29 ? 0 : at >> 3))],         axes: [3, 32] },
  { what: "a start elsewhere",               tables: [upTo(32, (at) => 1 + (at >> 3))],                     axes: [3, 32] },
  { what: "few cells",                       tables: [[0, 0, 0, 0, 1, 1, 1]],                               axes: [3, 7] },
];

describe.each(cases)("$what", ({ tables, axes }) => {
  test.each(["cells", "sums"])("%s", (kind) => {
    const loop = loopOf(tables, kind === "sums" ? "sum" : undefined);
    expect(sizesOf(withoutEvenTables(loop))).toEqual(axes);
    const step = lower(loop);
    step?.run(0, step.extent);
    const expected = [...plainly(loop).values].sort(([one], [other]) => one - other);
    expect([...loop.target.slot.block.cells].slice(0, expected.length)).toEqual(
      expected.map(([, value]) => value),
    );
  });
});

test("an axis whose index is computed with stays one", () => {
  const loop = loopOf([upTo(32, (at) => at >> 3)]);
  const body: Instruction[] = [...loop.body.slice(0, 2), { op: "index", axis: 1 }];
  const withIndex: Loop = {
    ...loop,
    body: [...body, { op: "apply", function: "add", arguments: [1, 2] }],
  };
  expect(sizesOf(withoutEvenTables(withIndex))).toEqual([3, 32]);
});

test("bits are those of their bytes, the highest first", () => {
  const inputs = { d: "tensor<int8>(k{},x[3])" };
  const d = parseTensor("tensor<int8>(k{},x[3]):{a:[-128,1,90],b:[0,-1,127]}");
  const bits = compile("unpack_bits(d)", { inputs }).prepare().run({ d });
  const bytes = [0b10000000, 0b00000001, 0b01011010, 0, 0b11111111, 0b01111111];
  const expected = bytes.flatMap((byte) => [...byte.toString(2).padStart(8, "0")].map(Number));
  expect([...bits.data]).toEqual(expected);
});

// biome-ignore format: a table
test.each<{ what: string; table: readonly number[]; span: readonly [first: number, size: number, stride: number] | undefined }>([
  { what: "all of a row, some twice",       table: [2, 0, 1, 2, 2], span: [0, 3, 1] },
  { what: "cells from one on, backwards",   table: [9, 7, 5],       span: [5, 3, 2] },
  { what: "blocks of eight",                table: [16, 8, 16, 24], span: [8, 3, 8] },
  { what: "one cell",                       table: [4, 4, 4],       span: [4, 1, 0] },
  { what: "a row with a gap",               table: [0, 1, 3, 3],    span: undefined },
  { what: "more cells than entries",        table: [0, 2, 5],       span: undefined },
  { what: "no entry",                       table: [],              span: undefined },
])("the cells of a table: $what", ({ table, span }) => {
  const stride = { block: blockOf("int", table) };
  const [first, size, step] = span ?? [0, table.length, stride];
  expect(spanOf(stride, table.length)).toEqual({ first, size, stride: step });
});
