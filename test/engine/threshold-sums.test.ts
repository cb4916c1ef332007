import { expect, test } from "vitest";
import { compile, parseType, showPlan, Tensor } from "../../src/index.js";
import { cellTypeNames } from "../../src/language/types/cell.js";

/** Sums of cells by how their keys compare with thresholds: the engine puts both in order, and adds each cell once. */

const size = 300;
const keys = Array.from({ length: size }, (_, at) => ((at * 37) % 101) - 50);
const cells = Array.from({ length: size }, (_, at) => (at * 7) % 13);
const thresholds = Array.from({ length: 256 }, (_, at) => (at * 3) % 64);
const types = {
  ...{ k: `tensor(j[${size}])`, c: `tensor(j[${size}])`, t: "tensor(t[256])", h: "tensor(t[256])" },
  ...{ both: `tensor(a[2],j[${size}])`, rows: "tensor(doc{})", pairs: "tensor(a{},doc{})" },
};
const labelled = Object.fromEntries(keys.map((key, at) => [`d${at}`, key]));
const inputs = {
  ...{ k: keys, c: cells, t: thresholds, h: thresholds, both: [keys, cells], rows: labelled },
  pairs: { p: labelled, q: Object.fromEntries(keys.map((key, at) => [`d${at}`, -key])) },
};

type Compare = (key: number, threshold: number) => boolean;
const less: Compare = (key, threshold) => key < threshold;
const atMost: Compare = (key, threshold) => key <= threshold;
const greater: Compare = (key, threshold) => key > threshold;
const atLeast: Compare = (key, threshold) => key >= threshold;
const equal: Compare = (key, threshold) => key === threshold;

/** For each threshold the sum of the cells whose keys compare with it so. */
const sums = (compare: Compare, of: readonly number[] = cells, by = keys, at = thresholds): number[] =>
  at.map((threshold) =>
    by.reduce((sum, key, j) => (compare(key, threshold) ? sum + (of[j] ?? Number.NaN) : sum), 0),
  );
const counts = (compare: Compare, by = keys, at = thresholds): number[] =>
  sums(
    compare,
    by.map(() => 1),
    by,
    at,
  );
const own = counts(greater, keys, keys).map(
  (above, at) => above + ((counts(equal, keys, keys)[at] ?? 0) - 1) / 2,
);
const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

// biome-ignore format: a table
const rows = [
  { text: "sum(where(k < t, c, 0), j)",          cells: sums(less),    what: "less" },
  { text: "sum(where(k <= t, c, 0), j)",         cells: sums(atMost),  what: "at most" },
  { text: "sum(where(k > t, c, 0), j)",          cells: sums(greater), what: "greater" },
  { text: "sum(where(k >= t, c, 0), j)",         cells: sums(atLeast), what: "at least" },
  { text: "sum(where(k == t, c, 0), j)",         cells: sums(equal),   what: "equal" },
  { text: "sum(where(t > k, c, 0), j)",          cells: sums(less),    what: "the threshold on the left, less" },
  { text: "sum(where(t >= k, c, 0), j)",         cells: sums(atMost),  what: "the threshold on the left, at most" },
  { text: "sum(where(t < k, c, 0), j)",          cells: sums(greater), what: "the threshold on the left, greater" },
  { text: "sum(where(t <= k, c, 0), j)",         cells: sums(atLeast), what: "the threshold on the left, at least" },
  { text: "sum(where(t == k, c, 0), j)",         cells: sums(equal),   what: "the threshold on the left, equal" },
  { text: "sum(c * (k < t), j)",                 cells: sums(less),    what: "by products" },
  { text: "sum(k < t, j)",                       cells: counts(less),  what: "how many there are" },
  { text: "sum(where(k < t, 2, 0), j)",          cells: counts(less).map((each) => 2 * each), what: "of a number" },
  { text: "avg(k < t, j)",                       cells: counts(less).map((each) => each / size), what: "the share" },
  { text: "sum((k < t) + 0.5 * (k == t), j)",    cells: counts(less).map((each, at) => each + (counts(equal)[at] ?? 0) / 2), what: "of two terms" },
  { text: "sum(2 * (k < t) - (k == t), j)",      cells: counts(less).map((each, at) => 2 * each - (counts(equal)[at] ?? 0)), what: "of a difference" },
  { text: "sum(where(k < t, c, 0))",             cells: [total(sums(less))], what: "over the thresholds, too" },
  { text: "tensor(t[256])(sum(where(k < h{t:(t)}, c, 0)))", cells: sums(less), what: "for each index of a generator" },
  { text: "sum(rename(k, j, i) > k, i)",         cells: counts(greater, keys, keys), what: "of its own cells" },
  { text: "sum(where(both < t, 1, 0), j)",       cells: [...counts(less), ...counts(less, cells)], what: "of several lines" },
  { text: "sum(where(k < t, both, 0), j)",       cells: [...sums(less, keys), ...sums(less)], what: "of several cells for a key" },
  { text: "sum(where(rename(both, j, i) < both, 1, 0), i)", cells: [...counts(less, keys, keys), ...counts(less, cells, cells)], what: "of several lines of their own cells" },
  { text: "sum(rows > t, doc)",                  cells: counts(greater), what: "of rows" },
  { text: "descending_rank(k, j)",               cells: own, what: "ranks" },
  { text: "sum(descending_rank(rows, doc))",     cells: [total(own)], what: "ranks of rows" },
  { text: "sum(descending_rank(pairs, doc), doc)", cells: [total(own), total(own)], what: "ranks of rows in groups" },
];

