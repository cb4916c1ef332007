import { describe, expect, test, vi } from "vitest";
import { evaluate, explain, parseTensor, parseType, SphexError, type Tensor, why } from "../../src/index.js";
import type { Options } from "../../src/program/options.js";
import { Evaluations, evaluationKey } from "../../src/program/runs/evaluations.js";
import type { Execution } from "../../src/program/runs/execution.js";

/** Texts that `evaluate` has compiled before are used again: where nothing is different that could change the value. */

const codeOf = (action: () => unknown): string => {
  try {
    return String(action());
  } catch (error) {
    if (error instanceof SphexError)
      return error.problems.map(({ code, span }) => `${span.source.name} ${code}`).join();
    throw error;
  }
};

const q = "tensor(x[2]):[1,2]";

// biome-ignore format: a table
const options: readonly { readonly options: Options; readonly text: string; readonly expected: string }[] = [
  { options: {},                                       text: "q * 2", expected: "tensor(x[2]):[2.0, 4.0]" },
  { options: { limits: { steps: 2 } },                 text: "q * 2", expected: "expression limit/steps" },
  { options: { name: "mine", limits: { steps: 2 } },   text: "q * 2", expected: "mine limit/steps" },
  { options: { backend: "reference" },                 text: "q * 2", expected: "tensor(x[2]):[2.0, 4.0]" },
  { options: { inputs: { q: "tensor(x[3])" } },        text: "q * 2", expected: "tensor(x[3]):[2.0, 4.0, 0.0]" },
  { options: {},                                       text: "tensor():{}", expected: "tensor():{NaN}" },
  { options: { dialect: "vespa" },                     text: "tensor():{}", expected: "tensor():{0.0}" },
  { options: {},                                       text: "tensor():{}", expected: "tensor():{NaN}" },
];

test("the declared type of an input is that of arrays and objects, whose axes it has the order of", () => {
  const w = [
    [1, 2],
    [3, 4],
  ];
  const text = "tensor(in[2]):[1.0, 2.0]";
  const declared: Options = { inputs: { w: "tensor(out[2],in[2])" } };
  for (const value of [
    w,
    Float64Array.of(1, 2, 3, 4),
    JSON.stringify(w),
    w.map((row) => Float32Array.from(row)),
  ])
    expect(`${evaluate("w{out:0}", { w: value }, declared)}`).toBe(text);
  expect(
    `${evaluate("query(w){out:0}", { $w: w }, { inputs: { "query(w)": "tensor(out[2],in[2])" } })}`,
  ).toBe(text);
  expect(explain("w{out:0}", { w }, declared).results.length).toBe(1);
  expect(why("w{out:0}", { in: 1 }, { w }, declared).steps[0]?.value).toBe(2);
  expect(codeOf(() => evaluate("w", { w: [1, 2] }, declared))).toContain("value/");
});

test("equal texts with other options have their own values, in any order", () => {
  const first = options.map((each) => codeOf(() => evaluate(each.text, { q }, each.options)));
  const backwards = [...options]
    .reverse()
    .map((each) => codeOf(() => evaluate(each.text, { q }, each.options)));
  expect(backwards.reverse()).toEqual(first);
  for (const [at, { expected }] of options.entries()) expect(first[at]).toBe(expected);
});

test("inputs of other types have their own values", () => {
  const types = ["tensor(x[2])", "tensor<int8>(x[2])", "tensor(y[2])", "tensor(x[2])"];
  const values = types.map((type) => String(evaluate("q + q", { q: parseTensor("[100,1]", type) })));
  expect(values).toEqual([
    "tensor(x[2]):[200.0, 2.0]",
    expect.stringContaining("(x[2])"),
    "tensor(y[2]):[200.0, 2.0]",
    "tensor(x[2]):[200.0, 2.0]",
  ]);
});

test("inputs of one type may have other labels and other cells", () => {
  const value = (text: string): string => String(evaluate("q * q", { q: text }));
  for (let round = 0; round < 3; round++) {
    expect(value("tensor(k{}):{a:2}")).toBe("tensor(k{}):{a:4.0}");
    expect(value("tensor(k{}):{b:3}")).toBe("tensor(k{}):{b:9.0}");
    expect(value("tensor(k{}):{a:2,b:3}")).toBe("tensor(k{}):{a:4.0, b:9.0}");
  }
});

test("a value does not change when its text is evaluated again", () => {
  const values = [1, 2, 3, 4].map((factor) => evaluate("q * factor", { q, factor }));
  expect(values.map((each) => [...each.data])).toEqual([1, 2, 3, 4].map((factor) => [factor, 2 * factor]));
});

test("random numbers are the same each time", () => {
  const value = (): string => String(evaluate("random(x[3])"));
  const first = value();
  expect([value(), value()]).toEqual([first, first]);
});

