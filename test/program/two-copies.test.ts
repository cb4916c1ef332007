import { expect, test, vi } from "vitest";
import * as ours from "../../src/index.js";
import { codesOf } from "../problem-codes.js";

/** A program may load the library twice: two versions of it, or `sphex` and `sphex/browser`. Values of one are those of the other. */
vi.resetModules();
const other = await import("../../src/index.js");

const text = "tensor(k{},x[2]):{a:[1.0, 2.0], b:[3.0, 4.0]}";
const foreign = other.parseTensor(text);
const foreignType = other.parseType("tensor(k{},x[2])");

/** What a function throws. */
function errorOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("they are two indeed", () => {
  expect(other.compile).not.toBe(ours.compile);
  expect(Object.getPrototypeOf(foreign)).not.toBe(ours.Tensor.prototype);
});

test("a tensor is one for both", () => {
  expect(foreign).toBeInstanceOf(ours.Tensor);
  expect(ours.parseTensor(text).equals(foreign)).toBe(true);
  expect(foreign.equals(ours.parseTensor(text))).toBe(true);
  expect(ours.writeTensor(foreign, "json")).toBe(other.writeTensor(foreign, "json"));
  expect(ours.showTensor(foreign)).toBe(other.showTensor(foreign));
});

test.each(ours.backendNames)("a tensor that the other copy computed is an input of %s", (backend) => {
  const result = other.compile("input t: tensor(k{},x[2])\nt * 2 + 1", { backend }).run({ t: text });
  const program = ours.compile("input t: tensor(k{},x[2])\nsum(t + tensor(k{}):{a:1,b:1}, x)", { backend });
  const expected = "tensor(k{}):{a:10.0, b:18.0}";
  for (const run of [
    () => program.run({ t: result }),
    () => program.prepare().run({ t: result }),
    () => program.prepare({ t: result }).run(),
    () => program.session().run({ t: result }),
    () => ours.evaluate("sum(t + tensor(k{}):{a:1,b:1}, x)", { t: result }, { backend }),
  ])
    expect(`${run()}`).toBe(expected);
});

test("a type is one for both", () => {
  expect(foreignType).toBeInstanceOf(ours.TensorType);
  expect(ours.parseType("tensor(k{},x[2])").equals(foreignType)).toBe(true);
  const data = { a: [1, 2], b: [3, 4] };
  expect(`${ours.Tensor.from(foreignType, data)}`).toBe(text);
  expect(`${ours.compile("t", { inputs: { t: foreignType } }).run({ t: data })}`).toBe(text);
  expect(`${ours.parseTensor("{a:[1,2],b:[3,4]}", foreignType)}`).toBe(text);
  const half = { parameters: [foreignType], returns: foreignType, call: (t: ours.Tensor) => t };
  expect(
    `${ours.compile(`input t: tensor(k{},x[2])\nhalf(t)`, { functions: { half } }).run({ t: text })}`,
  ).toBe(text);
});

test("an error and its problems are what they are for both", () => {
  const error = errorOf(() => other.compile("1 +"));
  expect(error).toBeInstanceOf(ours.SphexError);
  expect(ours.isProblem((error as ours.SphexError).problems[0])).toBe(true);
  expect(codesOf(() => other.compile("1 +"))).toEqual(["syntax/unexpected"]);
  const [problem] = (error as ours.SphexError).problems;
  if (problem === undefined) return expect.fail("it has a problem");
  expect(ours.showProblem(problem)).toBe(other.showProblem(problem as never));
});

test("but what is none is none, and a class of a host's own has its own instances only", () => {
  class OwnError extends ours.SphexError {}
  const error = errorOf(() => ours.compile("1 +"));
  expect(error).not.toBeInstanceOf(OwnError);
  expect(new OwnError([])).toBeInstanceOf(OwnError);
  expect(new OwnError([])).toBeInstanceOf(ours.SphexError);
  for (const value of [null, undefined, 1, "sphex.error.1", {}, new Error("e"), () => 1]) {
    expect(value).not.toBeInstanceOf(ours.SphexError);
    expect(value).not.toBeInstanceOf(ours.Tensor);
    expect(value).not.toBeInstanceOf(ours.TensorType);
    expect(ours.isProblem(value)).toBe(false);
  }
});
