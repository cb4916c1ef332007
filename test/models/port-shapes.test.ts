import { describe, expect, test } from "vitest";
import { compile, parseTensor, SphexError } from "../../src/index.js";
import { models, readOnnx } from "../../src/models.js";
import { model, node, port, shapeless } from "./onnx/write-model.js";

/** Shapes that files of models do not tell, and shapes that are not those of the values: by hand, and asked of ONNX's own specification. */

/** A program that calls a model, with inputs as they are declared. */
const programOf = (bytes: Uint8Array, inputs: Readonly<Record<string, string>>, output = "y") =>
  compile(
    [
      'model net = file("net.onnx")',
      ...Object.entries(inputs).map(([name, type]) => `input ${name}: ${type}`),
      `net(${Object.keys(inputs).map((name) => `${name}: ${name}`)}).${output}`,
    ].join("\n"),
    { models, readBytes: () => bytes },
  );

const codes = (run: () => unknown): readonly string[] => {
  try {
    return [`${run()}`];
  } catch (error) {
    return error instanceof SphexError ? error.problems.map(({ code }) => code) : [`${error}`];
  }
};

describe("an output without a shape in its file", () => {
  const relu = (...sizes: (number | string)[]): Uint8Array =>
    model(node("Relu", ["x"], "y"), port(11, "x", sizes), shapeless(12, "y"));

  test.each<[string, (number | string)[], string, string]>([
    ["open", ["n", 2], "tensor<float>(d0[],d1[2])", "tensor<float>(d0[],d1[2])"],
    ["of two names", ["n", "m"], "tensor<float>(d0[],d1[])", "tensor<float>(d0[],d1[])"],
    ["bound", ["n", 2], "tensor<float>(d0[3],d1[2])", "tensor<float>(d0[3],d1[2])"],
    ["fixed by the file", [3, 2], "tensor<float>(d0[],d1[])", "tensor<float>(d0[3],d1[2])"],
  ])("has the one that its nodes make, %s", (_, sizes, declared, expected) => {
    const program = programOf(relu(...sizes), { x: declared });
    const x = parseTensor("tensor<float>(d0[3],d1[2]):[[1,-2],[-3,4],[5,6]]");
    expect(`${program.run({ x }).type}`).toBe(expected);
    expect(program.run({ x }).toNested()).toEqual([
      [1, 0],
      [0, 4],
      [5, 6],
    ]);
  });

  test("may be a number", () => {
    expect(`${programOf(relu(), { x: "tensor()" }).run({ x: -3 })}`).toBe("tensor():{0.0}");
  });

  test("has the names of the sizes of inputs", () => {
    const bytes = model(node("Transpose", ["x"], "y"), port(11, "x", ["n", "m"]), shapeless(12, "y"));
    expect(readOnnx({ name: "net.onnx", bytes }).outputs).toEqual([
      { name: "y", element: "float", shape: ["m", "n"] },
    ]);
    const table = model(node("MatMul", ["x", "x"], "y"), port(11, "x", ["n", "n"]), shapeless(12, "y"));
    expect(readOnnx({ name: "net.onnx", bytes: table }).outputs[0]?.shape).toEqual(["n", "n"]);
    const size = model(node("Concat", ["x", "x"], "y"), port(11, "x", ["n"]), shapeless(12, "y"));
    expect(codes(() => readOnnx({ name: "net.onnx", bytes: size }).outputs)).toEqual(["model/no-shape"]);
  });

  test("is refused where its nodes cannot be read", () => {
    const bytes = model(node("Nothing", ["x"], "y"), port(11, "x", [2]), shapeless(12, "y"));
    expect(codes(() => programOf(bytes, { x: "tensor<float>(d0[])" }))).toEqual(["model/no-shape"]);
  });
});

test("an input without a shape is refused", () => {
  const bytes = model(node("Relu", ["x"], "y"), shapeless(11, "x"), port(12, "y", [2]));
  expect(codes(() => programOf(bytes, { x: "tensor<float>(d0[2])" }))).toEqual(["model/no-shape"]);
});

test("an input of a size is not filled up with zeros, whenever its size is known", () => {
  const bytes = model(node("Relu", ["x"], "y"), port(11, "x", [3]), port(12, "y", [3]));
  const program = programOf(bytes, { x: "tensor<float>(d0[])" });
  expect(program.run({ x: [1, -2, 3] }).toNested()).toEqual([1, 0, 3]);
  expect(codes(() => program.run({ x: [1, -2] }))).toEqual(["model/type"]);
  expect(codes(() => program.run({ x: [1, -2, 3, 4] }))).toEqual(["model/type"]);
  expect(codes(() => programOf(bytes, { x: "tensor<float>(d0[2])" }))).toEqual(["model/type"]);
});

test("an output is not forced into the shape that a file has for it", () => {
  const relu = (...sizes: (number | string)[]): Uint8Array =>
    model(node("Relu", ["x"], "y"), port(11, "x", ["n"]), port(12, "y", sizes));
  for (const sizes of [[5], [2], [], ["n", 1]]) {
    const program = programOf(relu(...sizes), { x: "tensor<float>(d0[])" });
    expect(codes(() => program.run({ x: [1, -2, 3] }))).toEqual(["model/output-shape"]);
    expect(
      programOf(relu(...sizes), { x: "tensor<float>(d0[3])" })
        .run({ x: [1, -2, 3] })
        .toNested(),
    ).toEqual([1, 0, 3]);
  }
  // It loses an axis where that has one element.
  const squeezed = model(node("Squeeze", ["x"], "y"), port(11, "x", ["n", 1, 2]), port(12, "y", ["n", 2]));
  const program = programOf(squeezed, { x: "tensor<float>(d0[],d1[1],d2[2])" });
  expect(program.run({ x: [[[1, 2]], [[3, 4]]] }).toNested()).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(codes(() => program.run({ x: [[[1, 2]]] }))).toEqual(["model/output-shape"]);
});
