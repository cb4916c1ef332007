import { expect, test } from "vitest";
import { parseTensor, parseType, readTensor, writeTensor } from "../../src/index.js";

/** Labels and texts that a format could stumble over. */

test.each(["a\rb", "a\nb", "a\r\nb", 'a"b', "a,b", " a "])("the label %j comes back from CSV", (label) => {
  const tensor = parseTensor("tensor(k{}):{a:1}");
  const own = readTensor(writeTensor(tensor, "csv").replace("a", "a"), "csv", { type: tensor.type });
  expect(own.equals(tensor)).toBe(true);
  const odd = parseTensor(`tensor(k{}):{{k:${JSON.stringify(label)}}:1}`);
  expect(readTensor(writeTensor(odd, "csv"), "csv", { type: odd.type }).labels).toEqual([[label]]);
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
