import { expect, test } from "vitest";
import { compile, parseTensor, showPlan, type Tensor } from "../../src/index.js";
import { cellTypeNames } from "../../src/language/types/cell.js";

/** Slices at labels that cells of a run tell: the engine copies them, without the reference. */

const table = [
  [1, 2, 3],
  [4, 5, 6],
  [7, 8, 9],
  [10, 11, 12],
];

// biome-ignore format: a table
const gathers = [
  { text: "tensor(i[3],z[3])(t{x:(ids{i:(i)}), y:(z)})",     ids: [3, 0, 3],       cells: [10, 11, 12, 1, 2, 3, 10, 11, 12], what: "rows" },
  { text: "tensor(i[3])(t{x:(ids{i:(i)}), y:1})",            ids: [2, 1, 0],       cells: [8, 5, 2],                         what: "a column" },
  { text: "tensor(i[3])(t{x:(ids{i:(i)}), y:(i)})",          ids: [0, 0, 3],       cells: [1, 2, 12],                        what: "an index in both labels" },
  { text: "tensor(i[3])(t{x:(ids{i:(i)}), y:(ids{i:(i)})})", ids: [0, 2, 3],       cells: [1, 9, 0],                         what: "a diagonal" },
  { text: "tensor(i[3])(sum(t{x:(ids{i:(i)})}))",            ids: [1, 3, 1],       cells: [15, 33, 15],                      what: "rows that are added up" },
  { text: "tensor(i[3])(sum(t{y:(ids{i:(i)})}))",            ids: [1, 2, 0],       cells: [26, 30, 22],                      what: "columns, which are not neighbours" },
  { text: "tensor(i[3])((t * 2 + i){x:(ids{i:(i)}), y:0})",  ids: [1, 1, 1],       cells: [8, 9, 10],                        what: "of what differs itself" },
  { text: "tensor(i[3],k[2])(t{x:(ids{i:(i)} + k), y:0})",   ids: [0, 1, 2],       cells: [1, 4, 4, 7, 7, 10],               what: "a label of two axes" },
  { text: "tensor(i[3],k[2])(t{x:(ids{i:(i)}), y:(k + i)})", ids: [0, 1, 2],       cells: [1, 2, 5, 6, 9, 0],                what: "a label of cells and one of a window" },
  { text: "tensor(i[3])(t{x:(ids{i:(i)}), y:0})",            ids: [2.9, -0.5, -1], cells: [7, 1, 0],                         what: "labels that are rounded towards 0" },
  { text: "tensor(i[3])(t{x:(ids{i:(i)}), y:0})",            ids: [4, Number.NaN, 2 ** 40], cells: [0, 0, 0],                what: "labels that are not there" },
];

const types = { t: "tensor(x[4],y[3])", ids: "tensor(i[3])" };

test.each(gathers)("$what: $text", ({ text, ids, cells }) => {
  const inputs = { t: table, ids };
  for (const backend of ["engine", "closures", "reference"] as const) {
    const program = compile(text, { inputs: types, backend });
    expect([...program.run(inputs).data], backend).toEqual(cells);
  }
  const plan = showPlan(compile(text, { inputs: types }).plan(inputs));
  expect(plan).toContain("gather");
  expect(plan).not.toContain("reference");
});

test.each([
  { text: "tensor(i[3],k[2])(t{x:(i * (i - 1) + k), y:(i)})", cells: [1, 4, 2, 5, 9, 12] },
  { text: "tensor(i[3],k[2])(t{x:(i * (i - 1) + k), y:1})", cells: [2, 5, 2, 5, 8, 11] },
  { text: "tensor(i[3],k[2])(t{x:(i + k), y:(i * (i - 1))})", cells: [1, 4, 4, 7, 9, 12] },
  { text: "tensor(i[4])(t{x:(i * i % 4), y:0})", cells: [1, 4, 1, 4] },
])("indexes decide labels unevenly: $text", ({ text, cells }) => {
  for (const backend of ["engine", "closures", "reference"] as const)
    expect([...compile(text, { inputs: { t: types.t }, backend }).run({ t: table }).data], backend).toEqual(
      cells,
    );
  expect(showPlan(compile(text, { inputs: { t: types.t } }).plan({ t: table }))).not.toMatch(
    /gather|reference/,
  );
});

