import { describe, expect, test } from "vitest";
import { machines } from "../../../src/backends/engine/machine/machines.js";
import { compile, Tensor } from "../../../src/index.js";
import { models } from "../../../src/models.js";
import { parseType } from "../../../src/program/options.js";
import { floats, model, node, port, raw, weights } from "./write-model.js";

/** Large weights stay in the bytes of their file: rows of a table, and the matrix of a product. */

const [words, width, outputs] = [3000, 64, 48];

const cellsOf = (count: number, seed: number): Float32Array =>
  Float32Array.from({ length: count }, (_, at) => Math.sin(at * seed + 1));
const table = cellsOf(words * width, 0.7);
const matrix = cellsOf(width * outputs, 0.3);

/** Rows of a table, by a matrix; the name of the table moves the cells to another address. */
const network = (name: string): Uint8Array =>
  model(
    node("Gather", [name, "words"], "rows"),
    node("MatMul", ["rows", "matrix"], "y"),
    weights(name, [words, width], raw(floats([...table]))),
    weights("matrix", [width, outputs], raw(floats([...matrix]))),
    port(11, "words", [5], 7),
    port(12, "y", [5, outputs]),
  );

const chosen = [0, 2999, 17, 17, 1234];

/** What the network makes of the chosen rows, in doubles. */
const expected = chosen.flatMap((row) =>
  Array.from({ length: outputs }, (_, output) => {
    let sum = 0;
    for (let at = 0; at < width; at++)
      sum += (table[row * width + at] ?? Number.NaN) * (matrix[at * outputs + output] ?? Number.NaN);
    return sum;
  }),
);

function programOf(bytes: Uint8Array, backend: "engine" | "reference" = "engine") {
  const program = ['model net = file("net.onnx")', "input words: tensor(d0[5])", "net(words: words).y"].join(
    "\n",
  );
  return compile(program, { models, readBytes: () => bytes, backend });
}

const inputs = { words: Tensor.from(parseType("tensor(d0[5])"), Float64Array.from(chosen)) };

describe.each(["engine", "reference"] as const)("on the %s", (backend) => {
  test.each(["t", "tt", "ttt", "tttt"])("wherever the cells of %s lie", (name) => {
    const program = programOf(network(name), backend);
    for (let times = 0; times < 2; times++) {
      const { data } = program.run(inputs);
      expect(data).toHaveLength(expected.length);
      for (const [at, cell] of expected.entries()) expect(Number(data[at])).toBeCloseTo(cell, 4);
    }
  });
});

test("a table of which rows are read has no copy in the engine's memory", () => {
  const program = programOf(network("table"));
  const { bytesInUse } = machines.arena;
  program.run(inputs);
  expect(machines.arena.bytesInUse - bytesInUse).toBeLessThan(table.byteLength / 2);
});

test("weights whose bytes were transferred before they were read are no zeros", () => {
  const bytes = network("table").slice();
  const program = programOf(bytes);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  expect(() => program.run(inputs)).toThrow(
    "the tensor `table` cannot be read: the bytes of its file were transferred to another thread",
  );
});
