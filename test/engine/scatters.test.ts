import { expect, test } from "vitest";
import { compile, parseTensor, showPlan } from "../../src/index.js";
import { cellTypeNames } from "../../src/language/types/cell.js";

/** Sums of cells that an index picks: the engine adds them where their labels are, or copies them from there. */

/** `cells` where the index of x is a label, summed over some dimensions. */
const picked = (cells: string, label: string, over: string): string =>
  `sum(join(${cells}, tensor(x[8])(x) == ${label}, f(cell, is)(if(is == 0, 0, cell))), ${over})`;

const types = {
  c: "tensor(i[3],z[2])",
  t: "tensor(x[8],z[2])",
  ids: "tensor(i[3])",
  two: "tensor(i[3],z[2])",
  k: "tensor()",
};
const c = [
  [1, 10],
  [2, 20],
  [4, 40],
];
const t = [[1, 2], [3, 4], [5, 6], [7, 8], ...Array.from({ length: 4 }, () => [0, 0])];
const { NaN: none, POSITIVE_INFINITY: infinity } = Number;

/** The cells at the first of 64 indexes; there is nothing at the others. */
const ofMany = (cells: readonly number[], each = 1): number[] => [
  ...cells,
  ...new Array<number>(64 * each - cells.length).fill(0),
];

/** The cells at the first half of the indexes; there is nothing at the others. */
const firstHalf = (cells: readonly number[]): number[] => [...cells, ...cells.map(() => 0)];

