import { expect, test } from "vitest";
import { element } from "../../src/language/values/element.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { compile } from "../../src/program/compile.js";
import { parseType } from "../../src/program/options.js";
import { numbersByChance } from "../chance.js";

/** What lies in the memory of results while others come and go: cells that last, and inputs that are results. */

const filledWith = (cell: number): Tensor =>
  Tensor.from(parseType("tensor(x[2000])"), new Float64Array(2000).fill(cell));

test("cells that are the same in all runs are in each result, whoever had its memory before", () => {
  const rows = (label: (at: number) => string, count: number, cell: number): Tensor =>
    Tensor.from(
      parseType("tensor(k{})"),
      Array.from({ length: count }, (_, at) => ({ address: { k: label(at) }, value: cell })),
    );
  const w = rows((at) => `${at}`, 2000, 3);
  const x = (cell: number): Tensor => rows((at) => `${at * 700}`, 2, cell);
  const expected = (cell: number): number[] => [cell, 0, 0, cell, 0];
  const cellsOf = (tensor: Tensor): number[] =>
    ["0", "1", "699", "700", "1999"].map((k) => tensor.get({ k }) ?? Number.NaN);
  const filled = compile("input w: tensor(k{})\ninput x: tensor(k{})\nmerge(map(w, f(a)(0)), x, f(a,b)(b))");
  const [prepared, other] = [filled.prepare(), compile("input w: tensor(k{})\nw + 1").prepare()];
  const first = prepared.run({ w, x: x(1) });
  expect(cellsOf(first)).toEqual(expected(1));
  first.dispose();
  expect(other.run({ w }).get({ k: "1" })).toBe(4);
  const second = prepared.run({ w, x: x(5) });
  expect(cellsOf(second)).toEqual(expected(5));
  second.dispose();
  const between = other.run({ w });
  between.dispose();
  const all = [7, 8, 9].map((cell) => prepared.run({ w, x: x(cell) }));
  expect(all.map(cellsOf)).toEqual([7, 8, 9].map(expected));
  for (const each of all) each.dispose();
  expect(cellsOf(prepared.run({ w, x: x(2) }))).toEqual(expected(2));
});

test("what a host writes to the cells of a result is in no later one", () => {
  const label = (at: number): string => `${at}`.padStart(4, "0");
  const w = Tensor.from(
    parseType("tensor(k{})"),
    Array.from({ length: 2000 }, (_, at) => ({ address: { k: label(at) }, value: 3 })),
  );
  const x = Tensor.from(parseType("tensor(k{})"), [{ address: { k: label(7) }, value: 5 }]);
  const filled = compile("input w: tensor(k{})\ninput x: tensor(k{})\nmerge(map(w, f(a)(0)), x, f(a,b)(b))");
  const prepared = filled.prepare();
  for (let times = 0; times < 3; times++) {
    const result = prepared.run({ w, x });
    expect([6, 7, 8].map((at) => result.get({ k: label(at) }))).toEqual([0, 5, 0]);
    const { data } = result;
    for (const at of data.keys()) data[at] = 9;
    result.dispose();
  }
});

test("a result that is an input elsewhere keeps its cells there when it is disposed of", () => {
  const twice = compile("input x: tensor(x[2000])\nx * 2").prepare();
  const view = compile("input y: tensor(x[2000])\nrename(y, x, z)").prepare();
  const doubled = (number: number): Tensor => twice.run({ x: filledWith(number) });
  const first = doubled(1);
  const seen = view.run({ y: first });
  first.dispose();
  const others = [2, 3, 4].map(doubled);
  expect([seen, ...others].map((tensor) => tensor.at(1999))).toEqual([2, 4, 6, 8]);
  const disposed = doubled(5);
  disposed.dispose();
  expect(() => view.run({ y: disposed })).toThrow("disposed");
  expect(seen.at(0)).toBe(2);
});

test("what a run makes of its own earlier result is computed of the cells that it had", () => {
  const step = compile("input w: tensor(x[2000])\nw * 2 + 1").prepare();
  let w = filledWith(3);
  const all = Array.from({ length: 6 }, () => {
    w = step.run({ w });
    return w;
  });
  expect(all.map((tensor) => tensor.at(3))).toEqual([7, 15, 31, 63, 127, 255]);
});

