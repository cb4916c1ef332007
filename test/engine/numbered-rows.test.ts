import { expect, test } from "vitest";
import { compile, type InputValue, type Program, showPlan } from "../../src/index.js";

/** Tables whose rows have numbers as labels, in which a program looks rows up by numbers that it computes or is given. */

const types = {
  table: "tensor(w{},d[2])",
  weight: "tensor(w{})",
  ids: "tensor(t[6])",
  grid: "tensor(r[2],t[3])",
  numbers: "tensor(number[6])",
  id: "tensor()",
};
const rows = { 7: [1, 10], 0: [2, 20], 120: [3, 30], word: [4, 40], "007": [5, 50], "2.5": [6, 60] };
const weight = { 7: 1, 0: 2, 120: 3, word: 4, "2.5": 6 };
const { NaN: none, POSITIVE_INFINITY: infinity } = Number;
const ids = [7, 120, 0, 7.9, -0.5, 3];
const grid = [ids.slice(0, 3), ids.slice(3)];
const inputs = { table: rows, weight, ids, grid, numbers: ids, id: 120 };

/** Numbers that no row has. */
const noRows = {
  ids: [none, infinity, -1, 1e300, 2 ** 32 + 7, 1e9],
  grid: [
    [none, -1, 8],
    [1e9, infinity, 2.5],
  ],
  numbers: ids.map(() => none),
  id: -7,
};

/** The values of those inputs that a program reads. */
const of = (program: Program, values: Readonly<Record<string, InputValue>>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => program.inputs.has(name)));

// biome-ignore format: a table
const lookups = [
  { text: "tensor(t[6],d[2])(table{w:(ids{t:(t)}),d:(d)})", cells: [1, 3, 2, 1, 2, 0, 10, 30, 20, 10, 20, 0], what: "rows of cells" },
  { text: "tensor(t[6])(weight{w:(ids{t:(t)})})",           cells: [1, 3, 2, 1, 2, 0],                        what: "cells" },
  { text: "tensor(number[6])(weight{w:(numbers{number:(number)})})", cells: [1, 3, 2, 1, 2, 0],                what: "by a dimension of any name" },
  { text: "tensor(r[2],t[3])(weight{w:(grid{r:(r),t:(t)})})", cells: [1, 3, 2, 1, 2, 0],                      what: "by numbers of two axes" },
  { text: "tensor(t[6])(weight{w:(ids{t:(t)} * t)})",       cells: [2, 3, 2, 0, 0, 0],                        what: "by numbers that are computed" },
  { text: "tensor(t[6],d[2])(table{w:(ids{t:(t)}),d:(1 - d)})", cells: [10, 30, 20, 10, 20, 0, 1, 3, 2, 1, 2, 0], what: "of a view" },
  { text: "table{w:(id)}",                                  cells: [3, 30],                                   what: "one row" },
  { text: "sum(table{w:(id)}) * weight{w:(id - 113)}",      cells: [33],                                      what: "in a computation" },
];

test.each(lookups)("the engine looks rows up by numbers, $what: $text", ({ text, cells }) => {
  for (const backend of ["engine", "closures", "reference"] as const) {
    const program = compile(text, { inputs: types, backend });
    expect([...program.run(of(program, inputs)).data], backend).toEqual(cells);
    const absent = [...program.run(of(program, { ...inputs, ...noRows })).data];
    expect(absent, backend).toEqual(cells.map(() => 0));
  }
  const program = compile(text, { inputs: types });
  const plan = showPlan(program.plan(of(program, inputs)));
  expect(plan).toContain("gather");
  expect(plan).not.toContain("reference");
});

// biome-ignore format: a table
const byReference = [
  { weight: { "-7": 1, 0: 2 },          ids: [-7, -7.5, 0, 1, 2, 3], cells: [1, 1, 2, 0, 0, 0], what: "negative numbers" },
  { weight: { 9000000000000: 1, 0: 2 }, ids: [9e12, 0, 1, 2, 3, 4],  cells: [1, 2, 0, 0, 0, 0], what: "a number far beyond the others" },
  { weight: { "-9223372036854775808": 1, 0: 2 }, ids: [none, infinity, -infinity, 0, 1, 2], cells: [1, 1, 1, 2, 0, 0], what: "the label of what is no number" },
  { weight: {},                         ids: [0, 1, 2, 3, 4, 5],     cells: [0, 0, 0, 0, 0, 0], what: "no rows" },
];

test.each(byReference)("labels may be any numbers: $what", ({ weight, ids, cells }) => {
  for (const backend of ["engine", "closures", "reference"] as const) {
    const program = compile("tensor(t[6])(weight{w:(ids{t:(t)})})", {
      inputs: { weight: types.weight, ids: types.ids },
      backend,
    });
    expect([...program.run({ weight, ids }).data], backend).toEqual(cells);
  }
});

test("a plan serves all numbers, and other rows another plan", () => {
  const program = compile("table{w:(id)}", { inputs: { table: types.table, id: "tensor()" } }).prepare();
  const run = (table: InputValue, id: number) => [...program.run({ table, id }).data];
  expect(run(rows, 7)).toEqual([1, 10]);
  expect(run(rows, 0)).toEqual([2, 20]);
  expect(run({ 1: [8, 80], 7: [9, 90] }, 7)).toEqual([9, 90]);
  expect(run({ 1: [8, 80], 7: [9, 90] }, 0)).toEqual([0, 0]);
});
