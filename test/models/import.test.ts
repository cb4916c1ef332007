import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile, parseType, readNpz, SphexError, Tensor } from "../../src/index.js";
import { type OnnxFile, readOnnx } from "../../src/models.js";
import { command } from "../command.js";
import {
  all,
  external,
  floats,
  layer,
  model,
  node,
  number,
  part,
  port,
  raw,
  text,
  type Write,
  weights,
} from "./onnx/write-model.js";

/** Models of ONNX as programs: what `sphex import` writes, and what becomes of files that are broken. */

const inside = raw(floats([1, -1, 2, 0, 0, 3]));
// By hand: [1, 2, 3] W = [5, 8] and [0, -1, 1] W = [-2, 3].
const x = Float32Array.of(1, 2, 3, 0, -1, 1);
const y = [5, 8, 0, 3];

const read = (bytes: Uint8Array, readExternal?: OnnxFile["readExternal"]) =>
  readOnnx({ name: "layer.onnx", bytes, ...(readExternal === undefined ? {} : { readExternal }) });

function run(bytes: Uint8Array, readExternal?: OnnxFile["readExternal"]): number[] {
  const { text, constants } = read(bytes, readExternal).program();
  const types = [...constants].map(([name, { type }]) => [name, type] as const);
  const program = compile(text, { inputs: Object.fromEntries(types) });
  const input = Tensor.from(parseType("tensor<float>(d0[2],d1[3])"), x);
  return Array.from(program.run({ ...Object.fromEntries(constants), x_: input }).data, Number);
}

test("a model computes what it says", () => {
  expect(run(layer(inside))).toEqual(y);
});

test("its weights may lie in a file beside it, in a part of that", () => {
  const file = Uint8Array.of(9, 9, 9, 9, ...floats([1, -1, 2, 0, 0, 3]), 9);
  const entries = { location: "data/w.bin", offset: "4", length: "24" };
  expect(run(layer(external(entries)), (path) => (path === "data/w.bin" ? file : Uint8Array.of()))).toEqual(
    y,
  );
});

// biome-ignore format: a table
const escapes = ["/etc/passwd", "../w.bin", "data/../../w.bin", "\\\\host\\w.bin", "C:w.bin", "a\0b", ""];

test.each(escapes)("no file outside of its folder is asked for: %j", (location) => {
  const asked: string[] = [];
  const bytes = layer(external({ location }));
  const ask = (path: string): Uint8Array => {
    asked.push(path);
    return floats([1, 2, 3, 4, 5, 6]);
  };
  expect(() => read(bytes, ask).program()).toThrow("not a path to a file beside the model");
  expect(asked).toEqual([]);
});

// biome-ignore format: a table
const broken = [
  { what: "a tensor with too few elements",  bytes: layer(raw(floats([1]))),                                      says: "it has 1 element, not 6" },
  { what: "a part beyond the end of a file", bytes: layer(external({ location: "w", offset: "8", length: "24" })), says: "its file w has fewer bytes" },
  { what: "a tensor of 10^18 elements",      bytes: model(weights("w", [1e9, 1e9], inside)),                      says: "are not valid sizes" },
  { what: "sizes below 0",                   bytes: model(weights("w", [-2, -3], inside)),                        says: "are not valid sizes" },
  { what: "a graph that goes in a circle",   bytes: model(node("Relu", ["b"], "a"), node("Relu", ["a"], "b")),     says: "nothing before it makes its input b" },
  { what: "an output that nothing makes",    bytes: model(port(12, "y", [2])),                                    says: "nothing before it makes its input y" },
  { what: "an operator that there is not",   bytes: model(port(11, "x", [2]), node("Fancy", ["x"], "y")),          says: "this operator is not in the table" },
  { what: "matrices that do not fit",        bytes: model(port(11, "x", [2, 3]), node("MatMul", ["x", "x"], "y")), says: "the shapes [2,3] and [2,3] do not fit" },
  { what: "a size without a number",         bytes: layer(inside, "batch"),                                       says: "the size `batch` of the input `x` is not known" },
];

test.each(broken)("$what is a problem", ({ bytes, says }) => {
  const file = (): Uint8Array => new Uint8Array(24);
  expect(() => read(bytes, file).program()).toThrow(SphexError);
  expect(() => read(bytes, file).program()).toThrow(says);
});

test("a file that is cut off anywhere, or has another byte anywhere, makes a program or problems", () => {
  const whole = layer(inside);
  const attempt = (bytes: Uint8Array): void => {
    try {
      read(bytes).program();
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
    }
  };
  for (let at = 0; at < whole.length; at++) {
    attempt(whole.slice(0, at));
    for (const bits of [0xff, 0x80, 0x01, 0x08])
      attempt(whole.map((byte, place) => (place === at ? byte ^ bits : byte)));
  }
});

test("a message in itself a thousand times is a problem", () => {
  let graph: Write = node("Relu", ["x"], "y");
  for (let depth = 0; depth < 1000; depth++) {
    const inner = graph;
    graph = part(1, part(5, part(6, inner)));
  }
  expect(() => read(model(graph))).toThrow("cannot be read as part of a model");
});