// biome-ignore format: a table
const scatters = [
  { text: picked("c", "ids", "i"),      inputs: { c, ids: [3, 0, 3] },    cells: firstHalf([2, 20, 0, 0, 0, 0, 5, 50]),  what: "rows" },
  { text: picked("c", "ids", "i, z"),   inputs: { c, ids: [3, 0, 3] },    cells: firstHalf([22, 0, 0, 55]),              what: "sums of rows" },
  { text: picked("c", "ids", "z"),      inputs: { c, ids: [3, 0, 1] },    cells: [firstHalf([0, 0, 0, 11]), firstHalf([22, 0, 0, 0]), firstHalf([0, 44, 0, 0])].flat(), what: "each row at a label of its own" },
  { text: picked("c", "two", "i"),      inputs: { c, two: [[0, 1], [0, 0], [3, 1]] }, cells: firstHalf([3, 20, 0, 50, 0, 0, 4, 0]), what: "a label for each cell" },
  { text: picked("c", "two", "i, z"),   inputs: { c, two: [[0, 1], [0, 0], [3, 1]] }, cells: firstHalf([23, 50, 0, 4]), what: "cells at labels of two axes" },
  { text: picked("ids", "two", "i"),    inputs: { ids: [1, 2, 4], two: [[0, 1], [0, 0], [3, 1]] }, cells: firstHalf([3, 2, 0, 5, 0, 0, 4, 0]), what: "cells at several labels each" },
  // As a float it is 2^24, and three of them are 50331648.
  { text: "sum(map(tensor<float>(x[8])(x) == cell_cast(ids, float), f(is)(if(is == 0, 0, 16777217))), i)", inputs: { ids: [1, 1, 1] }, cells: firstHalf([0, 50331648, 0, 0]), what: "a number as cells hold it" },
  { text: "sum(tensor(x[8])(x) == ids, i)", inputs: { ids: [1, 1, 2] }, cells: firstHalf([0, 2, 1, 0]), what: "a histogram" },
  { text: "sum(where(tensor(x[8])(x) == ids, c, 0), i)", inputs: { c, ids: [3, 0, 3] }, cells: firstHalf([2, 20, 0, 0, 0, 0, 5, 50]), what: "by where" },
  { text: "sum(where(tensor(x[8])(x) == ids, 7, 0), i)", inputs: { ids: [1, 1, 2] }, cells: firstHalf([0, 14, 7, 0]), what: "a number, by where" },
  { text: picked("7", "ids", "i"),      inputs: { ids: [1, 1, 2] },       cells: firstHalf([0, 14, 7, 0]),               what: "how many labels there are" },
  { text: picked("c * ids + 1", "ids", "i"), inputs: { c, ids: [1, 1, 2] }, cells: firstHalf([0, 0, 5, 32, 9, 81, 0, 0]), what: "of what is computed" },
  { text: picked("c", "ids", "i"),      inputs: { c, ids: [-1, 8, none] }, cells: firstHalf([0, 0, 0, 0, 0, 0, 0, 0]),   what: "labels that are not there" },
  { text: picked("c", "ids", "i"),      inputs: { c, ids: [0.5, infinity, -0] }, cells: firstHalf([4, 40, 0, 0, 0, 0, 0, 0]), what: "labels that are no whole numbers" },
  { text: picked("c", "ids", "i"),      inputs: { c: [[none, 1], [infinity, 1], [-infinity, 1]], ids: [0, 1, 1] }, cells: firstHalf([none, 1, none, 2, 0, 0, 0, 0]), what: "no cell but those at the label is changed" },
  { text: picked("c", "k", "i"),        inputs: { c, k: 2 },              cells: firstHalf([0, 0, 0, 0, 7, 70, 0, 0]),   what: "one label" },
  { text: "sum(tensor(i[3],g[64])(if(ids{i:(i)} == g, ids{i:(i)} + 1, 0)), i)", inputs: { ids: [1, 1, 2] }, cells: ofMany([0, 4, 3, 0]), what: "a choice in a generator" },
  { text: "sum(tensor(g[64],i[3])(if(g == ids{i:(2 - i)}, c{i:(i),z:1}, 0)), i)", inputs: { c, ids: [1, 1, 2] }, cells: ofMany([0, 60, 10]), what: "a choice in a generator, of views" },
  { text: "sum(tensor(i[3],z[2],x[64])(if(two{i:(i),z:(z)} == x, c{i:(i),z:(z)}, 0)), i, z)", inputs: { c, two: [[0, 1], [0, 0], [3, 1]] }, cells: ofMany([23, 50, 0, 4]), what: "a choice over two axes" },
  { text: "sum(tensor(i[3],z[2],x[64])(if(ids{i:(i)} == x, c{i:(i),z:(z)}, 0)), i)", inputs: { c, ids: [3, 0, 3] }, cells: ofMany([2, 20, 0, 0, 0, 0, 5, 50], 2), what: "rows, by a choice" },
  { text: "sum(tensor(i[3],x[64])(if(ids{i:(i)} == x, 1, 0)), i)", inputs: { ids: [0.5, none, 2] }, cells: ofMany([0, 0, 1]), what: "a choice of ones" },
  { text: "tensor(g[64])(sum(where(ids == g, ids + 1, 0)))", inputs: { ids: [1, 1, 2] }, cells: ofMany([0, 4, 3]), what: "a sum for each index of a generator" },
  { text: "sum(c * (tensor(g[64])(g) == ids), i)", inputs: { c, ids: [3, 0, 3] }, cells: ofMany([2, 20, 0, 0, 0, 0, 5, 50], 2), what: "products with ones and zeros" },
  { text: "sum(c * (tensor(g[64])(g) == ids), i)", inputs: { c: [[infinity, 1], [2, 1], [3, 1]], ids: [0, 1, 1] }, cells: [infinity, 1, none, 2, ...Array.from({ length: 62 }, () => [none, 0]).flat()], what: "products of infinity with zeros" },
  { text: "sum(c * (tensor(g[64])(g) == ids) * (c < 15), i)", inputs: { c, ids: [3, 0, 3] }, cells: ofMany([2, 0, 0, 0, 0, 0, 5, 10], 2), what: "products of three" },
  { text: "sum(cell_cast(c, float) * tensor<float>(i[3],g[64])(ids{i:(i)} == g), i)", inputs: { c, ids: [3, 0, 3] }, cells: ofMany([2, 20, 0, 0, 0, 0, 5, 50], 2), what: "products of floats" },
  { text: "tensor(g[64])(sum(ids * (ids == g)))", inputs: { ids: [1, 1, 2] }, cells: ofMany([0, 2, 2]), what: "products in a generator" },
  { text: "sum((tensor(g[64])(g) == ids) * (tensor(z[2])(z) == ids), i)", inputs: { ids: [1, 1, 0] }, cells: ofMany([1, 0, 0, 2], 2), what: "a histogram of pairs" },
];

