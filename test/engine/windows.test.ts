import { expect, test } from "vitest";
import { compile, parseTensor, parseType, showPlan, Tensor } from "../../src/index.js";

/** Slices in generators whose labels are sums over several axes, such as windows: strided reads, without the reference. */
const t = "tensor(x[6],y[4]):[[1,2,3,4],[5,6,7,8],[9,10,11,12],[13,14,15,16],[17,18,19,20],[21,22,23,24]]";
const v = "tensor(x[6]):[1,2,4,8,16,32]";

// biome-ignore format: a table
const strided = [
  { text: "tensor(i[4],k[3])(v{x:(i + k)})",                       what: "a window",                        first: [1, 2, 4, 2, 4, 8] },
  { text: "tensor(i[2],k[3])(v{x:(i * 3 + k)})",                   what: "a reshape",                       first: [1, 2, 4, 8, 16, 32] },
  { text: "tensor(i[2],k[2])(v{x:(2 * (i + 1) + k - 1)})",         what: "a stride and an offset",          first: [2, 4, 8, 16] },
  { text: "tensor(i[3],k[3])(v{x:(3 + i - k)})",                   what: "a difference",                    first: [8, 4, 2, 16, 8, 4, 32, 16, 8] },
  { text: "tensor(i[3],k[2])(v{x:(floor(i / 2) * 4 + k)})",        what: "a term with steps of its own",    first: [1, 2, 1, 2, 16, 32] },
  { text: "tensor(i[2],k[2])(sum(t{x:(i * 2 + k)}))",              what: "a row at a label",                first: [10, 26, 42, 58] },
  { text: "tensor(i[2],k[2],j[2],l[2])(t{x:(i + k), y:(j * 2 + l)})", what: "two dimensions",               first: [1, 2, 5, 6, 3, 4] },
  { text: "tensor(i[2],k[2])((v * 2){x:(i + k)})",                 what: "of what is computed",             first: [2, 4, 4, 8] },
  { text: "tensor(i[2],k[3])(t{x:(i + k + i), y:(k)})",            what: "an axis in two labels and twice", first: [1, 6, 11, 9, 14, 19] },
  { text: "tensor(i[6],k[3])(v{x:(i + k)})",                       what: "some of it behind the cells",     first: [1, 2, 4, 2, 4, 8, 4, 8, 16, 8, 16, 32, 16, 32, 0, 32, 0, 0] },
  { text: "tensor(i[3],k[3])(v{x:(i - k)})",                       what: "some of it before the cells",     first: [1, 0, 0, 2, 1, 0, 4, 2, 1] },
  { text: "tensor(i[3],k[3])(v{x:(2 * i + k - 1)})",               what: "some of it on either side",       first: [0, 1, 2, 2, 4, 8, 8, 16, 32] },
  { text: "tensor(i[2],j[2],k[3])((t + 1){x:(5 * i + k - 1), y:(j * 3)})", what: "some of it around the cells of one dimension", first: [0, 2, 6, 0, 5, 9, 18, 22, 0, 21, 25, 0] },
  { text: "tensor(i[2],k[2])(rename(t, x, z){z:(i + k - 1), y:(k)})", what: "some of it before cells whose dimensions have other names", first: [0, 2, 1, 6] },
  { text: "tensor(i[2],k[2])(rename(t, (x, y), (y, x)){y:(i + k + 4), x:(i)})", what: "some of it behind cells whose dimensions are swapped", first: [17, 21, 22, 0] },
  { text: "tensor(i[2],k[2])(v{x:(6 + i + k)})",                   what: "all of it behind the cells",      first: [0, 0, 0, 0] },
  { text: "tensor(i[2],j[2])(sum(tensor(a[3],b[3])(t{x:(i * 5 + a - 1),y:(j * 3 + b - 1)})))", what: "sums around corners", first: [14, 22, 78, 86] },
  { text: "tensor(i[6],k[3])(v{x:((i + k + 5) % 6)})",              what: "a window around the end",         first: [32, 1, 2, 1, 2, 4, 2, 4, 8, 4, 8, 16, 8, 16, 32, 16, 32, 1] },
  { text: "tensor(i[6],k[3])(v{x:(max(0, min(i + k - 1, 5)))})",    what: "a window that stays at borders",  first: [1, 1, 2, 1, 2, 4, 2, 4, 8, 4, 8, 16, 8, 16, 32, 16, 32, 32] },
  { text: "tensor(i[6],k[3])(v{x:(5 - abs(5 - abs(i + k - 1)))})",  what: "a window that turns at borders",  first: [2, 1, 2, 1, 2, 4, 2, 4, 8, 4, 8, 16, 8, 16, 32, 16, 32, 16] },
  { text: "tensor(i[3],k[2])(v{x:(floor((i + k) / 2))})",           what: "every cell twice",                first: [1, 1, 1, 2, 2, 2] },
  { text: "tensor(i[3],k[2])(v{x:(if(i + k > 2, i + k - 3, i + k))})", what: "a choice of the sum",          first: [1, 2, 2, 4, 4, 1] },
  { text: "tensor(i[3],k[2])(v{x:(7 * (i + k) - 7)})",              what: "steps that leave the cells",      first: [0, 1, 1, 0, 0, 0] },
  { text: "tensor(i[3],k[2])(v{x:(log(i + k - 1))})",               what: "labels that are no numbers",      first: [0, 0, 0, 1, 1, 1] },
  { text: "tensor(i[2],k[4])(v{x:(i + k + 0.1 + 0.1 + 0.8)})",      what: "a sum that is rounded on the way", first: [2, 4, 8, 16, 4, 8, 16, 16] },
  { text: "tensor(i[2],k[2],j[2],l[2])(t{x:((i + k + 5) % 6), y:(j + l)})", what: "one around the end, one within", first: [21, 22, 1, 2, 22, 23, 2, 3] },
  { text: "tensor(i[2],k[2])(sum(t{x:((i + k + 5) % 6)}))",         what: "rows around the end",             first: [90, 10, 10, 26] },
];

