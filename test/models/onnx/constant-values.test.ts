import { expect, test } from "vitest";
import type { Constant } from "../../../src/models/onnx/file/constant.js";
import { decode } from "../../../src/models/onnx/file/protobuf.js";
import { modelFields } from "../../../src/models/onnx/file/schema.js";
import { importModel } from "../../../src/models/onnx/importer.js";
import type { Step } from "../campaign/graph.js";
import { modelBytes } from "../campaign/write.js";
import { differenceOf, evaluate, runProgram } from "./imported.js";

/** Nodes all of whose inputs are constants of the model: what is computed while it is imported, and what is not. */

const float = (shape: readonly number[], numbers: readonly number[]): Constant => ({
  element: "float",
  shape,
  numbers,
});

/** The program of one node on constants, whose first output is called y. */
function programOf(step: Partial<Step>, constants: Readonly<Record<string, Constant>>, expected: Constant) {
  const { operator = "", outputs = ["y"], attributes = {} } = step;
  const graph = {
    opset: 13,
    inputs: new Map(),
    constants: new Map(Object.entries(constants)),
    steps: [{ operator, inputs: Object.keys(constants), outputs, attributes }],
    outputs: new Map([["y", expected]]),
  };
  return importModel(decode(modelBytes(graph), modelFields), { evaluate });
}

const difference = (...args: Parameters<typeof programOf>): string | undefined => {
  const program = programOf(...args);
  const [[result], [port]] = [runProgram(program, new Map()), program.outputs];
  return result === undefined || port === undefined ? "no output" : differenceOf(port, result, args[2]);
};

test("one number alone is joined with nothing", () => {
  const one = float([1], [-1.25]);
  expect(difference({ operator: "Concat", attributes: { axis: 0 } }, { x: one }, one)).toBeUndefined();
});

test("a gate that is the same for all batches is one of each", () => {
  // Without weights a half of the candidate is taken, which is the tangent of a half of its bias behind the reset.
  const zeros = (shape: readonly number[]): Constant =>
    float(shape, Array(shape.reduce((a, b) => a * b)).fill(0));
  const constants = {
    x: zeros([1, 2, 1]),
    w: zeros([1, 6, 1]),
    r: zeros([1, 6, 2]),
    b: float([1, 12], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 4]),
  };
  const step = { operator: "GRU", attributes: { hidden_size: 2, linear_before_reset: 1 } };
  const row = [0.5 * Math.tanh(1), 0.5 * Math.tanh(2)];
  expect(difference(step, constants, float([1, 1, 2, 2], [...row, ...row]))).toBeUndefined();
});

test("an output of which a part is too large to be computed in the import is computed in a run", () => {
  // A row of zeros lies above the image, so that the first window sees one row of ones less.
  const image = float([1, 1, 200, 1000], Array(200_000).fill(1));
  const attributes = { kernel_shape: [100, 1000], strides: [100, 1000], pads: [1, 0, 0, 0], p: 1 };
  const program = programOf({ operator: "LpPool", attributes }, { x: image }, float([1, 1, 2, 1], []));
  expect(program.definitions.length).toBeGreaterThan(1);
  const expected = float([1, 1, 2, 1], [99_000, 100_000]);
  expect(difference({ operator: "LpPool", attributes }, { x: image }, expected)).toBeUndefined();
});

test("what would be made of no elements at all is refused in words", () => {
  const empty = { a: float([2, 0], []), b: float([0], []) };
  expect(() => programOf({ operator: "MatMul" }, empty, float([2], [0, 0]))).toThrow(
    "a tensor without elements is not a value of this language",
  );
});

test("a value may be called as constants without elements are", () => {
  const called = { no_element: float([2], [1, 2]), b: float([2], [3, 4]) };
  expect(difference({ operator: "Add" }, called, float([2], [4, 6]))).toBeUndefined();
});

test("a truth value of any bits is 1", () => {
  const bool = (numbers: readonly number[]): Constant => ({ element: "bool", shape: [3], numbers });
  const flags = { operator: "Identity" };
  expect(difference(flags, { x: bool([0, 2, 255]) }, bool([0, 1, 1]))).toBeUndefined();
});
