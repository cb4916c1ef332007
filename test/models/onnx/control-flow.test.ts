import { expect, test } from "vitest";
import { SphexError } from "../../../src/index.js";
import { readOnnx } from "../../../src/models.js";
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

/** Branches of two shapes. */
const chosen = model(
  withGraphs(
    "If",
    ["which"],
    "y",
    inner("then_branch", node("Identity", ["x"], "a"), port(12, "a", [2])),
    inner("else_branch", node("Concat", ["x", "x"], "b"), port(12, "b", [4])),
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

test("branches of two shapes are refused where a number chooses", () => {
  expect(() => readOnnx({ name: "if.onnx", bytes: chosen }).program()).toThrow(SphexError);
});
