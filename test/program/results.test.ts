import { describe, expect, it } from "vitest";
import {
  compile,
  parseTensor,
  type Results,
  type Runnable,
  SphexError,
  type Tensor,
} from "../../src/index.js";
import { codesOf } from "../problem-codes.js";

const text = "input x: tensor(i[2])\ninput w: tensor(i[2])\nscaled = x * w\nsum(scaled)\nscaled + 1";

/** A program, what it was prepared for, and a session of it: whatever can be run. */
const runnables: readonly (readonly [string, () => Runnable<object>])[] = [
  ["a program", () => compile(text) as Runnable<object>],
  ["a program that counts its steps", () => compile(text, { limits: { steps: 1e6 } }) as Runnable<object>],
  ["what was prepared", () => compile(text).prepare() as Runnable<object>],
  ["what was prepared with an input", () => compile(text).prepare({ w: [1, 10] }) as Runnable<object>],
  ["a session", () => compile(text).session() as Runnable<object>],
];

const shown = ([sum, more, ...none]: Results): unknown => [sum?.asNumber(), more?.toNested(), ...none];

describe.each(runnables)("%s", (name, runnable) => {
  const inputs = { x: [1, 2], ...(name.endsWith("an input") ? {} : { w: [1, 10] }) };

  it("has its results in an array, with all named values", () => {
    const all = runnable().runAll(inputs);
    expect(shown(all)).toEqual([21, [2, 21]]);
    expect(all.length).toBe(2);
    expect(all.results).toBe(all);
    const { results, value } = all;
    expect(results.map((each) => each.type.rank)).toEqual([0, 1]);
    expect(value("scaled").toNested()).toEqual([1, 20]);
    expect(codesOf(() => value("scald"))).toEqual(["name/unknown"]);
  });

  it("has them in runs that let other work go on", async () => {
    const subject = runnable();
    const all = await subject.runAllAsync(inputs);
    expect(shown(all)).toEqual([21, [2, 21]]);
    expect(all.value("scaled").toNested()).toEqual([1, 20]);
    expect((await subject.runAsync(inputs)).toNested()).toEqual([2, 21]);
    await expect(subject.runAsync(inputs, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      problems: [{ code: "limit/cancelled" }],
    });
    expect(subject.run(inputs).toNested()).toEqual([2, 21]);
  });

  it("has a named value of the inputs as they were, whatever becomes of their arrays, again and again", () => {
    const subject = runnable();
    for (const first of [1, 2, 3]) {
      const x = Float64Array.of(first, 2);
      const all = subject.runAll({ ...inputs, x });
      x.fill(77);
      expect(all.value("scaled").toNested()).toEqual([first, 20]);
    }
  });
});

it("has named values that are computed with the results, once", async () => {
  let calls = 0;
  const call = (x: Tensor): number => {
    calls++;
    return 2 * x.asNumber();
  };
  const twice = { parameters: ["tensor()"], returns: "tensor()", call };
  const program = compile("input a: tensor()\nb = twice(a)\nc = b + 1\nd = twice(c)\nc * 10", {
    functions: { twice },
  });
  const all = await program.runAllAsync({ a: 3 }, { values: ["d", "b"] });
  expect(all.map((each) => each.asNumber())).toEqual([70]);
  expect(calls).toBe(2);
  expect([all.value("b").asNumber(), all.value("d").asNumber()]).toEqual([6, 14]);
  expect(calls).toBe(2);
  expect(all.value("c").asNumber()).toBe(7);
  await expect(program.runAllAsync({ a: 3 }, { values: ["e"] })).rejects.toMatchObject({
    problems: [{ code: "name/unknown" }],
  });
});

it("has a value with a word of statements as its name, beside an objective", () => {
  const all = compile("variable w = 2; loss = w * w; minimise loss\nminimise = 3; minimise + 1").runAll();
  expect([all[0]?.asNumber(), all.value("minimise").asNumber(), all.value("loss").asNumber()]).toEqual([
    4, 3, 4,
  ]);
});

describe("a batch", () => {
  // biome-ignore format: a table
  it.each([
    ["tensor(x[])",        "tensor(b[2],x[3]):[[1,2,3],[4,5,6]]",        [6, 15]],
    ["tensor(x[3])",       "tensor<float>(b[2],x[3]):[[1,2,3],[4,5,6]]", [6, 15]],
    ["tensor(k{},x[])",    "tensor(b[2],k{},x[2]):{p:[[1,2],[3,4]]}",    [3, 7]],
    ["tensor()",           "tensor(b[2]):[3,4]",                         [3, 4]],
  ])("of %s may have what that is assigned in a run: %s", (type, text, expected) => {
    const sums = compile(`input x: ${type}\nsum(x)`).prepare().runBatch("b", { x: parseTensor(text) });
    expect(Array.from(sums.data, Number)).toEqual(expected);
  });

  // biome-ignore format: a table
  it.each([
    ["tensor(x[4])",       "tensor(b[2],x[3]):[[1,2,3],[4,5,6]]"],
    ["tensor<float>(x[])", "tensor(b[2],x[3]):[[1,2,3],[4,5,6]]"],
    ["tensor(y[])",        "tensor(b[2],x[3]):[[1,2,3],[4,5,6]]"],
  ])("of %s is refused: %s", (type, text) => {
    const run = () => compile(`input x: ${type}\nsum(x)`).prepare().runBatch("b", { x: parseTensor(text) });
    expect(run).toThrow("input/type");
  });

  const x = parseTensor("tensor(b[3],i[2]):[[1,2],[3,4],[5,6]]");

  it("has the same shape", async () => {
    const prepared = compile(text).prepare({ w: [1, 10] });
    const all = prepared.runAllBatch("b", { x });
    expect(all.map((each) => each.toNested(["b", ...each.axes.filter((axis) => axis !== "b")]))).toEqual([
      [21, 43, 65],
      [
        [2, 21],
        [4, 41],
        [6, 61],
      ],
    ]);
    expect(all.value("scaled").toNested()).toEqual([
      [1, 20],
      [3, 40],
      [5, 60],
    ]);
    expect(codesOf(() => all.value("scald"))).toEqual(["name/unknown"]);
    const later = await prepared.runAllBatchAsync("b", { x });
    expect(later.map(String)).toEqual(all.map(String));
    expect(`${later.value("scaled")}`).toBe(`${all.value("scaled")}`);
    expect(`${await prepared.runBatchAsync("b", { x })}`).toBe(`${prepared.runBatch("b", { x })}`);
    await expect(prepared.runBatchAsync("b", { x }, { signal: AbortSignal.abort() })).rejects.toThrow(
      SphexError,
    );
  });
});

describe("a session", () => {
  const counting = "input by: tensor()\npersistent total = 0\nassign total = total + by\ntotal + by";

  it("makes asynchronous runs one after the other: none loses what another has assigned", async () => {
    const session = compile(counting).session();
    const results = await Promise.all([1, 2, 3, 4].map((by) => session.runAsync({ by })));
    expect(results.map((each) => each.asNumber())).toEqual([1, 3, 6, 10]);
    expect(session.get("total").asNumber()).toBe(10);
  });

  it("goes on after one that failed, which changed nothing", async () => {
    const session = compile(counting).session();
    const runs = [
      session.runAsync({ by: 1 }),
      session.runAsync({ by: 5 }, { signal: AbortSignal.abort() }),
      session.runAsync({ by: 2 }, { assign: { total: "nothing" } }),
      session.runAsync({ by: 3 }),
    ];
    const settled = await Promise.allSettled(runs);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(session.get("total").asNumber()).toBe(4);
  });
});
