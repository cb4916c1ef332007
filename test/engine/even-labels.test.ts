import { expect, test } from "vitest";
import { compile, parseTensor, showPlan } from "../../src/index.js";

/** Slices in generators at labels along one axis: where these are evenly spaced, cells are read with a stride, and no table says where. */
const types = { v: "tensor(x[6])", t: "tensor(x[3],y[2])", m: "tensor(k{})" };
const inputs = {
  v: parseTensor("tensor(x[6]):[1,2,4,8,16,32]"),
  t: parseTensor("tensor(x[3],y[2]):[[1,2],[3,4],[5,6]]"),
  m: parseTensor("tensor(k{}):{'0':1,'1':2,'10':4,'2':8,'-1':16}"),
};

const run = (text: string, backend: "engine" | "reference") =>
  compile(text, { inputs: types, backend }).run(inputs);
const planOf = (text: string): string => showPlan(compile(text, { inputs: types }).plan(inputs));

// biome-ignore format: a table
const even = [
  { text: "tensor(i[5])(v{x:(i + 1)})",                       what: "the next one",                     cells: [2, 4, 8, 16, 32] },
  { text: "tensor(i[5])(v{x:(i + 1)} - v{x:(i)})",            what: "differences",                      cells: [1, 2, 4, 8, 16] },
  { text: "tensor(i[6])(v{x:(5 - i)})",                       what: "backwards",                        cells: [32, 16, 8, 4, 2, 1] },
  { text: "tensor(i[3])(v{x:(2 * i + 1)})",                   what: "every other one",                  cells: [2, 8, 32] },
  { text: "tensor(i[3])(v{x:(-i * 2 + 5)})",                  what: "every other one, backwards",       cells: [32, 8, 2] },
  { text: "tensor(i[3])(v{x:(i - i + 3)})",                   what: "the same one",                     cells: [8, 8, 8] },
  { text: "tensor(i[1])(v{x:(i * 100 + 5)})",                 what: "an only one",                      cells: [32] },
  { text: "tensor(i[3])(v{x:(floor(i / 3) + 2)})",            what: "what is even by its numbers",      cells: [4, 4, 4] },
  { text: "tensor(i[4])(tensor(x[5])(v{x:(x + 1)}){x:(4 - i)})", what: "a slice of a slice",            cells: [32, 16, 8, 4] },
  { text: "tensor(i[4])((v * v){x:(i + 2)})",                 what: "of what is computed",              cells: [16, 64, 256, 1024] },
  { text: "tensor(i[4])(tensor(x[6])(10 * x){x:(5 - i)})",    what: "of indexes",                       cells: [50, 40, 30, 20] },
  { text: "tensor(i[2])(t{x:(i + 1), y:(1 - i)})",            what: "two dimensions along one",         cells: [4, 5] },
  { text: "tensor(i[2])(sum(t{x:(i + 1)}))",                  what: "rows",                             cells: [7, 11] },
];

test.each(even)("$what, without a table: $text", ({ text, cells }) => {
  expect([...run(text, "engine").data]).toEqual(cells);
  expect([...run(text, "reference").data]).toEqual(cells);
  expect(planOf(text)).not.toMatch(/table|reference/);
});

// biome-ignore format: a table
const uneven = [
  { text: "tensor(i[5])(v{x:(i % 3)})",                       what: "again and again",                  cells: [1, 2, 4, 1, 2] },
  { text: "tensor(i[5])(v{x:(i * i)})",                       what: "squares, the last ones absent",    cells: [1, 2, 16, 0, 0] },
  { text: "tensor(i[4])(v{x:(i - 1)})",                       what: "one before the first",             cells: [0, 1, 2, 4] },
  { text: "tensor(i[4])(v{x:(i + 4)})",                       what: "two behind the last",              cells: [16, 32, 0, 0] },
  { text: "tensor(i[4])(v{x:(if (i > 1, i + 2, 1 - i))})",    what: "a choice",                         cells: [2, 1, 16, 32] },
  { text: "tensor(i[4])(v{x:(tensor(x[6])(v{x:(x % 2)} - 1){x:(i)})})", what: "labels of cells",        cells: [1, 2, 1, 2] },
  { text: "tensor(i[3])(v{x:(tensor<int8>(x[3])(x * x){x:(i)})})", what: "numbers of another cell type", cells: [1, 2, 16] },
  { text: "tensor(i[4])(tensor(x[5])(v{x:(x % 3)}){x:(4 - i)})", what: "a table behind a progression",  cells: [2, 1, 4, 2] },
  { text: "tensor(i[4])(tensor(x[5])(v{x:(5 - x)}){x:(i * i % 5)})", what: "a progression behind a table", cells: [32, 16, 2, 2] },
  { text: "tensor(i[4])(m{k:(i)})",                           what: "names, the last one absent",       cells: [1, 2, 8, 0] },
  { text: "tensor(i[4])(m{k:(10 * i - 10)})",                 what: "names far from each other",        cells: [0, 1, 4, 0] },
];

test.each(uneven)("$what: $text", ({ text, cells }) => {
  expect([...run(text, "engine").data]).toEqual(cells);
  expect([...run(text, "reference").data]).toEqual(cells);
  expect(planOf(text)).not.toContain("reference");
});

test("labels along an axis of a thousand and more indexes are computed in parts", () => {
  const text = "tensor(i[2500])(tensor(x[2500])(x * 2){x:(if (i % 7 == 0, 2499 - i, i))})";
  const numbers = Array.from({ length: 2500 }, (_, i) => 2 * (i % 7 === 0 ? 2499 - i : i));
  expect([...run(text, "engine").data]).toEqual(numbers);
});
