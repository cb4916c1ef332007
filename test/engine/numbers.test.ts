import { describe, expect, test } from "vitest";
import { SphexError } from "../../src/language/source/problem.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { compile } from "../../src/program/compile.js";
import type { InputValues } from "../../src/program/inputs.js";
import { parseTensor } from "../../src/program/inputs.js";

/** Plans that are all of numbers, whose runs are repeated without a slot: what goes in, what comes out, and what is refused. */

const declared = (names: string): string => [...names].map((name) => `input ${name}: tensor()\n`).join("");

/** The values of prepared runs, of which the first makes the plan. */
const runs = (text: string, all: readonly InputValues[], fixed: InputValues = {}): readonly number[] => {
  const prepared = compile(text).prepare(fixed);
  return all.map((inputs) => prepared.run(inputs).asNumber());
};

describe("numbers that go in", () => {
  const choice = `${declared("ab")}if(a > b, a, b) * 2 + 1`;

  test("are those of each run, whatever the order of their names", () => {
    const all = [
      { a: 1, b: 2 },
      { a: 3, b: 2 },
      { b: 5, a: 4 },
      { a: 7, b: 6 },
      { b: -1, a: -2 },
    ];
    expect(runs(choice, all)).toEqual([5, 7, 11, 15, -1]);
  });

  test("may be tensors, texts, and arrays of one", () => {
    const one = parseTensor("tensor():{4}");
    const all = [
      { a: 1, b: 2 },
      { a: one, b: 2 },
      { a: 1, b: Float64Array.of(8) },
      { a: one, b: Float32Array.of(16) },
      { a: "tensor():{32}", b: one },
      { a: 1, b: 2 },
    ];
    expect(runs(choice, all)).toEqual([5, 9, 17, 33, 65, 5]);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12])("may be %d", (count) => {
    const names = [..."abcdefghijkl"].slice(0, count);
    // Of differences each sees its own place: with as many digits as there are numbers.
    const text = `${declared(names.join(""))}${["0.5", ...names.map((name, at) => `${name} * ${10 ** at}`)].join(" + ")}`;
    const inputs = (from: number) => Object.fromEntries(names.map((name, at) => [name, (from + at) % 10]));
    const wanted = (from: number): number =>
      names.reduce((sum, _, at) => sum + ((from + at) % 10) * 10 ** at, 0.5);
    expect(runs(text, [0, 3, 5, 8].map(inputs))).toEqual([0, 3, 5, 8].map(wanted));
  });

  test("keep their bits: the sign of 0, what is not finite, and the smallest", () => {
    const numbers = [0, -0, Infinity, -Infinity, Number.NaN, 5e-324, 1, -1.5];
    const same = runs(
      `${declared("a")}-a`,
      numbers.map((a) => ({ a })),
    );
    expect(same).toEqual(numbers.map((a) => -a));
  });

  test("stand beside those that are the same in all runs, also cells of tensors", () => {
    const text = `input w: tensor<float>(x[3])\n${declared("abc")}a * sum(w) + b * w{x:1} - c`;
    const inputs = [1, 2, 3].map((a) => ({ a, c: a + 1 }));
    expect(runs(text, inputs, { w: [0.5, 2, 4], b: 10 })).toEqual([24.5, 30, 35.5]);
  });

  test.each([
    ["tensor(y[2]):[a, a >= 1]{y:0}", (a: number) => a],
    ["tensor(y[2]):[a, a >= 1]{y:1}", (a: number) => Number(a >= 1)],
    [
      "t = tensor(y[3]):[a, -a, a * a]\nt{y:0} + 10 * t{y:1} + 100 * t{y:2}",
      (a: number) => 100 * a * a - 9 * a,
    ],
    ["t = tensor(y[2]):[exp(a), a]\nu = tensor(z[2]):[t{y:1}, 7]\nu{z:0} * u{z:1}", (a: number) => 7 * a],
  ])("may be cells of one tensor on the way: %s", (text, wanted) => {
    const all = [1, 4, 0, -2, 4];
    const inputs = all.map((a) => ({ a }));
    expect(runs(`${declared("a")}${text}`, inputs)).toEqual(all.map(wanted));
  });

  test("are what the object itself has", () => {
    const prepared = compile(choice).prepare();
    const inputs = { a: 1, b: 2 };
    expect([prepared.run(inputs), prepared.run(inputs)].map((each) => each.asNumber())).toEqual([5, 5]);
    expect(prepared.run(Object.assign(Object.create(null), { a: 4, b: 3 })).asNumber()).toBe(9);
    class Pair {
      readonly a = 8;
      readonly b = 3;
    }
    expect(prepared.run({ ...new Pair() }).asNumber()).toBe(17);
    expect(prepared.run(new Pair() as unknown as InputValues).asNumber()).toBe(17);
    const inherited = Object.assign(Object.create({ b: 2 }), { a: 1 }) as InputValues;
    expect(() => prepared.run(inherited)).toThrow(SphexError);
  });
});