const inputs = { t: parseTensor(t), v: parseTensor(v) };
const types = { t: "tensor(x[6],y[4])", v: "tensor(x[6])" };
const run = (text: string, backend: "engine" | "reference") =>
  compile(text, { inputs: types, backend }).run(inputs);

test.each(strided)("$what is a strided read: $text", ({ text, first }) => {
  const program = compile(text, { inputs: types });
  expect([...program.run(inputs).data].slice(0, first.length)).toEqual(first);
  expect(`${program.run(inputs)}`).toBe(`${run(text, "reference")}`);
  expect(showPlan(program.plan(inputs))).not.toMatch(/reference|gather/);
});

test.each([
  "a",
  "m",
  "z",
])("windows that lead beyond their cells are those of each run of a batch along %s", (batch) => {
  const prepared = compile("tensor(i[2],k[2])(v{x:(i + k + 4)})", { inputs: types }).prepare();
  const cells = [1, 2, 4, 8, 16, 32];
  const both = [cells, cells.map((cell) => -cell)];
  const batched = Tensor.from(parseType(`tensor(${batch}[2],x[6])`), both, { axes: [batch, "x"] });
  expect(prepared.runBatch(batch, { v: batched }).toNested([batch, "i", "k"])).toEqual([
    [
      [16, 32],
      [32, 0],
    ],
    [
      [-16, -32],
      [-32, 0],
    ],
  ]);
});

// biome-ignore format: a table
const others = [
  { text: "tensor(i[2],k[3])(v{x:(i * 5000 + k)})", why: "most labels are far beyond", cells: [1, 2, 4, 0, 0, 0] },
  { text: "tensor(i[3],k[2])(v{x:(i * k)})",     why: "a product is no sum",     cells: [1, 1, 1, 2, 1, 4] },
  { text: "tensor(i[3],k[2])(v{x:(i / 2 + k)})", why: "a term has a fraction, of which the sum loses its own", cells: [1, 2, 1, 2, 2, 4] },
  { text: "tensor(i[4],k[2])(v{x:(i * 0.1 + k + i * 0.7 + i * 0.2)})", why: "what is whole together is rounded before", cells: [1, 2, 2, 4, 4, 4, 4, 8] },
  { text: "tensor(i[2],k[4])(v{x:((i + k) * 0.7 * 10 - 6 * (i + k))})", why: "multiples are rounded", cells: [1, 2, 4, 4, 2, 4, 4, 16] },
  { text: "tensor(i[3],k[2])(v{x:((i + k) % (k + 1))})", why: "a function of the sum and of an index", cells: [1, 2, 1, 1, 1, 2] },
  { text: "tensor(i[2],k[2])(v{x:(max(i + k, 1 - i - k))})", why: "two sums",      cells: [2, 2, 2, 4] },
];

