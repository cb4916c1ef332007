import { describe, expect, test } from "vitest";
import { compile, SphexError } from "../../../src/index.js";
import { models, readOnnx } from "../../../src/models.js";
import { all, model, node, number, part, port, raw, text, type Write } from "./write-model.js";

/** Graphs within nodes that do not become programs; those that do are cases of onnx/runtime.json. */

const constant = (name: string, value: bigint): Write =>
  part(5, all(number(2, 7), text(8, name), raw(new Uint8Array(BigInt64Array.of(value).buffer))));

const inner = (name: string, ...parts: readonly Write[]): Write =>
  part(5, all(text(1, name), part(6, all(...parts)), number(20, 5)));

const withGraphs = (
  operator: string,
  inputs: readonly string[],
  output: string,
  ...graphs: readonly Write[]
): Write =>
  part(1, all(...inputs.map((each) => text(1, each)), text(2, output), text(4, operator), ...graphs));

/** A loop within loops, which doubles x. */
function loop(depth: number, output: string, state: string): Write {
  const own = depth === 0 ? node("Add", ["s", "s"], "n") : loop(depth - 1, "n", "s");
  const parts = [node("Identity", ["going"], "still"), own];
  const inputs = [port(11, "at", [], 7), port(11, "going", [], 9), port(11, "s", [2])];
  const outputs = [port(12, "still", [], 9), port(12, "n", [2])];
  return withGraphs("Loop", ["count", "", state], output, inner("body", ...parts, ...inputs, ...outputs));
}

const looped = (depth: number, count: bigint): Uint8Array =>
  model(loop(depth, "y", "x"), constant("count", count), port(11, "x", [2]), port(12, "y", [2]));

const firstAxis = part(5, all(text(1, "axis"), number(3, 0), number(20, 2)));

/** Branches of two shapes. */
const chosen = model(
  withGraphs(
    "If",
    ["which"],
    "y",
    inner("then_branch", node("Identity", ["x"], "a"), port(12, "a", [2])),
    inner("else_branch", withGraphs("Concat", ["x", "x"], "b", firstAxis), port(12, "b", [4])),
  ),
  port(11, "x", [2]),
  port(11, "which", [], 9),
  port(12, "y", ["n"]),
);

test.each([
  { name: "a count without end", bytes: looped(0, 2n ** 63n - 1n), words: "it has more than the 512" },
  { name: "loops in loops", bytes: looped(3, 400n), words: "loops become more than 100000 nodes" },
  { name: "loops deep in loops", bytes: looped(120, 1n), words: "cannot be read as part of a model" },
  {
    name: "a count that is an input",
    bytes: model(loop(0, "y", "x"), port(11, "count", [], 7), port(11, "x", [2]), port(12, "y", [2])),
    words: "its count of steps must be constant",
  },
])("$name is refused", ({ bytes, words }) => {
  const program = (): unknown => readOnnx({ name: "loop.onnx", bytes }).program();
  expect(program).toThrow(SphexError);
  expect(program).toThrow(words);
});

describe("branches of two shapes", () => {
  const read = () => readOnnx({ name: "if.onnx", bytes: chosen });
  const hints = (act: () => unknown): readonly (string | undefined)[] => {
    try {
      act();
      return [];
    } catch (error) {
      if (error instanceof SphexError) return error.problems.map(({ description }) => description.hint);
      throw error;
    }
  };

  test("are refused where a number chooses, and what must be constant is said", () => {
    expect(() => read().program()).toThrow("which of its graphs runs");
    expect(hints(() => read().program())).toEqual([expect.stringContaining("give `which` a number where")]);
  });

  test("are one of them where the number is constant", () => {
    const branch = (which: number): string => {
      const { text, inputs, outputs } = read().program({ values: { which: [which] } });
      expect(inputs).toHaveLength(1);
      const program: string = `${text}\n${outputs[0]}`;
      return `${compile(program).run({ [`${inputs[0]}`]: [3, 5] })}`;
    };
    expect(branch(1)).toBe("tensor<float>(d0[2]):[3.0, 5.0]");
    expect(branch(7)).toBe("tensor<float>(d0[2]):[3.0, 5.0]");
    expect(branch(0)).toBe("tensor<float>(d0[4]):[3.0, 5.0, 3.0, 5.0]");
  });

  test("are one of them where a program calls the model with a number", () => {
    const files = { readBytes: () => chosen, models };
    const declared = 'model choose = file("if.onnx")\ninput x: tensor<float>(d0[2])\nchosen = 0\n';
    for (const [which, size] of [
      ["1", 2],
      ["0", 4],
      ["chosen", 4],
      ["-1", 2],
    ] as const)
      expect(
        compile(`${declared}sum(choose(x, ${which}))`, files)
          .run({ x: [3, 5] })
          .asNumber(),
      ).toBe(4 * size);
    expect(hints(() => compile(`${declared}input w: tensor()\nchoose(x, w)`, files))).toEqual([
      expect.stringContaining("give `which` a number where"),
    ]);
  });

  // biome-ignore format: a table
  test.each([
    { values: { which: [1, 2] }, words: "its input which must have 1 numbers, and has 2" },
    { values: { other: [1] },    words: "there is no input other among x, which" },
  ])("are refused where the number is none: $words", ({ values, words }) => {
    expect(() => read().program({ values })).toThrow(words);
  });
});

test("the numbers of an input are whole where its elements are, and of its shape", () => {
  const bytes = model(
    node("Expand", ["x", "shape"], "y"),
    port(11, "x", [1, 2]),
    port(11, "shape", [2], 7),
    port(12, "y", ["n", "m"]),
  );
  const read = readOnnx({ name: "expand.onnx", bytes });
  expect(() => read.program()).toThrow("must be constant");
  expect(() => read.program({ values: { shape: [3, 2.5] } })).toThrow(
    "takes whole numbers of its type alone",
  );
  const { text, inputs, outputs } = read.program({ values: { shape: [3, 2] } });
  const program: string = `${text}\n${outputs[0]}`;
  const result = compile(program).run({ [`${inputs[0]}`]: [[1, 2]] });
  expect(result.toNested()).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
});