describe("what is no object of inputs is refused, as in the first run", () => {
  const refused: readonly unknown[] = [5, "a", [], [1], new Map([["a", 1]]), () => 1, null];

  test.each([
    ["without inputs that must be given", "input a: tensor() = 2\na * 2"],
    ["with one", "input a: tensor()\na * 2"],
  ])("%s", (_, text) => {
    const prepared = compile(text).prepare();
    const given = { a: 3 } as InputValues;
    expect([prepared.run(given), prepared.run(given)].map((each) => each.asNumber())).toEqual([6, 6]);
    for (const each of refused) expect(() => prepared.run(each as InputValues)).toThrow(SphexError);
    const withName = Object.assign(() => 1, { a: 1 }) as unknown as InputValues;
    expect(() => prepared.run(withName)).toThrow(SphexError);
    expect(() => prepared.run({ a: 3, b: 1 })).toThrow(SphexError);
  });

  test("a program whose inputs all have defaults", () => {
    const prepared = compile("input a: tensor() = 2\na * 2").prepare();
    expect([prepared.run(), prepared.run({}), prepared.run()].map((each) => each.asNumber())).toEqual([
      4, 4, 4,
    ]);
    for (const each of refused) expect(() => prepared.run(each as InputValues)).toThrow(SphexError);
  });
});

describe("numbers that come out", () => {
  const text = `${declared("ab")}shared = exp(a * b)\nshared + a\nb\nshared * 2 - b`;
  const wanted = (a: number, b: number): number[] => [Math.exp(a * b) + a, b, Math.exp(a * b) * 2 - b];
  const pairs = [[1, 2] as const, [0.5, -1] as const, [-0.25, 3] as const];

  test("are all results, each of its run for ever", () => {
    const prepared = compile(text).prepare();
    const all = pairs.map(([a, b]) => prepared.runAll({ a, b }));
    for (const [at, [a, b]] of pairs.entries()) {
      const results = all[at] ?? [];
      for (const [which, number] of wanted(a, b).entries())
        expect(results[which]?.asNumber()).toBeCloseTo(number, 12);
      expect(all[at]?.value("shared").asNumber()).toBeCloseTo(Math.exp(a * b), 12);
    }
  });

  test("are the last alone, as a tensor or in an array", () => {
    const prepared = compile(text).prepare();
    const array = new Float64Array(1);
    for (const [a, b] of pairs) {
      const last = prepared.run({ a, b });
      prepared.runInto(array, { a, b });
      expect(last.asNumber()).toBeCloseTo(wanted(a, b)[2] as number, 12); // of three
      expect([...array]).toEqual([...last.data]);
      expect(
        prepared.run({ a, b }, { into: array }).equals(Tensor.scalar(array[0] as number, last.type)),
      ).toBe(true); // of one
    }
    expect(() => prepared.runInto(new Float32Array(1), { a: 1, b: 2 })).toThrow(SphexError);
    expect(() => prepared.runInto(new Float64Array(2), { a: 1, b: 2 })).toThrow(SphexError);
  });
});
