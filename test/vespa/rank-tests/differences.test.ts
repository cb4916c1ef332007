import { expect, test } from "vitest";
import { parseTensor } from "../../../src/index.js";
import { differences, orderDifferences } from "../../../src/vespa/rank-tests/differences.js";

/** What differs from what a rank test expects: also what is there beyond it. */

const differing = (found: string, expected: string, tolerance = 1e-6) =>
  differences("f", parseTensor(found), parseTensor(expected), tolerance).map((each) => [
    each.name,
    each.expected,
    each.found,
  ]);

test("cells that only one of two tensors has differ", () => {
  const [few, many] = ["tensor(k{}):{a:1}", "tensor(k{}):{a:1,b:2}"];
  expect(differing(many, few)).toEqual([["f{k:b}", "no such cell", "2.0"]]);
  expect(differing(few, many)).toEqual([["f{k:b}", "2.0", "no such cell"]]);
  expect(differing(many, many)).toEqual([]);
});

test("an infinity of floats is no number that is too large for them", () => {
  const found = "tensor<float>(x[1]):[Infinity]";
  expect(differing(found, "tensor(x[1]):[1e39]")).toHaveLength(1);
  expect(differing(found, "tensor(x[1]):[Infinity]")).toEqual([]);
});

test("hits beyond those that are expected differ, and those that lack", () => {
  expect(orderDifferences(["a", "b"], ["a"])).toEqual([{ name: "rank 2", expected: "no hit", found: "b" }]);
  expect(orderDifferences(["a"], ["a", "b"])).toEqual([{ name: "rank 2", expected: "b", found: "no hit" }]);
  expect(orderDifferences(["id:s:d::a"], ["a"])).toEqual([]);
});