test("a constant that is packed for products of several sizes gives the sums of its cells, those that overflow in between too", () => {
  const [columns, length] = [21, 1000];
  const weight = (column: number, k: number): number => (column % 2 === 0 && k === 900 ? 0.5 : 1);
  const cells = Array.from({ length: columns }, (_, column) =>
    Array.from({ length }, (_, k) => weight(column, k)),
  );
  const program = compile(
    `input a: tensor<float>(i[],k[${length}])\nw = tensor<float>(j[${columns}],k[${length}]):${JSON.stringify(cells)}\nsum(a * w, k); sum(w, k)`,
    { backend: "engine" },
  );
  const large = 3e38;
  const cell = (row: number, k: number): number =>
    row % 3 === 0 ? (k % 4 < 2 ? large : -large) : (row + k) % 5;
  const sumOf = (row: number, column: number): number => {
    let sum = 0;
    for (let k = 0; k < length; k++) sum += Math.fround(cell(row, k) * weight(column, k));
    return Math.fround(sum);
  };
  for (const rows of [12, 5, 40, 12, 5]) {
    const data = Float32Array.from({ length: rows * length }, (_, at) =>
      cell(Math.floor(at / length), at % length),
    );
    const a = Tensor.from(parseType(`tensor<float>(i[${rows}],k[${length}])`), data);
    const [products, sums] = program.runAll({ a });
    const expected = Array.from({ length: rows * columns }, (_, at) =>
      sumOf(Math.floor(at / columns), at % columns),
    );
    expect(Array.from(products?.data ?? [], Number)).toEqual(expected);
    expect(Array.from(sums?.data ?? [], Number)).toEqual(
      cells.map((row) => row.reduce((sum, each) => sum + each, 0)),
    );
  }
});

test("results that are retained, disposed of, and read by others have the cells of their own runs", () => {
  const chance = numbersByChance();
  const below = (count: number): number => Math.floor(chance() * count);
  const labels = Array.from({ length: 1100 }, (_, at) => `${at}`);
  const mapped = (cell: number): Tensor =>
    Tensor.from(parseType("tensor(k{})"), Object.fromEntries(labels.map((label) => [label, cell])));
  // biome-ignore format: a table
  const plans = [
    { text: "input x: tensor(x[2000])\nx + 1",                first: filledWith, of: (cell: number) => cell + 1 },
    { text: "input x: tensor(x[2000])\nx * 2",                first: filledWith, of: (cell: number) => cell * 2 },
    { text: "input x: tensor(x[2000])\ny = x * 2\ny\ny + 3", first: filledWith, of: (cell: number) => cell * 2 + 3 },
    { text: "input x: tensor(k{})\nx - 4",                    first: mapped,     of: (cell: number) => cell - 4 },
  ].map(({ text, ...plan }) => ({ ...plan, prepared: compile(text).prepare() }));
  const alive: { readonly tensor: Tensor; readonly cell: number; readonly first: typeof mapped }[] = [];
  const gone: Tensor[] = [];
  for (let step = 0; step < 2000; step++) {
    const { prepared, first, of } = element(plans, below(plans.length));
    const readable = alive.filter((each) => each.first === first && Math.abs(each.cell) < 2 ** 40);
    const { tensor: x, cell } = readable[below(2 * readable.length)] ?? { tensor: first(step), cell: step };
    alive.push({ tensor: prepared.run({ x }), cell: of(cell), first });
    if (alive.length < 12 && below(3) > 0) continue;
    const [ended] = alive.splice(below(alive.length), 1);
    if (ended === undefined) continue;
    expect(ended.tensor.toArray().every((each) => each === ended.cell)).toBe(true);
    ended.tensor.dispose();
    gone.push(ended.tensor);
    gone[below(gone.length)]?.dispose();
  }
  for (const { tensor, cell } of alive) expect(tensor.toArray().every((each) => each === cell)).toBe(true);
});
