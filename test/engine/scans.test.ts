import { expect, test } from "vitest";
import { compile, parseType, showPlan, Tensor } from "../../src/index.js";
import { cellTypeNames } from "../../src/language/types/cell.js";

/** Sums over cells up to an index, or from it on, and other folds: the engine takes each cell once. */

const size = 100;
const types = {
  h: `tensor(t[${size}])`,
  s: `tensor(t[${size}])`,
  short: "tensor(t[3])",
  m: "tensor(k[2],t[3])",
};
const numbers = Array.from({ length: size }, (_, at) => ((at * 37) % 11) - 3);
const short = [1, 10, 100];
const m = [short, [2, 20, 200]];
const { NaN: none, POSITIVE_INFINITY: infinity } = Number;

/** The sum of the cells that are at an index or before; or of others. */
const sums = (isSummed: (j: number, t: number) => boolean, cells: readonly number[] = numbers): number[] =>
  numbers.map((_, t) => cells.reduce((sum, cell, j) => (isSummed(j, t) ? sum + cell : sum), 0));

const upTo = sums((j, t) => j <= t);
const before = sums((j, t) => j < t);
const from = sums((j, t) => j >= t);
const behind = sums((j, t) => j > t);
const chosen = (condition: string, cell = "s{t:(j)}", over = "j"): string =>
  `sum(tensor(t[${size}],j[${size}])(if(${condition}, ${cell}, 0)), ${over})`;
const fold = (aggregator: string, condition: string, otherwise: string, cell = "s{t:(j)}"): string =>
  `${aggregator}(tensor(t[${size}],j[${size}])(if(${condition}, ${cell}, ${otherwise})), j)`;
const extremes = (
  isSeen: (j: number, t: number) => boolean,
  otherwise: number,
  extreme: (...numbers: number[]) => number,
): number[] => numbers.map((_, t) => extreme(...numbers.map((cell, j) => (isSeen(j, t) ? cell : otherwise))));
const halves = (factors: (t: number) => number): number[] => numbers.map((_, t) => 0.5 ** factors(t));
const product = (condition: string): string =>
  `sum(rename(s, t, j) * tensor(t[${size}],j[${size}])(${condition}), j)`;

// biome-ignore format: a table
const rows = [
  { text: chosen("j <= t"),                     cells: upTo,   what: "up to each" },
  { text: chosen("j < t"),                      cells: before, what: "before each" },
  { text: chosen("j >= t"),                     cells: from,   what: "from each on" },
  { text: chosen("j > t"),                      cells: behind, what: "behind each" },
  { text: chosen("t >= j"),                     cells: upTo,   what: "the index on the left" },
  { text: chosen("t > j"),                      cells: before, what: "the index on the left, without its own" },
  { text: chosen("t <= j"),                     cells: from,   what: "the index on the left, from it on" },
  { text: chosen("t < j"),                      cells: behind, what: "the index on the left, behind it" },
  { text: product("j <= t"),                    cells: upTo,   what: "by products" },
  { text: product("j > t"),                     cells: behind, what: "by products, behind" },
  { text: `tensor(t[${size}])(sum(tensor(j[${size}])(if(j <= t, s{t:(j)}, 0))))`, cells: upTo, what: "for each index of a generator" },
  { text: `sum(where(tensor(t[${size}],j[${size}])(j <= t), rename(s, t, j), 0), j)`, cells: upTo, what: "by where" },
  { text: `sum(tensor(t[${size}],j[${size}])(j <= t), j)`, cells: numbers.map((_, t) => t + 1), what: "how many there are" },
  { text: `sum(tensor(t[${size}],j[3])(if(j <= t, short{t:(j)}, 0)), j)`, cells: sums((j, t) => j <= t, short), what: "of few cells" },
  { text: `sum(tensor(t[${size}],j[3])(if(j > t, short{t:(j)}, 0)), j)`, cells: sums((j, t) => j > t, short), what: "of few cells, behind" },
  { text: `sum(tensor(t[64],j[${size}])(if(j > t, s{t:(j)}, 0)), j)`, cells: behind.slice(0, 64), what: "of cells behind all indexes" },
  { text: `sum(tensor(t[64],j[${size}])(if(j >= t, s{t:(j)}, 0)), j)`, cells: from.slice(0, 64), what: "of cells behind all indexes, with their own" },
  { text: chosen("j <= t", `s{t:(${size - 1} - j)}`), cells: sums((j, t) => j <= t, numbers.toReversed()), what: "of a view" },
  { text: chosen("j <= t", "s{t:(j)} * 2 + 1"), cells: sums((j, t) => j <= t, numbers.map((each) => each * 2 + 1)), what: "of what is computed" },
  { text: `sum(tensor(k[2],t[${size}],j[3])(if(j <= t, m{k:(k),t:(j)}, 0)), j)`, cells: m.flatMap((line) => sums((j, t) => j <= t, line)), what: "of several lines" },
  { text: `sum(rename(m, t, j) * tensor(t[${size}],j[3])(j >= t), j)`, cells: m.flatMap((line) => sums((j, t) => j >= t, line)), what: "of several lines, by products" },
  { text: `sum(tensor(t[${size}],j[${size}])(if(j > t, 0, s{t:(j)})), j)`, cells: upTo, what: "zeros behind each" },
  { text: `avg(tensor(t[${size}],j[${size}])(if(j <= t, s{t:(j)}, 0)), j)`, cells: upTo.map((each) => each / size), what: "by a mean" },
  { text: fold("max", "j <= t", "0 - 9"),       cells: extremes((j, t) => j <= t, -9, Math.max),  what: "the greatest up to each" },
  { text: fold("max", "j <= t", "5"),           cells: extremes((j, t) => j <= t, 5, Math.max),   what: "the greatest up to each, or a number where there are others" },
  { text: fold("max", "j < t", "0 - 9"),        cells: extremes((j, t) => j < t, -9, Math.max),   what: "the greatest before each" },
  { text: fold("min", "j >= t", "9"),           cells: extremes((j, t) => j >= t, 9, Math.min),   what: "the least from each on" },
  { text: fold("min", "j > t", "9"),            cells: extremes((j, t) => j > t, 9, Math.min),    what: "the least behind each" },
  { text: fold("min", "j > t", "0 - 2"),        cells: extremes((j, t) => j > t, -2, Math.min),   what: "the least behind each, or a number where there are others" },
  { text: fold("prod", "j <= t", "1", "1 - h{t:(j)}"), cells: halves((t) => t + 1),               what: "products up to each" },
  { text: fold("prod", "j < t", "1", "1 - h{t:(j)}"), cells: halves((t) => t),                    what: "products before each" },
];