test("what the host may answer otherwise each time is asked each time", () => {
  let drawn = 0.25;
  const random = (): number => evaluate("random(x[1])", {}, { random: () => drawn }).at(0);
  const call = vi.fn(() => 7);
  const functions = { seven: { parameters: [], returns: "tensor()", call } };
  expect(random()).toBe(0.25);
  drawn = 0.5;
  expect(random()).toBe(0.5);
  for (let round = 1; round <= 3; round++) {
    expect(evaluate("seven()", {}, { functions }).asNumber()).toBe(7);
    expect(call).toHaveBeenCalledTimes(round);
  }
});

describe("the key of an evaluation", () => {
  const tensor = parseTensor(q);
  const keyOf = (text: string, settings: Options = {}, inputs: Record<string, Tensor> = { q: tensor }) =>
    evaluationKey(text, inputs, settings);

  // biome-ignore format: a table
  test.each<[string, string | undefined]>([
    ["the text",            keyOf("q + 2")],
    ["the names of inputs", keyOf("q + 1", {}, { p: tensor })],
    ["their types",         keyOf("q + 1", {}, { q: parseTensor("tensor<float>(x[2]):[1,2]") })],
    ["their sizes",         keyOf("q + 1", {}, { q: parseTensor("tensor(k{}):{a:1}") })],
    ["the dialect",         keyOf("q + 1", { dialect: "vespa" })],
    ["the backend",         keyOf("q + 1", { backend: "reference" })],
    ["the name",            keyOf("q + 1", { name: "mine" })],
    ["declared types",      keyOf("q + 1", { inputs: { p: "tensor(x[2])" } })],
    ["their axes",          keyOf("q + 1", { inputs: { p: "tensor(y[2],x[2])" } })],
    ["a type as a value",   keyOf("q + 1", { inputs: { p: parseType("tensor(y[2],x[2])") } })],
    ["limits",              keyOf("q + 1", { limits: { cells: 5 } })],
    ["infinite limits",     keyOf("q + 1", { limits: { cells: Number.POSITIVE_INFINITY } })],
    ["optimisation",        keyOf("q + 1", { optimise: false })],
  ])("has %s in it", (_, other) => {
    expect(other).toBeDefined();
    expect(other).not.toBe(keyOf("q + 1"));
  });

  test.each<Options>([
    { readFile: () => "" },
    { readBytes: () => new Uint8Array() },
    { clock: () => 0 },
    { random: () => 0 },
    { functions: {} },
  ])("there is none where the host hands in %o", (settings) => {
    expect(keyOf("q + 1", settings)).toBeUndefined();
  });

  test("there is none of large inputs", () => {
    expect(keyOf("sum(q)", {}, { q: evaluate("tensor(x[10001])(x)") })).toBeUndefined();
  });

  test("is that of equal options, whichever object they are", () => {
    expect(keyOf("q + 1", { limits: { cells: 5 } })).toBe(keyOf("q + 1", { limits: { cells: 5 } }));
  });
});

describe("the cache", () => {
  /** Evaluates keys, and says how often each was compiled. */
  function compiledIn(cache: Evaluations, keys: readonly string[], bytes = 10): Record<string, number> {
    const counts: Record<string, number> = {};
    const tensor = parseTensor("1");
    for (const key of keys) {
      const compile = (): Execution => {
        counts[key] = (counts[key] ?? 0) + 1;
        const stub = { runOnce: () => ({ tensor, bytes }), runLast: () => tensor };
        return stub as unknown as Execution; // what the cache uses of one
      };
      cache.value(key, compile, {});
    }
    return counts;
  }

  test("compiles a text once", () => {
    expect(compiledIn(new Evaluations(), ["a", "b", "a", "b", "a"])).toEqual({ a: 1, b: 1 });
  });

  test("forgets what was used least recently", () => {
    expect(compiledIn(new Evaluations(2), ["a", "b", "a", "c", "a", "b"])).toEqual({ a: 1, b: 2, c: 1 });
  });

  test("holds so many characters, and no text that is longer", () => {
    const cache = new Evaluations(100, 10);
    expect(compiledIn(cache, ["aaaa", "bbbb", "cccc", "bbbb", "cccc", "aaaa"])).toEqual({
      aaaa: 2,
      bbbb: 1,
      cccc: 1,
    });
    expect(compiledIn(cache, ["a".repeat(11), "a".repeat(11)])).toEqual({ ["a".repeat(11)]: 2 });
  });

  test("keeps nothing that has stored much", () => {
    expect(compiledIn(new Evaluations(), ["a", "a"], 2 ** 21)).toEqual({ a: 2 });
  });
});