test.each(rows)("$what: $text", ({ text, cells }) => {
  for (const backend of ["engine", "closures"] as const) {
    const program = compile(text, { inputs: types, backend });
    expect([...program.run(inputs).data], backend).toEqual(cells);
  }
  const plan = showPlan(compile(text, { inputs: types }).plan(inputs));
  expect(plan).toContain("thresholds");
});

const { NaN: none, POSITIVE_INFINITY: infinity } = Number;

// biome-ignore format: a table
const special = [
  { text: "sum(where(k <= t, c, 0), j)",  k: [none, 1, -0, 0], c: [1, 2, 4, 8],              t: [none, 0, -0, 1, infinity], sums: [0, 12, 12, 14, 14],     what: "nothing compares with NaN, and zeros are equal" },
  { text: "sum(where(k == t, c, 0), j)",  k: [none, 1, -0, 0], c: [1, 2, 4, 8],              t: [none, 0, -0, 1, 2],        sums: [0, 12, 12, 2, 0],       what: "equal cells of NaN and zeros" },
  { text: "sum(where(k <= t, c, 0), j)",  k: [1, 2, 3, 4],     c: [1, infinity, -infinity, 1], t: [1, 2, 3, 4, 0],           sums: [1, infinity, none, none, 0], what: "infinite cells are in sums from their keys on" },
  { text: "sum(c * (k <= t), j)",         k: [1, 2, 3, 4],     c: [1, infinity, 1, 1],       t: [1, 2],                     sums: [none, infinity],        what: "infinity times 0 is in sums without it" },
  { text: "sum(where(k <= t, c, 0), j)",  k: [1, 2, 3, 4],     c: [1e16, 1, 1, -1e16],       t: [1, 2, 3, 4],               sums: [1e16, 1e16, 1e16 + 2, 2], what: "nothing is lost by rounding" },
  { text: "sum(where(k == t, c, 0), j)",  k: [1, 2, 2, 2],     c: [1e16, 1, 1, 1],           t: [1, 2],                     sums: [1e16, 3],               what: "equal cells have sums of their own" },
];

test.each(special)("$what: $text", ({ text, k, c, t, sums }) => {
  const full = (cells: readonly number[], length: number, rest: number): number[] => [
    ...cells,
    ...new Array<number>(length - cells.length).fill(rest),
  ];
  const values = { k: full(k, size, infinity), c: full(c, size, 0), t: full(t, 256, -1) };
  for (const backend of ["engine", "closures", "reference"] as const) {
    const found = [...compile(text, { inputs: types, backend }).run({ ...inputs, ...values }).data];
    expect(found.slice(0, sums.length), backend).toEqual(sums);
  }
});

// biome-ignore format: a table
const asWritten = [
  { text: "sum(k < 3)",                                   what: "one threshold" },
  { text: "sum(where(k < t, t, 0), j)",                   what: "a cell of the threshold" },
  { text: "sum(where(k != t, c, 0), j)",                  what: "another comparison" },
  { text: "sum(where((k < t) * (k > t - 9), c, 0), j)",   what: "two comparisons" },
  { text: "sum((k < t) + c * (k == t), j)",               what: "terms with cells" },
  { text: "max(where(k < t, c, 0), j)",                   what: "what is no sum" },
  { text: "sum(where(k + t < t, c, 0), j)",               what: "keys that depend on the threshold" },
];

test.each(asWritten)("as it is written is computed: $what", ({ text }) => {
  const [engine, reference] = (["engine", "reference"] as const).map((backend) =>
    compile(text, { inputs: types, backend }).run(inputs),
  );
  expect(`${engine}`).toBe(`${reference}`);
  expect(showPlan(compile(text, { inputs: types }).plan(inputs))).not.toContain("thresholds");
});

test.each(cellTypeNames)("keys and cells of %s", (cellType) => {
  const declared = { ...types, k: `tensor<${cellType}>(j[${size}])`, c: `tensor<${cellType}>(j[${size}])` };
  const program = compile("sum(where(k <= t, c, 0), j)", { inputs: declared });
  expect([...program.run(inputs).data].map(Number)).toEqual(sums(atMost));
});

test("many keys are put in order in slices", async () => {
  const many = 300_000;
  const type = `tensor(j[${many}])`;
  const k = Tensor.from(
    parseType(type),
    Float64Array.from({ length: many }, (_, at) => (at * 7919) % many),
  );
  const program = compile(`input k: ${type}\nsum(rename(k, j, i) < k, i)`);
  // Each number is there once, so that as many are below it as it says.
  expect((await program.runAsync({ k })).equals(k)).toBe(true);
});