test("long columns are gathered, whose cells are not neighbours", () => {
  const t = Float64Array.from({ length: 50 * 3 }, (_, at) => at);
  const program = compile("tensor(i[2],z[50])(t{x:(z), y:(ids{i:(i)})})", {
    inputs: { t: "tensor(x[50],y[3])", ids: "tensor(i[2])" },
  });
  const column = (y: number): number[] => Array.from({ length: 50 }, (_, x) => 3 * x + y);
  expect([...program.run({ t, ids: [2, 1] }).data]).toEqual([...column(2), ...column(1)]);
  expect(showPlan(program.plan({ t, ids: [2, 1] }))).toContain("gather");
});

test("rows of many labels are gathered, some of them not there", () => {
  const count = 2500;
  const program = compile("tensor(i[3],j[2500])(t{x:(ids{i:(i), j:(j)} + i), y:(i)})", {
    inputs: { t: "tensor(x[4],y[3])", ids: "tensor(i[3],j[2500])" },
  });
  const ids = Array.from({ length: 3 }, (_, i) => Array.from({ length: count }, (_, j) => (j * (i + 1)) % 5));
  const expected = ids.flatMap((row, i) => row.map((id) => table[id + i]?.[i] ?? 0));
  expect([...program.run({ t: table, ids }).data]).toEqual(expected);
  expect(showPlan(program.plan({ t: table, ids }))).toContain("gather");
});

test.each(cellTypeNames)("cells of %s are gathered", (cellType) => {
  const declared = { ...types, t: `tensor<${cellType}>(x[4],y[3])` };
  const program = compile("tensor(i[3],z[3])(t{x:(ids{i:(i)}), y:(z)})", { inputs: declared });
  expect([...program.run({ t: table, ids: [1, 9, 0] }).data]).toEqual([4, 5, 6, 0, 0, 0, 1, 2, 3]);
});

test("wide rows are copied as a whole, and each run has labels of its own", () => {
  const width = 1000;
  const program = compile("tensor(i[2],z[1000])(t{x:(ids{i:(i)}), y:(z)})", {
    inputs: { t: "tensor(x[5],y[1000])", ids: "tensor(i[2])" },
  });
  const t = Float64Array.from({ length: 5 * width }, (_, at) => at);
  const prepared = program.prepare({ t });
  const rowOf = (result: Tensor, row: number): number[] =>
    [...result.data].slice(row * width, (row + 1) * width).map(Number);
  for (const [first, second] of [
    [4, 0],
    [1, 7],
    [2, 2],
  ] as const) {
    const result = prepared.run({ ids: [first, second] });
    for (const [row, label] of [first, second].entries())
      expect(rowOf(result, row)).toEqual(
        Array.from({ length: width }, (_, at) => (label < 5 ? label * width + at : 0)),
      );
  }
});

test("the plan is one for all labels that runs tell, where few cells are at each", () => {
  const program = compile("t{x:(k)} * 10", { inputs: { t: types.t, k: "tensor()" } });
  const prepared = program.prepare({ t: table });
  const found = [3, 0, 9, 0.9].map((k) => [...prepared.run({ k }).data]);
  expect(found).toEqual([
    [100, 110, 120],
    [10, 20, 30],
    [0, 0, 0],
    [10, 20, 30],
  ]);
  const plan = showPlan(program.plan({ t: table, k: 1 }));
  expect(plan).toContain("gather");
  expect(plan).not.toContain("ask");
});

test("a batch gathers for each of its inputs", () => {
  const program = compile("tensor(i[3])(t{x:(ids{i:(i)}), y:2})", { inputs: types });
  const prepared = program.prepare({ t: table });
  const ids = parseTensor("tensor(b[2],i[3]):[[0,1,2],[3,5,3]]");
  expect([...prepared.runBatch("b", { ids }).data]).toEqual([3, 6, 9, 12, 0, 12]);
});

test("rows of mapped labels are left to the reference", () => {
  const program = compile("tensor(i[2])(m{k:(ids{i:(i)})})", {
    inputs: { m: "tensor(k{})", ids: "tensor(i[2])" },
  });
  expect([...program.run({ m: new Map([["5", 7]]), ids: [5, 6] }).data]).toEqual([7, 0]);
});
