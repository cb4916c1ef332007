import { expect, test } from "vitest";
import { compile, parseType, showPlan, Tensor } from "../../src/index.js";
import { cellTypeNames } from "../../src/language/types/cell.js";

/** Cells, and runs of them, that are moved by a label each, which is done in WebAssembly: with labels that are not there, and rows of all kinds. */

const parts = 1500;
const { NaN: none, POSITIVE_INFINITY: infinity } = Number;
const special = [
  0,
  6,
  3,
  -0,
  -0.5,
  0.5,
  5.999,
  6.5,
  7,
  -1,
  none,
  infinity,
  -infinity,
  2 ** 31,
  2 ** 32,
  -(2 ** 32),
  1e300,
];
const labels = Array.from({ length: parts }, (_, at) => special[at % special.length] ?? none);
const table = [3, -1, 4, 1, -5, 9, 2];
const terms = labels.map((_, at) => (at % 5) - 2);
const grid = labels.slice(0, 1200);

const inputs = {
  l: Tensor.from(parseType(`tensor(t[${parts}])`), Float64Array.from(labels)),
  g: Tensor.from(parseType("tensor(r[30],t[40])"), Float64Array.from(grid)),
};

const backends = ["engine", "closures", "reference"] as const;
const run = (text: string, types: Readonly<Record<string, string>>, values: object) =>
  backends.map((backend) => {
    const program = compile(text, {
      inputs: { ...types, l: `tensor(t[${parts}])`, g: "tensor(r[30],t[40])" },
      backend,
    });
    const result = program.run({ ...inputs, ...values });
    return Array.from({ length: result.data.length }, (_, at) => result.at(at));
  });

/** What lies at a label whose fraction is dropped; 0 where there is no such index. */
const at = (label: number): number => (label > -1 ? (table[Math.trunc(label)] ?? 0) : 0);

test.each(cellTypeNames)("cells of %s are looked up", (cellType) => {
  const types = { a: `tensor<${cellType}>(x[7])` };
  const found = run(`tensor(t[${parts}])(a{x:(l{t:(t)})})`, types, { a: table });
  for (const cells of found) expect(cells).toEqual(labels.map(at));
});

test.each(cellTypeNames)("cells of %s are added at labels", (cellType) => {
  const types = { s: `tensor<${cellType}>(t[${parts}])` };
  const sums = Array.from({ length: 64 }, (_, index) =>
    terms.reduce((sum, term, at) => (labels[at] === index ? sum + term : sum), 0),
  );
  const found = run("sum(cell_cast(s, double) * (l == tensor(g[64])(g)), t)", types, { s: terms });
  for (const cells of found) expect(cells).toEqual(sums);
});

// biome-ignore format: a table
const rows = [
  { text: "tensor(r[30],t[40])(a{x:(g{r:(r),t:(t)})})",        cells: (label: number) => at(label),               what: "of two axes" },
  { text: "tensor(r[30],t[40])(a{x:(g{r:(29 - r),t:(39 - t)})})", cells: (label: number) => at(label),            what: "backwards", isBackwards: true },
  { text: "tensor(r[30],t[40])(b{x:(g{r:(r),t:(t)}),r:(r)})",  cells: (label: number, r: number) => at(label) * r, what: "from rows of their own" },
  { text: "tensor(r[30],t[40])(c{x:(g{r:(r),t:(t)}),t:(t)})",  cells: (label: number, _: number, t: number) => at(label) * t, what: "from columns of their own" },
];

test.each(rows)("cells at labels $what", ({ text, cells, isBackwards = false }) => {
  const types = { a: "tensor(x[7])", b: "tensor(x[7],r[30])", c: "tensor(t[40],x[7])" };
  const values = {
    a: table,
    b: table.map((cell) => Array.from({ length: 30 }, (_, r) => cell * r)),
    c: Array.from({ length: 40 }, (_, t) => table.map((cell) => cell * t)),
  };
  const all = isBackwards ? grid.toReversed() : grid;
  const expected = all.map((label, at) => cells(label, Math.floor(at / 40), at % 40));
  for (const found of run(text, types, values))
    expect(found.map((each) => each + 0)).toEqual(expected.map((each) => each + 0));
});

const runs = 200;
const ofRuns = labels.slice(0, runs);
/** Shorter than a vector, of some with a rest, and of more than one turn. */
const lengths = [2, 3, 17, 70] as const;
const manyRuns = lengths.flatMap((length) => cellTypeNames.map((cellType) => ({ length, cellType })));

/** A cell of a row, which all cell types hold. */
const cellOf = (row: number, at: number): number => ((3 * row + at) % 11) - 5;
const rowsOf = (count: number, length: number): number[][] =>
  Array.from({ length: count }, (_, row) => Array.from({ length }, (_, at) => cellOf(row, at)));

test.each(manyRuns)("runs of $length cells of $cellType are looked up", ({ length, cellType }) => {
  const types = { a: `tensor<${cellType}>(x[7],y[${length}])` };
  const expected = ofRuns.flatMap((label) =>
    Array.from({ length }, (_, at) => (label > -1 && label < 7 ? cellOf(Math.trunc(label), at) : 0)),
  );
  const text = `tensor<${cellType}>(t[${runs}],y[${length}])(a{x:(l{t:(t)}),y:(y)})`;
  for (const cells of run(text, types, { a: rowsOf(7, length) })) expect(cells).toEqual(expected);
});

test.each(manyRuns)("runs of $length cells of $cellType are added at labels", ({ length, cellType }) => {
  const types = { s: `tensor<${cellType}>(t[${runs}],y[${length}])`, k: `tensor(t[${runs}])` };
  const expected = Array.from({ length: 7 }, (_, index) => index).flatMap((index) =>
    Array.from({ length }, (_, at) =>
      ofRuns.reduce((sum, label, t) => (label === index ? sum + cellOf(t, at) : sum), 0),
    ),
  );
  const text = "sum(cell_cast(s, double) * (k == tensor(g[7])(g)), t)";
  for (const cells of run(text, types, { s: rowsOf(runs, length), k: ofRuns }))
    expect(cells).toEqual(expected);
});

test("the engine gathers and scatters them", () => {
  const declared = { l: `tensor(t[${parts}])`, a: "tensor(x[7])" };
  const plan = (text: string): string =>
    showPlan(compile(text, { inputs: declared }).plan({ l: inputs.l, a: table }));
  expect(plan(`tensor(t[${parts}])(a{x:(l{t:(t)})})`)).toContain("gather of 1500 cells");
  expect(plan("sum(l * (l == tensor(g[64])(g)), t)")).toContain("scatter of 1500 cells");
});
