import { expect, it } from "vitest";
import { evaluate, type Tensor } from "../../src/index.js";
import { codesOf } from "../problem-codes.js";

/** A tensor where JavaScript calculates, as callers without types may write it. */
const untyped = (expression: string): number => evaluate(expression) as unknown as number;

it("a tensor of rank 0 is its number in arithmetic, and its text in a text", () => {
  const three: Tensor = evaluate("1 + 2");
  expect(untyped("1 + 2") * 2).toBe(6);
  expect(untyped("1 + 2") + 1).toBe(4);
  expect(untyped("1 + 2") > 2.5).toBe(true);
  expect(Number(three)).toBe(3);
  expect(`${three}`).toBe("tensor():{3.0}");
  expect(String(three)).toBe("tensor():{3.0}");
});

it("any other tensor is no number, but has a text", () => {
  const pair = "tensor(x[2]):[1, 2]";
  expect(codesOf(() => untyped(pair) * 2)).toEqual(["value/not-a-number"]);
  expect(codesOf(() => untyped(pair) > 2)).toEqual(["value/not-a-number"]);
  expect(`${evaluate(pair)}`).toBe("tensor(x[2]):[1.0, 2.0]");
});