// biome-ignore format: a table
const gathers = [
  { text: picked("t", "ids", "x"),      inputs: { t, ids: [3, 0, 3] },    cells: [7, 8, 1, 2, 7, 8],          what: "rows" },
  { text: picked("t", "two", "x"),      inputs: { t, two: [[3, 0], [0, 1], [1, 2]] }, cells: [7, 2, 1, 4, 3, 6], what: "a label for each cell" },
  { text: picked("t", "ids", "x"),      inputs: { t, ids: [0.5, none, 8] }, cells: [0, 0, 0, 0, 0, 0],        what: "labels that are not there" },
  { text: "sum(where(ids == tensor(x[8])(x), t, 0), x)", inputs: { t, ids: [3, 0, 3] }, cells: [7, 8, 1, 2, 7, 8], what: "by where" },
  { text: picked("t", "k", "x"),        inputs: { t, k: 2 },              cells: [5, 6],                      what: "one label" },
  { text: `1 / ${picked("t", "k", "x")}`, inputs: { t: t.map(() => [-0, -0]), k: 1 }, cells: [infinity, infinity], what: "of zeros the sum is 0" },
];

const rows = [
  ...scatters.map((each) => ({ ...each, step: "scatter" })),
  ...gathers.map((each) => ({ ...each, step: "gather" })),
];

test.each(rows)("$step, $what: $text", ({ text, inputs, cells, step }) => {
  for (const backend of ["engine", "closures", "reference"] as const) {
    const program = compile(text, { inputs: types, backend });
    expect([...program.run(inputs).data], backend).toEqual(cells);
  }
  const plan = showPlan(compile(text, { inputs: types }).plan(inputs));
  expect(plan).toContain(step);
  expect(plan).not.toContain("reference");
});

// biome-ignore format: a table
const asWritten = [
  { text: "sum(join(c, tensor(x[7])(x) == ids, f(cell, is)(if(is == 0, 0, cell))), i)", what: "few indexes" },
  { text: "sum(join(c, tensor(x[8])(x) == ids, f(cell, is)(if(is == 0, cell, 0))), i)", what: "where the index is none of the labels" },
  { text: "sum(c * (tensor(x[8])(x) == ids), i)",                                        what: "products with ones and zeros" },
  { text: "sum(tensor(i[3],g[64])(if(ids{i:(i)} == g, g, 0)), i)",                        what: "a choice of what the index decides" },
  { text: "sum(tensor(i[3],g[64])(if(ids{i:(i)} == g, 0, 1)), i)",                        what: "a choice where the index is none of the labels" },
  { text: "sum(tensor(i[3],g[64],z[2])(if(ids{i:(i)} == g, 1, 0)), i, z)",                what: "an axis that nothing depends on" },
  { text: "sum(cell_cast(tensor(i[3],g[64])(c{i:(i),z:0} / (c{i:(i),z:0} - 1) * (ids{i:(i)} == g)), int8), i)", what: "whole numbers of products that are not finite" },
  { text: "tensor(g[64])(sum(1 / 0 * (ids == g)))",                                       what: "products of a number that is not finite" },
  { text: "sum(tensor(i[3],g[63])(if(ids{i:(i)} == g, 1, 0)), i)",                       what: "few comparisons" },
  { text: "max(join(c, tensor(x[8])(x) == ids, f(cell, is)(if(is == 0, 0, cell))), i)", what: "what is no sum" },
  { text: "sum(join(c, tensor(x[8])(x) >= ids, f(cell, is)(if(is == 0, 0, cell))), i)", what: "several indexes for a label" },
  { text: picked("c", "ids", "x"),                                                       what: "over the index, which the cells lack" },
];

test.each(asWritten)("as it is written is computed: $what", ({ text }) => {
  const inputs = { c, ids: [3, 0, 3] };
  const [engine, reference] = (["engine", "reference"] as const).map((backend) =>
    compile(text, { inputs: types, backend }).run(inputs),
  );
  expect(`${engine}`).toBe(`${reference}`);
  expect(showPlan(compile(text, { inputs: types }).plan(inputs))).not.toMatch(/gather|scatter/);
});

