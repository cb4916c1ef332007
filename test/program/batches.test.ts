import { expect, test } from "vitest";
import { compile, compileExpression, parseTensor, parseType, Tensor, uniform } from "../../src/index.js";
import { codesOf } from "../problem-codes.js";

/** Many runs as one, along a dimension that the program does not know. */

const text = "sum(tanh(sum(i * w, x)) * v, h)";
const inputs = { i: "tensor(x[3])", w: "tensor(h[2],x[3])", v: "tensor(h[2])" };
const weights = {
  w: [
    [1, 0, -1],
    [0.5, 0.25, 2],
  ],
  v: [2, -3],
};
const rows = [
  [1, 2, 3],
  [-1, 0, 0.5],
  [0, 0, 0],
  [4, -4, 1],
];

test("a run for each item, all at once", () => {
  const prepared = compileExpression(text, { inputs }).prepare(weights);
  const batch = Tensor.from(parseType("tensor(b[4],x[3])"), rows);
  const all = prepared.runBatch("b", { i: batch });
  expect(`${all.type}`).toBe("tensor(b[4])");
  for (const [b, i] of rows.entries()) expect(all.at(b)).toBeCloseTo(prepared.run({ i }).asNumber(), 14);
  // tanh(1·1 − 3)·2 − 3·tanh(0.5 + 0.5 + 6)
  expect(all.at(0)).toBeCloseTo(2 * Math.tanh(-2) - 3 * Math.tanh(7), 14);
});

test("what does not depend on the items is there for each", () => {
  const prepared = compileExpression("a + 1", { inputs: { a: "tensor()", c: "tensor()" } }).prepare();
  const a = Tensor.from(parseType("tensor(b[2])"), [1, 2]);
  expect(prepared.runBatch("b", { a }).toString()).toBe("tensor(b[2]):[2.0, 3.0]");
  const c = compileExpression("sum(w)", { inputs: { a: "tensor()", w: "tensor(x[2])" } }).prepare({
    w: [1, 2],
  });
  expect(c.runBatch("b", { a }).toString()).toBe("tensor(b[2]):[3.0, 3.0]");
});

test("has the size of the inputs that are passed: of an earlier batch, or of what is fixed, it has none", () => {
  const batch = (size: number): Tensor =>
    Tensor.from(parseType(`tensor(b[${size}],x[2])`), new Float64Array(2 * size));
  const text = "input a: tensor(x[2])\ninput c: tensor(x[2])\nn = 7\nc * 2\na * 2";
  const prepared = compile(text).prepare({ c: [1, 2] });
  for (const size of [2, 3, 2, 1, 5]) {
    const results = prepared.runAllBatch("b", { a: batch(size) });
    const [first, last] = results;
    for (const each of [first, last, results.value("n")]) expect(each?.type.dimension("b")?.size).toBe(size);
  }
  const other = compile("input a: tensor(x[2])\ninput c: tensor(b[5])\na * sum(c)");
  expect(codesOf(() => other.prepare({ c: [1, 2, 3, 4, 5] }).runBatch("b", { a: batch(3) }))).toEqual([
    "batch/dimension",
  ]);
});

test("refuses a named value that has the dimension already, and no result for it", () => {
  const prepared = compile("input a: tensor()\nw = tensor(b[3])(b + a)\nsum(w)").prepare();
  const results = prepared.runAllBatch("b", { a: parseTensor("tensor(b[2]):[1,2]") });
  expect(`${results[0]}`).toBe("tensor(b[2]):[6.0, 9.0]"); // 1 + 2 + 3, 2 + 3 + 4
  expect(codesOf(() => results.value("w"))).toEqual(["batch/dimension"]);
});

test("refuses random numbers that only some of its runs would draw", () => {
  const a = parseTensor("tensor(b[2]):[0,1]");
  const batch = (text: string): string =>
    compileExpression(text, { inputs: { a: "tensor()" }, random: uniform(7) })
      .prepare()
      .runBatch("b", { a })
      .toString();
  for (const text of [
    "if(a > 0, sum(random(x[1])), sum(random(x[1])))",
    "if(a, random(x[2]), random(x[2]) + 1)",
  ])
    expect(codesOf(() => batch(text))).toEqual(["batch/impossible"]);
  const first = uniform(7)();
  expect(batch("sum(random(x[1])) + if(a > 0, 1, 2)")).toBe(`tensor(b[2]):[${first + 2}, ${first + 1}]`);
});

test("calls a function that takes nothing of it once for all runs", () => {
  let calls = 0;
  const functions = { next: { parameters: [], returns: "tensor()", call: () => ++calls } };
  const prepared = compileExpression("a + next()", { inputs: { a: "tensor()" }, functions }).prepare();
  const a = parseTensor("tensor(b[3]):[10,20,30]");
  expect(`${prepared.runBatch("b", { a })}`).toBe("tensor(b[3]):[11.0, 21.0, 31.0]");
  expect(calls).toBe(1);
});

test("refuses what cannot be", () => {
  const prepared = compileExpression("top(1, a)", { inputs: { a: "tensor(k{})" } }).prepare();
  const a = parseTensor("tensor(b[2],k{}):{p:[1,2],q:[3,4]}");
  expect(codesOf(() => prepared.runBatch("b", { a }))).toEqual(["batch/impossible"]);
  expect(codesOf(() => prepared.runBatch("z", { a: parseTensor("tensor(k{}):{p:1}") }))).toEqual([
    "batch/dimension",
  ]);
  const wrong = parseTensor("tensor(b[2],x[3]):[[1,2,3],[4,5,6]]");
  expect(codesOf(() => prepared.runBatch("b", { a: wrong }))).toEqual(["input/type"]);
});