test.each(others)("$text is no strided read, but a gather: $why", ({ text, cells }) => {
  expect([...run(text, "engine").data]).toEqual(cells);
  expect(`${run(text, "engine")}`).toBe(`${run(text, "reference")}`);
  const plan = showPlan(compile(text, { inputs: types }).plan(inputs));
  expect(plan).toContain("gather");
  expect(plan).not.toContain("reference");
});

// biome-ignore format: a table
const computed = [
  { text: "tensor(i[3])(v{x:(tensor(y[5])(y + 1){y:(2 * i)})})",   what: "every other number",           cells: [2, 8, 32] },
  { text: "tensor(i[5])(v{x:(tensor(y[3])(y * 2){y:(i)})})",       what: "numbers, and then 0",          cells: [1, 4, 16, 1, 1] },
  { text: "tensor(i[4])(v{x:(tensor(y[3])(5 - y){y:(2 - i)})})",   what: "numbers backwards, and then 0", cells: [8, 16, 32, 1] },
];

test.each(computed)("labels are cells of what is computed, $what: $text", ({ text, cells }) => {
  expect([...run(text, "engine").data]).toEqual(cells);
  expect([...run(text, "reference").data]).toEqual(cells);
});

const cells = Array.from({ length: 70 }, (_, x) => Array.from({ length: 80 }, (_, y) => x * 100 + y));
const image = parseTensor(`tensor(x[70],y[80]):${JSON.stringify(cells)}`);

// biome-ignore format: a table
const bordered = [
  { text: "tensor(i[72],j[82])(t{x:(i - 1), y:(j - 1)})",          what: "a border all around",                  loops: 5 },
  { text: "tensor(i[70],j[83])(t{x:(i), y:(j - 3)})",              what: "a border before one axis",             loops: 2 },
  { text: "tensor(i[71],j[80])(t{x:(i), y:(j)})",                  what: "one behind the other",                 loops: 2 },
  { text: "tensor(i[80],j[80])(t{x:(79 - i), y:(j)})",             what: "a border before what runs backwards",  loops: 2 },
  { text: "tensor(i[70],j[80])(t{x:(2 * i - 1), y:(j)})",          what: "every other line within a border",     loops: 3 },
  { text: "tensor(i[82],j[82])(t{x:(floor(i / 2) - 1), y:(j - 1)})", what: "lines that come twice",              loops: 4 },
  { text: "tensor(i[72],j[80])(if(i >= 70, 7, t{x:(i), y:(j)}) * 2)", what: "what is computed, with a condition of the program's", loops: 2 },
  { text: "tensor(i[70],j[80])(t{x:(i + 70), y:(j)})",             what: "nothing but a border",                 loops: 1 },
  { text: "tensor(i[70],j[80])(t{x:(fmod(i * 37, 100)), y:(j)})",  what: "lines that are there now and then",    loops: 1 },
];

test.each(bordered)("of many cells: $what, computed in as many parts as differ, $loops: $text", ({
  text,
  loops,
}) => {
  const ofType = { inputs: { t: "tensor(x[70],y[80])" } };
  const program = compile(text, ofType);
  const expected = compile(text, { ...ofType, backend: "reference" }).run({ t: image });
  expect(`${program.run({ t: image })}`).toBe(`${expected}`);
  const lines = program.plan({ t: image }).ir.split("\n");
  expect(lines.filter((line) => / = (?:lasting )?loop /.test(line))).toHaveLength(loops);
});

test("labels that are a forest, which is planned as a whole", () => {
  const choices = Array.from({ length: 600 }, (_, at) => `if(i + j > ${at / 300}, 3, 2)`);
  const forest = choices.join(" + ");
  for (const label of [`(${forest}) / 300 - 4`, `i + ${forest} - 1200`, `1 + ${forest}`]) {
    const text = `tensor(i[2],j[3])(v{x:(${label})})`;
    expect(run(text, "engine").data).toEqual(run(text, "reference").data);
  }
});
