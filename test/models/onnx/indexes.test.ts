import { expect, test } from "vitest";
import { compile, type Tensor } from "../../../src/index.js";
import { models } from "../../../src/models.js";
import { all, floats, model, node, number, part, port, raw, text, type Write } from "./write-model.js";

/** Indexes that are data, some of them beyond the end: what is read there is a cell that is not there, as in slices. */

const numbers = (name: string, sizes: readonly number[], values: readonly number[]): Write =>
  part(5, all(...sizes.map((each) => number(1, each)), number(2, 1), text(8, name), raw(floats(values))));

/** 64 bits each. */
const indexes = (name: string, sizes: readonly number[], values: readonly number[]): Write =>
  part(
    5,
    all(
      ...sizes.map((each) => number(1, each)),
      number(2, 7),
      text(8, name),
      raw(new Uint8Array(BigInt64Array.from(values, BigInt).buffer)),
    ),
  );

const run = (bytes: Uint8Array, inputs: Readonly<Record<string, Tensor>>): number[] => {
  const types = Object.entries(inputs).map(([name, { type }]) => [name, type] as const);
  const program = compile('model net = file("net.onnx")\nnet(i: i).y', {
    models,
    readBytes: () => bytes,
    inputs: Object.fromEntries(types),
  });
  return Array.from(program.run(inputs).data, Number);
};

const long = (sizes: readonly number[], values: readonly number[]): Tensor => {
  const type = `tensor<long>(${sizes.map((size, axis) => `d${axis}[${size}]`)}):`;
  return compile(`${type}{${values.map((value, at) => `{${cellAt(sizes, at)}}:${value}`)}}`).run();
};

function cellAt(sizes: readonly number[], position: number): string {
  let left = position;
  const labels = sizes.toReversed().map((size, at) => {
    const label = left % size;
    left = Math.floor(left / size);
    return `d${sizes.length - 1 - at}:${label}`;
  });
  return labels.toReversed().join(",");
}

const table = numbers("table", [3, 2], [1, 2, 3, 4, 5, 6]);
const row = numbers("row", [1, 2], [1, 2]);
const updates = numbers("updates", [2, 2], [7, 8, 9, 10]);
const values = numbers("values", [2], [0, 1]);
const depth = indexes("depth", [], [3]);

// By hand: what is within -n to n - 1 counts from the front or the end, and anything else is 0, or changes nothing.
// biome-ignore format: a table
const cases = [
  { operator: "Gather", inputs: ["table", "i"], with: [table],           i: [[4], [0, -1, 3, -4]],     sizes: [4, 2], y: [1, 2, 5, 6, 0, 0, 0, 0] },
  { operator: "Gather", inputs: ["row", "i"], with: [row],             i: [[3], [0, -1, 1]],         sizes: [3, 2], y: [1, 2, 1, 2, 0, 0] },
  { operator: "GatherElements", inputs: ["table", "i"], with: [table],           i: [[2, 2], [-3, 2, 3, -4]],  sizes: [2, 2], y: [1, 6, 0, 0] },
  { operator: "GatherND", inputs: ["table", "i"], with: [table],           i: [[3, 2], [2, 1, 3, 0, -1, -3]], sizes: [3], y: [6, 0, 0] },
  { operator: "ScatterElements", inputs: ["table", "i", "updates"], with: [table, updates],  i: [[2, 2], [-1, 3, 1, -4]],  sizes: [3, 2], y: [1, 2, 9, 4, 7, 6] },
  { operator: "ScatterND", inputs: ["table", "i", "updates"], with: [table, updates],  i: [[2, 1], [-3, 3]],         sizes: [3, 2], y: [7, 8, 3, 4, 5, 6] },
  { operator: "OneHot", inputs: ["i", "depth", "values"], with: [depth, values],   i: [[3], [-1, 3, -4]],        sizes: [3, 3], y: [0, 0, 1, 0, 0, 0, 0, 0, 0] },
] as const;

test.each(cases)("$operator beyond the end, $y", (each) => {
  const [shape, list] = each.i;
  const result = node(each.operator, each.inputs, "y");
  const bytes = model(result, ...each.with, port(11, "i", shape, 7), port(12, "y", each.sizes));
  expect(run(bytes, { i: long(shape, list) })).toEqual(each.y);
});

test("constant indexes of updates beyond the end are refused", () => {
  const bytes = model(
    node("ScatterND", ["i", "fixed", "updates"], "y"),
    ...[indexes("fixed", [2, 1], [0, 3]), updates, port(11, "i", [3, 2]), port(12, "y", [3, 2])],
  );
  expect(() => run(bytes, { i: compile("tensor<float>(d0[3],d1[2])(0)").run() })).toThrow(
    "its index 3 is not within an axis of 3",
  );
});

test.each([
  ["Gather", [3]],
  ["Gather", [-4]],
  ["GatherElements", [0, 5]],
] as const)("a constant index beyond the end is refused: %s %j", (operator, list) => {
  const fixed = indexes("fixed", [list.length, ...(operator === "Gather" ? [] : [1])], list);
  const bytes = model(
    node(operator, ["table", "fixed"], "rows"),
    node("Add", ["rows", "i"], "y"),
    ...[table, fixed, port(11, "i", [1]), port(12, "y", [list.length, 2])],
  );
  expect(() => run(bytes, { i: compile("tensor<float>(d0[1]):[0]").run() })).toThrow(
    `its index ${list.find((each) => each >= 3 || each < -3)} is not within an axis of 3`,
  );
});
