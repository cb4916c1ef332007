import { expect, test } from "vitest";
import { compile, type InputValues, showNotFinite, showWhy } from "../../src/index.js";

/** What why and explain tell of inputs that a run is not given. */

const lines = (text: string): string[] =>
  text.split("\n").map((line) => line.replace(/(?<=[^\s│]) {2,}/g, "  "));

test("follows the default of an input that is not given, where it is computed", () => {
  const program = compile("input a: tensor()\ninput b: tensor() = a * 2\ninput c: tensor() = 5\nb + c");
  expect(lines(showWhy(program.why({}, { a: 3 })))).toEqual([
    "b + c  11.0  add",
    "├ b  6.0  input b",
    "│ └ a * 2  6.0  multiply, default",
    "│   ├ a  3.0  input a",
    "│   └ 2  2.0  constant",
    "└ c  5.0  input c",
  ]);
  expect(lines(showWhy(program.why({}, { a: 3, b: 7 })))).toEqual([
    "b + c  12.0  add",
    "├ b  7.0  input b",
    "└ c  5.0  input c",
  ]);
  const explained = (inputs: InputValues): string[] => program.explain(inputs).nodes.map(({ text }) => text);
  expect(explained({ a: 3 })).toEqual(["b + c", "b", "a * 2", "a", "2", "c"]);
  expect(explained({ a: 3, b: 7 })).toEqual(["b + c", "b", "c"]);
});

test("a NaN or an infinity may be in the default of an input", () => {
  const notFiniteLines = (text: string, inputs: InputValues): string[] =>
    lines(showNotFinite(compile(text).whyNotFinite(inputs)));
  const text = "input a: tensor()\ninput b: tensor() = 1 / a\nb * 2";
  expect(notFiniteLines(text, { a: 0 })).toEqual([
    "Infinity first arises in 1 / a (divide)",
    "1 / a  Infinity  divide",
    "├ 1  1.0  constant",
    "└ a  0.0  input a",
  ]);
  expect(notFiniteLines(text, { a: 2, b: Number.POSITIVE_INFINITY })).toEqual([
    "no NaN and no infinity arises",
    "Infinity is given in b (input b)",
  ]);
});