test("a size that is called ? has the name of its place: two of them may be different", () => {
  const { inputs, outputs } = read(
    model(node("Relu", ["x"], "y"), port(11, "x", ["?", "rows", "?"]), port(12, "y", ["?"])),
  );
  expect(inputs.map(({ shape }) => shape)).toEqual([["x.d0", "rows", "x.d2"]]);
  expect(outputs.map(({ shape }) => shape)).toEqual([["y.d0"]]);
});

test("a summary has what is in nodes: tensors of constants, and the graphs of branches", () => {
  const tensor = (type: number, bytes: Uint8Array): Write =>
    part(5, all(text(1, "value"), part(5, all(number(1, 2), number(2, type), raw(bytes))), number(20, 4)));
  const constant = (output: string, value: Write): Write =>
    part(1, all(text(2, output), text(4, "Constant"), value));
  const branch = (name: string, bias: string): Write =>
    part(
      5,
      all(
        text(1, name),
        part(
          6,
          all(constant(bias, tensor(1, floats([1, 2]))), node("Add", ["x", bias], name), port(12, name, [2])),
        ),
        number(20, 5),
      ),
    );
  const choice = part(
    1,
    all(text(1, "c"), text(2, "y"), text(4, "If"), branch("then_branch", "a"), branch("else_branch", "b")),
  );
  const shape = constant("s", tensor(7, new Uint8Array(BigInt64Array.of(3n, 4n).buffer)));
  const { operators, parameters } = read(
    model(shape, choice, port(11, "x", [2]), port(11, "c", [], 9), port(12, "y", [2])),
  ).summary;
  expect(Object.fromEntries(operators)).toEqual({ Constant: 3, Add: 2, If: 1 });
  expect(parameters).toBe(4);
});

test("weights of which others were computed are not in the program", () => {
  const { constants } = read(
    model(
      node("Neg", ["w"], "opposite"),
      node("Mul", ["x", "opposite"], "y"),
      weights("w", [2], raw(floats([1, 2]))),
      port(11, "x", [2]),
      port(12, "y", [2]),
    ),
  ).program();
  expect([...constants].map(([name, { data }]) => [name, [...data]])).toEqual([["opposite", [-1, -2]]]);
});

describe("sphex import", () => {
  test("writes a program that runs, with its weights", async () => {
    const { folder, run } = command();
    writeFileSync(join(folder, "layer.onnx"), layer(inside, "batch"));
    const args = ["import", "layer.onnx", "--out", "out", "--size", "batch=2"];
    expect(await run(args)).toMatchObject({ code: 0, err: "" });
    const program = readFileSync(join(folder, "out/layer.sphex"), "utf8");
    expect(program).toContain('constant layer_0_W: tensor<float>(y[3],z[2]) = file("layer.npz").layer_0_W');
    const weights = await readNpz(readFileSync(join(folder, "out/layer.npz")), {
      type: "tensor<float>(y[3],z[2])",
    });
    expect(Array.from(weights.data, Number)).toEqual([1, -1, 2, 0, 0, 3]);
    writeFileSync(join(folder, "x.txt"), "tensor<float>(d0[2],d1[3]):[[1,2,3],[0,-1,1]]");
    const result = await run(["run", "out/layer.sphex", "--set", "x_=@x.txt", "--format", "literal"]);
    expect(result).toMatchObject({ code: 0, out: expect.stringContaining("[[5.0, 8.0], [0.0, 3.0]]") });
  });

  test("reads a model from stdin", async () => {
    const { folder, run } = command();
    const args = ["import", "-", "--out", "out", "--size", "batch=2"];
    const imported = await run(args, { stdin: [layer(inside, "batch")] });
    expect(imported).toEqual({ code: 0, out: "out/model.sphex\n", err: "" });
    expect(readFileSync(join(folder, "out/model.sphex"), "utf8")).toContain('file("model.npz").layer_0_W');
  });

  test("takes the numbers of an input as constants", async () => {
    const { folder, run } = command();
    writeFileSync(join(folder, "layer.onnx"), layer(inside, "batch"));
    const args = ["import", "layer.onnx", "--size", "batch=1"];
    const { out } = await run([...args, "--set", "x=[[1,2,3]]"]);
    expect(out).not.toContain("input ");
    expect(await run([...args, "--set", "x"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--set takes a name and numbers"),
    });
    expect(await run([...args, "--set", "x=[1,true]"])).toMatchObject({ code: 2 });
    expect(await run([...args, "--set", "x=[1,2]"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("must have 3"),
    });
  });

  test("says what a model has", async () => {
    const { folder, run } = command();
    writeFileSync(join(folder, "layer.onnx"), layer(inside, "batch"));
    const { out } = await run(["import", "layer.onnx", "--summary"]);
    for (const line of [
      "input       x: float[batch, 3]",
      "output      y: float[batch, 2]",
      "parameters  6",
      "MatMul 1, Relu 1",
    ])
      expect(out).toContain(line);
  });
});