/** The greatest of the cells whose label is the index of g, of whom there are 64; or the least. */
const extreme = (name: "max" | "min", cells: string, label: string, over: string): string =>
  `${name}(where(tensor(g[64])(g) == ${label}, ${cells}, ${name === "max" ? "-1/0" : "1/0"}), ${over})`;

const extremeOfMany = (cells: readonly number[], nothing: number, each = 1): number[] => [
  ...cells,
  ...new Array<number>(64 * each - cells.length).fill(nothing),
];

// biome-ignore format: a table
const extremes = [
  { text: extreme("max", "c", "ids", "i"),    inputs: { c, ids: [1, 0, 1] },       cells: extremeOfMany([2, 20, 4, 40], -infinity, 2), what: "rows" },
  { text: extreme("min", "c", "ids", "i"),    inputs: { c, ids: [1, 0, 1] },       cells: extremeOfMany([2, 20, 1, 10], infinity, 2),  what: "the least of rows" },
  { text: extreme("max", "c", "ids", "i, z"), inputs: { c, ids: [1, 0, 1] },       cells: extremeOfMany([20, 40], -infinity),          what: "extremes of rows" },
  { text: extreme("max", "c", "two", "i, z"), inputs: { c, two: [[0, 1], [0, 0], [3, 1]] }, cells: extremeOfMany([20, 40, -infinity, 4], -infinity), what: "a label for each cell" },
  { text: extreme("max", "ids", "ids", "i"),  inputs: { ids: [1, 1, 0.5] },        cells: extremeOfMany([-infinity, 1], -infinity),    what: "a label with a fraction" },
  { text: extreme("max", "c", "ids", "i"),    inputs: { c: [[none, none], [-3, none], [-4, -infinity]], ids: [0, 0, 0] }, cells: extremeOfMany([-3, -infinity], -infinity, 2), what: "no NaN" },
  { text: extreme("max", "c", "ids", "i"),    inputs: { c: [[0, -0], [-0, 0], [-1, -1]], ids: [0, 0, 0] }, cells: extremeOfMany([0, -0], -infinity, 2), what: "the first of two zeros" },
  { text: extreme("min", "c", "ids", "i, z"), inputs: { c: [[-0, 0], [0, 0], [0, -0]], ids: [0, 1, 2] }, cells: extremeOfMany([-0, 0, 0], infinity), what: "the first of zeros, which is no less than another" },
  { text: extreme("max", "cell_cast(c, float) / 3", "ids", "i"), inputs: { c, ids: [1, 0, 1] }, cells: extremeOfMany([2 / 3, 20 / 3, 4 / 3, 40 / 3].map(Math.fround), -infinity, 2), what: "floats" },
  { text: "max(tensor(i[3],g[64])(if(ids{i:(i)} == g, c{i:(i),z:1}, -1/0)), i)", inputs: { c, ids: [2, 0, 2] }, cells: extremeOfMany([20, -infinity, 40], -infinity), what: "a choice in a generator" },
];

test.each(extremes)("scatter by an extreme, $what: $text", ({ text, inputs, cells }) => {
  for (const backend of ["engine", "closures", "reference"] as const) {
    const program = compile(text, { inputs: types, backend });
    if (backend !== "reference") expect(showPlan(program.plan(inputs))).toMatch(/scatter by (max|min) of/);
    expect([...program.run(inputs).data]).toEqual(cells);
  }
});

test("extremes whose zeros would come in another order are not scattered", () => {
  const text = extreme("max", "c", "z_ids", "i, z");
  const inputs = {
    c: [
      [-0, 0],
      [0, -0],
      [0, 0],
    ],
    z_ids: [1, 1],
  };
  const declared = { ...types, z_ids: "tensor(z[2])" };
  for (const backend of ["engine", "reference"] as const) {
    const program = compile(text, { inputs: declared, backend });
    expect([...program.run(inputs).data]).toEqual(extremeOfMany([-infinity, -0], -infinity));
  }
  expect(showPlan(compile(text, { inputs: declared }).plan(inputs))).not.toContain("scatter");
});

