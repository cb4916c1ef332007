import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, type InputValue, parseType, SphexError, Tensor, type TensorData } from "../../src/index.js";
import { atOnce, sliceCells, sortedInSlices } from "../../src/language/limits/slices.js";
import { holds } from "../chance.js";

/** Large inputs of asynchronous runs are read in slices, between which other work goes on. */

const count = 6 * sliceCells;
const rows = 4;
const labels = 20_000;
const label = (at: number): string => `l${(7919 * at) % labels}`;
const list = (length: number): number[] => Array.from({ length }, (_, at) => at % 251);
const matrix = Array.from({ length: rows }, () => list(count / rows));
const vector = "tensor(x[])";
const wide = `tensor(y[${rows}],x[${count / rows}])`;

// biome-ignore format: a table
const large: readonly (readonly [string, string, TensorData])[] = [
  ["a typed array",             vector,          Float64Array.from(list(count))],
  ["an array of another class", vector,          Uint8Array.from(list(count))],
  ["an array of bits",          "tensor<bfloat16>(x[])", Uint8Array.from(list(count))],
  ["an array with other axes",  wide,            Float32Array.from(list(count))],
  ["an array with strides",     wide,            { data: Float64Array.from(list(count)), shape: [rows, count / rows], strides: [1, rows] }],
  ["a list",                    vector,          list(count)],
  ["nested arrays",             wide,            matrix],
  ["nested typed arrays",       wide,            matrix.map((each) => Float32Array.from(each))],
  ["narrow cells",              "tensor<float>(y[],x[])", matrix],
  ["an object of labels",       "tensor(k{})",   Object.fromEntries(list(labels).map((value, at) => [label(at), value]))],
  ["a map of labels",           "tensor(k{},x[2])", new Map(list(labels).map((value, at) => [label(at), [value, at]]))],
  ["a list of cells",           "tensor(k{})",   list(labels).map((value, at) => ({ address: { k: label(at) }, value }))],
];

describe.each(large)("%s", (_, type, data) => {
  test("makes the same tensor in slices as at once", () => {
    const axes = type === wide ? { axes: ["y", "x"] } : {};
    const slices = Tensor.slices(parseType(type), data, axes);
    let pauses = 0;
    let step = slices.next();
    for (; step.done !== true; step = slices.next()) pauses++;
    // A label takes as long as sixteen cells.
    expect(pauses).toBeGreaterThanOrEqual(3);
    expect(step.value.equals(Tensor.from(parseType(type), data, axes))).toBe(true);
    const at = 3 * (count / rows) + 1001;
    if (type === wide && Array.isArray(data)) expect(step.value.get({ y: 3, x: 1001 })).toBe(1001 % 251);
    else if (type === wide && ArrayBuffer.isView(data))
      expect(step.value.get({ y: 3, x: 1001 })).toBe(at % 251);
    else if (type === wide) expect(step.value.get({ y: 3, x: 1001 })).toBe((3 + rows * 1001) % 251);
    else if (type === vector) expect(step.value.at(1001)).toBe(1001 % 251);
    else if (type === "tensor(k{})") expect(step.value.get({ k: label(1001) })).toBe(1001 % 251);
  });

  test("lets other work go on, and can be given up", async () => {
    const program = compile(`input a: ${type}\ncount(a)`);
    for (const run of [
      (signal: AbortSignal) => program.runAsync({ a: data as InputValue }, { signal }),
      (signal: AbortSignal) => program.explainAsync({ a: data as InputValue }, { signal }),
      (signal: AbortSignal) => program.prepare().runAsync({ a: data as InputValue }, { signal }),
      (signal: AbortSignal) => program.session().runAsync({ a: data as InputValue }, { signal }),
    ]) {
      const controller = new AbortController();
      const running = run(controller.signal).then(
        () => "done",
        (error: unknown) => (error instanceof SphexError ? error.problems[0]?.code : error),
      );
      await Promise.resolve();
      controller.abort();
      expect(await running).toBe("limit/cancelled");
    }
  });
});

test("what is small is read before an asynchronous run returns its promise", async () => {
  const program = compile("input a: tensor(x[3])\na");
  for (const each of [program, program.prepare(), program.session()]) {
    const a = [1, 2, 3];
    const running = each.runAsync({ a });
    a.fill(9);
    expect((await running).toNested()).toEqual([1, 2, 3]);
  }
});

test("asynchronous runs of a session go in the order of their calls, however large their inputs are", async () => {
  const session = compile(
    "input a: tensor(x[])\npersistent n: tensor() = 0\nassign n = 10 * n + count(a)\nn",
  ).session();
  const wrong = session.runAsync({ a: "[" }).catch((error: unknown) => error);
  const first = session.runAsync({ a: new Float64Array(count) });
  const second = session.runAsync({ a: [1, 2] });
  await second;
  await first;
  expect(await wrong).toBeInstanceOf(SphexError);
  expect(session.get("n").asNumber()).toBe(10 * count + 2);
});

test("lists are sorted as sort does it, equal items in their order", () => {
  holds(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 20_000 }), (values, length) => {
      const items = Array.from({ length }, (_, at) => ({ key: (at * 7919) % values, at }));
      const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      expect(atOnce(sortedInSlices(items, compare))).toEqual([...items].sort(compare));
    }),
    20,
  );
});
