import { expect, test } from "vitest";
import { readLiteral } from "../../src/formats/literal.js";
import { compile, parseTensor, parseType, readTensor, showTensor, writeTensor } from "../../src/index.js";
import { textIn } from "../../src/language/source/span.js";
import { codesOf, problemsOf } from "../problem-codes.js";

/** Labels and texts that a format could stumble over. */

test.each(["a\rb", "a\nb", "a\r\nb", 'a"b', "a,b", " a "])("the label %j comes back from CSV", (label) => {
  const tensor = parseTensor("tensor(k{}):{a:1}");
  const own = readTensor(writeTensor(tensor, "csv").replace("a", "a"), "csv", { type: tensor.type });
  expect(own.equals(tensor)).toBe(true);
  const odd = parseTensor(`tensor(k{}):{{k:${JSON.stringify(label)}}:1}`);
  expect(readTensor(writeTensor(odd, "csv"), "csv", { type: odd.type }).labels).toEqual([[label]]);
});

test("a label that is half of a character is refused by CSV, which would have another one in a file", () => {
  const halves = parseTensor('tensor(k{}):{{k:"\\ud83d"}:1,{k:"\\ud83e"}:2}');
  expect(halves.labels).toEqual([["\ud83d"], ["\ud83e"]]);
  expect(codesOf(() => writeTensor(halves, "csv"))).toEqual(["format/cannot-hold"]);
  expect(codesOf(() => showTensor(halves, { format: "csv" }))).toEqual(["format/cannot-hold"]);
});

test("a byte order mark before a text is no part of it", () => {
  const type = parseType("tensor(x[1])");
  expect(readTensor("\ufefftensor(x[1]):[1]", "literal", { type }).toNested()).toEqual([1]);
});

test("a tensor without rows comes back from Vespa's binary form", () => {
  const empty = parseTensor("tensor(k{},x[]):{}");
  const back = readTensor(writeTensor(empty, "binary"), "binary", { type: empty.type });
  expect(back.equals(empty)).toBe(true);
});

test.each([
  ["1", "tensor(x[2])", "literal/array"],
  ["12", "tensor<int8>(x[2])", "literal/array"],
  ["abc", "tensor<float>(x[2])", "literal/array"],
  ["tensor(k{},x[2]):{a:7}", "tensor(k{},x[2])", "literal/array"],
  // As many digits as one double has, and one more.
  ["0000000000000000", "tensor(x[2])", "literal/array"],
  ["00000000000000000", "tensor(x[2])", "literal/hex"],
  ["01ff0", "tensor<int8>(x[2])", "literal/hex"],
])("%s for %s, which has more cells, is a single value unless its digits are those of several", (text, type, code) => {
  expect(codesOf(() => parseTensor(text, type))).toEqual([code]);
});

test.each([
  ["tensor(k{}):{a:1, b}", "literal/labels", "b"],
  ["tensor(k{}):{b, a:1}", "literal/labels", "b"],
  ["tensor(k{}):{a=1, b=2}", "literal/labels", "a=1"],
  ["tensor(k{},x[2]):{a:[1,2], 'b'}", "literal/labels", "'b'"],
  ["tensor(j{},k{}):{a:{b:1, c}}", "literal/labels", "c"],
  ["tensor(x[2]):{1, 2}", "literal/array", "1"],
  ["tensor(x[]):{0:1, 2}", "literal/array", "2"],
])("a word of %s has no label", (text, code, word) => {
  const { problems } = readLiteral({ name: "t", text }, { empty: 0, cells: 100 });
  expect(problems.map((each) => [each.code, textIn(each.span)])).toEqual([[code, word]]);
});

test.each([
  ["1 cell", () => compile("1 + 2", { limits: { cells: 0 } }).run()],
  ["tensor() has 1 cell, not 2", () => compile("input a: tensor()\na").run({ a: Float64Array.of(1, 2) })],
  ["more than 1 step", () => compile("sum(tensor(x[9])(x)) + random(1.0)", { limits: { steps: 1 } }).run()],
  ["1 digit", () => readTensor('{"values":"0"}', "json", { type: "tensor(x[2])" })],
])("%s is told in the singular", async (text, act) => {
  const found = await problemsOf(async () => act());
  expect(found).toEqual([expect.stringMatching(`[":]${text.replace(/[()]/g, ".")}[",]`)]);
});