test.each([
  "double",
  "float",
] as const)("extremes of many groups of %ss, of cells and of rows", (cellType) => {
  const [count, groups] = [5000, 300];
  const declared = { s: `tensor<${cellType}>(t[${count}],z[3])`, ids: `tensor(t[${count}])` };
  const ids = Float64Array.from({ length: count }, (_, at) => (at * 7919) % (groups + 5));
  const arrays = { double: Float64Array, float: Float32Array };
  const s = new arrays[cellType](3 * count).map((_, at) => ((at * 104_729) % 1009) - 500);
  for (const [name, over] of [
    ["max", "t"],
    ["min", "t"],
    ["max", "t, z"],
  ] as const) {
    const otherwise = name === "max" ? -infinity : infinity;
    const text = `${name}(where(tensor(g[${groups}])(g) == ids, s, ${otherwise < 0 ? "-1/0" : "1/0"}), ${over})`;
    const width = over === "t" ? 3 : 1;
    const expected = new Array<number>(groups * width).fill(otherwise);
    for (const [at, cell] of s.entries()) {
      const group = ids[Math.floor(at / 3)] ?? 0;
      const into = group * width + (over === "t" ? at % 3 : 0);
      if (group < groups) expected[into] = Math[name](expected[into] ?? 0, cell);
    }
    expect([...compile(text, { inputs: declared }).run({ s, ids }).data]).toEqual(expected);
  }
});

test.each(cellTypeNames)("cells of %s are scattered", (cellType) => {
  const inputs = { c, ids: [1, 1, 0] };
  const declared = { ...types, c: `tensor<${cellType}>(i[3],z[2])` };
  const [engine, reference] = (["engine", "reference"] as const).map((backend) =>
    compile(picked("c", "ids", "i"), { inputs: declared, backend }).run(inputs),
  );
  expect(`${engine}`).toBe(`${reference}`);
  expect([...(engine?.data ?? [])].map(Number)).toEqual(firstHalf([4, 40, 3, 30, 0, 0, 0, 0]));
});

test("a batch scatters for each of its inputs, and a run begins with zeros", () => {
  const prepared = compile(picked("c", "ids", "i, z"), { inputs: types }).prepare({ c });
  const ids = parseTensor("tensor(b[2],i[3]):[[0,1,2],[3,9,3]]");
  expect([...prepared.runBatch("b", { ids }).data]).toEqual([
    ...firstHalf([11, 22, 44, 0]),
    ...firstHalf([0, 0, 0, 55]),
  ]);
  expect([...prepared.run({ ids: [0, 0, 0] }).data]).toEqual(firstHalf([77, 0, 0, 0]));
  expect([...prepared.run({ ids: [1, 0, 9] }).data]).toEqual(firstHalf([22, 11, 0, 0]));
});

test("many labels are scattered in slices, with and without pauses", async () => {
  const count = 200_000;
  const program = compile("sum(join(c, tensor(x[9])(x) == ids, f(cell, is)(if(is == 0, 0, cell))), i)", {
    inputs: { c: `tensor(i[${count}])`, ids: `tensor(i[${count}])` },
  });
  const cells = Float64Array.from({ length: count }, (_, at) => at % 7);
  const ids = Float64Array.from({ length: count }, (_, at) => at % 10);
  const expected = new Array<number>(10).fill(0);
  for (const [at, id] of ids.entries()) expected[id] = (expected[id] ?? 0) + (cells[at] ?? 0);
  expect([...program.run({ c: cells, ids }).data]).toEqual(expected.slice(0, 9));
  expect([...(await program.runAsync({ c: cells, ids })).data]).toEqual(expected.slice(0, 9));
});

test("the gradient of what a generator looks up is scattered, and takes a step for each label", () => {
  const text = `input table: tensor(word[1000],d[4])
input ids: tensor(n[3])
rows = tensor(n[3],d[4])(table{word:(ids{n:(n)}), d:(d)})
gradient(sum(rows * tensor(n[3])(n + 1)), table)`;
  const program = compile(text);
  const inputs = { table: new Float64Array(4000), ids: [999, 0, 999] };
  const plan = showPlan(program.plan(inputs));
  expect(plan).toContain("scatter of 12 cells, 4 at each of 3 labels");
  const gradient = program.run(inputs);
  expect(gradient.get({ word: 0, d: 1 })).toBe(2);
  expect(gradient.get({ word: 999, d: 3 })).toBe(4);
  expect([...gradient.data].reduce((sum: number, cell) => sum + Number(cell), 0)).toBe(24);
});