const inputs = { s: numbers, short, m, h: numbers.map(() => 0.5) };

test.each(rows)("$what: $text", ({ text, cells }) => {
  for (const backend of ["engine", "closures", "reference"] as const) {
    const program = compile(text, { inputs: types, backend });
    expect([...program.run(inputs).data], backend).toEqual(cells);
  }
  const plan = showPlan(compile(text, { inputs: types }).plan(inputs));
  expect(plan).toContain("scan");
  expect(plan).not.toContain("reference");
});

// biome-ignore format: a table
const special = [
  { text: chosen("j <= t"),  first: [1, infinity, 1, -infinity, 1], sums: [1, infinity, infinity, none, none], what: "infinity is in all sums behind it" },
  { text: product("j <= t"), first: [1, infinity, 1, -infinity, 1], sums: [none, none, none, none, none],       what: "infinity times 0 is in all sums" },
  { text: chosen("j < t"),   first: [none, 1],                      sums: [0, none],                           what: "NaN is not in the sum before it" },
  { text: chosen("j <= t"),  first: [1e16, 1, 1, 1, -1e16],         sums: [1e16, 1e16, 1e16 + 2, 1e16 + 4, 3], what: "nothing is lost by rounding" },
];

test.each(special)("$what: $text", ({ text, first, sums }) => {
  const s = [...first, ...new Array<number>(size - first.length).fill(0)];
  for (const backend of ["engine", "closures", "reference"] as const) {
    const cells = [...compile(text, { inputs: types, backend }).run({ s }).data];
    expect(cells.slice(0, sums.length), backend).toEqual(sums);
  }
});

// biome-ignore format: a table
const asWritten = [
  { text: `sum(tensor(t[31],j[${size}])(if(j <= t, s{t:(j)}, 0)), j)`,     what: "few sums" },
  { text: chosen("j <= t", "s{t:(t)}"),                                    what: "a cell of the other index" },
  { text: chosen("j <= t", "s{t:(j)}", "t"),                               what: "over the index of the sums" },
  { text: chosen("j + 1 <= t"),                                            what: "another comparison" },
  { text: `max(rename(s, t, j) * tensor(t[${size}],j[${size}])(j <= t), j)`, what: "the greatest of products" },
  { text: fold("prod", "j >= t", "1"),                                     what: "products from the last on" },
  { text: fold("prod", "j <= t", "2"),                                     what: "products with another number" },
];

test.each(asWritten)("as it is written is computed: $what", ({ text }) => {
  const [engine, reference] = (["engine", "reference"] as const).map((backend) =>
    compile(text, { inputs: types, backend }).run(inputs),
  );
  expect(`${engine}`).toBe(`${reference}`);
  expect(showPlan(compile(text, { inputs: types }).plan(inputs))).not.toContain("scan");
});

test.each(cellTypeNames)("cells of %s have running sums", (cellType) => {
  const declared = { ...types, s: `tensor<${cellType}>(t[${size}])` };
  const [engine, reference] = (["engine", "reference"] as const).map((backend) =>
    compile(chosen("j <= t"), { inputs: declared, backend }).run(inputs),
  );
  expect(`${engine}`).toBe(`${reference}`);
  expect([...(engine?.data ?? [])].map(Number)).toEqual(upTo);
});

test("a scan goes on behind a pause where it was", async () => {
  const lines = 5000;
  const type = `tensor(k[${lines}],t[64])`;
  const many = Tensor.from(
    parseType(type),
    Float64Array.from({ length: lines * 64 }, (_, at) => at % 7),
  );
  const text = `input s: ${type}\nsum(tensor(k[${lines}],t[64],j[64])(if(j >= t, s{k:(k),t:(j)}, 0)), j)`;
  const inOne = compile(text).run({ s: many });
  const paused = await compile(text).runAsync({ s: many });
  const ofLast = Array.from({ length: 64 }, (_, at) => ((lines - 1) * 64 + at) % 7);
  const sums = ofLast.map((_, t) => ofLast.slice(t).reduce((sum, each) => sum + each));
  expect([...inOne.data.slice(-64)]).toEqual(sums);
  expect(paused.equals(inOne)).toBe(true);
});
