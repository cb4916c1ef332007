import { describe, expect, test } from "vitest";
import { SphexError } from "../../src/language/source/problem.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { compile } from "../../src/program/compile.js";
import type { InputValues } from "../../src/program/inputs/inputs.js";
import { parseTensor } from "../../src/program/inputs/inputs.js";
import { codesOf } from "../problem-codes.js";

/** Plans that are all of numbers, whose runs are repeated without a slot: what goes in, what comes out, and what is refused. */

const declared = (names: Iterable<string>): string =>
  [...names].map((name) => `input ${name}: tensor()\n`).join("");

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
    const expected = (from: number): number =>
      names.reduce((sum, _, at) => sum + ((from + at) % 10) * 10 ** at, 0.5);
    expect(runs(text, [0, 3, 5, 8].map(inputs))).toEqual([0, 3, 5, 8].map(expected));
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
  ])("may be cells of one tensor on the way: %s", (text, expected) => {
    const all = [1, 4, 0, -2, 4];
    const inputs = all.map((a) => ({ a }));
    expect(runs(`${declared("a")}${text}`, inputs)).toEqual(all.map(expected));
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

  test("are what the object itself has, however many there are", () => {
    const names = Array.from({ length: 40 }, (_, at) => `a${at}`);
    const prepared = compile(`${declared(names)}${names.join(" + ")}`).prepare();
    const all = Object.fromEntries(names.map((name) => [name, 1]));
    const { a39: _, ...most } = all;
    expect([prepared.run(all), prepared.run(all)].map((each) => each.asNumber())).toEqual([40, 40]);
    expect(prepared.run(Object.assign(Object.create(null), all)).asNumber()).toBe(40);
    expect(() => prepared.run(most)).toThrow(SphexError);
    expect(() => prepared.run(Object.assign(Object.create({ a39: 5 }), most))).toThrow(SphexError);
    Object.defineProperty(Object.prototype, "a39", {
      value: 5,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    try {
      expect(() => prepared.run(most)).toThrow(SphexError);
      expect(prepared.run(all).asNumber()).toBe(40);
    } finally {
      Reflect.deleteProperty(Object.prototype, "a39");
    }
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
  const expected = (a: number, b: number): number[] => [Math.exp(a * b) + a, b, Math.exp(a * b) * 2 - b];
  const pairs = [[1, 2] as const, [0.5, -1] as const, [-0.25, 3] as const];

  test("are all results, each of its run for ever", () => {
    const prepared = compile(text).prepare();
    const all = pairs.map(([a, b]) => prepared.runAll({ a, b }));
    for (const [at, [a, b]] of pairs.entries()) {
      const results = all[at] ?? [];
      for (const [which, number] of expected(a, b).entries())
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
      expect(last.asNumber()).toBeCloseTo(expected(a, b)[2] as number, 12); // of three
      expect([...array]).toEqual([...last.data]);
      expect(
        prepared.run({ a, b }, { into: array }).equals(Tensor.scalar(array[0] as number, last.type)),
      ).toBe(true); // of one
    }
    expect(() => prepared.runInto(new Float32Array(1), { a: 1, b: 2 })).toThrow(SphexError);
    expect(() => prepared.runInto(new Float64Array(2), { a: 1, b: 2 })).toThrow(SphexError);
  });
});

describe("a function of numbers", () => {
  const choice = `${declared("abc")}if(a > b, a + b * 3, c) * 2`;

  test("has its arguments in the order of the names, or of the text", () => {
    const prepared = compile(choice).prepare();
    const [written, reversed] = [prepared.toFunction(), prepared.toFunction("c", "b", "a")];
    for (const [a, b, c] of [
      [1, 2, 4],
      [3, 2, 4],
      [2, 2, 8],
      [0.5, -1, 4],
    ] as const) {
      const value = (a > b ? a + b * 3 : c) * 2;
      expect([written(a, b, c), reversed(c, b, a)]).toEqual([value, value]);
    }
  });

  test.each([0, 1, 2, 3, 4, 5, 8, 9, 12, 40, 100, 101])("of %d sees each in its own place", (count) => {
    const names = Array.from({ length: count }, (_, at) => `x${at}`);
    const text = `${names.map((name) => `input ${name}: tensor()\n`).join("")}${["0.5", ...names.map((name, at) => `${name} * ${at + 1}`)].join(" + ")}`;
    const ofAll = compile(text).prepare().toFunction();
    for (const from of [0, 3, 5]) {
      const values = names.map((_, at) => (from + at * at) % 17);
      expect(ofAll(...values)).toBe(values.reduce((sum, value, at) => sum + value * (at + 1), 0.5));
    }
  });

  test("keeps the bits of its numbers", () => {
    const negated = compile(`${declared("a")}-a`)
      .prepare()
      .toFunction();
    for (const number of [1, 0, -0, Infinity, -Infinity, Number.NaN, 5e-324])
      expect(negated(number)).toBe(-number);
  });

  test("takes the other values that an input takes, at any call", () => {
    const sum = compile("input a: tensor()\ninput v: tensor(x[2])\na + sum(v)")
      .prepare()
      .toFunction("v", "a");
    expect([sum([1, 2], 4), sum(Float64Array.of(1, 3), 4), sum("[2, 3]", "5")]).toEqual([7, 8, 10]);
    const double = compile(`${declared("a")}a * 2`)
      .prepare()
      .toFunction();
    const one = parseTensor("tensor():{4}");
    expect([double(1), double(2), double(one), double("7"), double(3), double(true)]).toEqual([
      2, 4, 8, 14, 6, 2,
    ]);
  });

  test("has fixed inputs, defaults, and inputs that nothing reads", () => {
    const text =
      "input a: tensor()\ninput b: tensor() = a_default\ninput c: tensor()\na_default = 10\na * b + 0 * a";
    const program = compile(text.replace("a_default = 10\n", "").replace("a_default", "10"));
    const prepared = program.prepare({ a: 3 });
    const [ofAll, ofC, ofB, ofA] = [
      prepared.toFunction(),
      prepared.toFunction("c"),
      prepared.toFunction("b"),
      prepared.toFunction("a", "b"),
    ];
    for (let times = 0; times < 3; times++)
      expect([ofAll(2, 99), ofC(5), ofB(4), ofA(7, 2), ofA(8, 2)]).toEqual([6, 30, 12, 14, 16]);
  });

  test("has inputs called as what objects have", () => {
    const text =
      "input __proto__: tensor()\ninput constructor: tensor()\ninput v: tensor(x[1])\n__proto__ * 10 + constructor + 0 * sum(v)";
    const call = compile(text).prepare().toFunction();
    for (const value of [2, 3]) expect(call(value, 1, [0])).toBe(10 * value + 1);
  });

  test("computes anew what is random, and what the host computes", () => {
    let calls = 0;
    const functions = { next: { parameters: [], returns: "tensor()", call: () => ++calls } };
    const counting = compile("input a: tensor()\na + next()", { functions }).prepare().toFunction();
    expect([counting(10), counting(10), counting(20)]).toEqual([11, 12, 23]);
    let drawn = 0;
    const random = (): number => (drawn = (drawn + 0.25) % 1);
    const drawing = compile("input a: tensor()\na + sum(random(x[1]))", { random }).prepare().toFunction();
    expect([drawing(1), drawing(1), drawing(1)]).toEqual([1.25, 1.5, 1.75]);
  });

  test("holds to limits", () => {
    const limited = compile(`${declared("a")}a * 2 + 1`, { limits: { steps: 1000 } })
      .prepare()
      .toFunction();
    expect([limited(1), limited(2), limited(3)]).toEqual([3, 5, 7]);
    const long = compile(`${declared("a")}sum(tensor(x[100000])(x * a))`, { limits: { steps: 20_000 } });
    const each = long.prepare().toFunction();
    for (let times = 0; times < 3; times++) expect(codesOf(() => each(1))).toEqual(["limit/steps"]);
  });

  test("refuses what is not its inputs", () => {
    const prepared = compile(choice).prepare();
    expect(codesOf(() => prepared.toFunction("a", "z"))).toEqual(["input/unknown"]);
    expect(codesOf(() => prepared.toFunction("a", "a"))).toEqual(["input/repeated"]);
    expect(codesOf(() => compile("input v: tensor(x[2])\nv").prepare().toFunction())).toEqual([
      "value/not-a-number",
    ]);
    expect(codesOf(() => compile("f(x) = x").prepare().toFunction())).toEqual(["program/no-result"]);
    const ofAll = prepared.toFunction();
    for (let times = 0; times < 3; times++) {
      expect(codesOf(() => ofAll(1, 2))).toEqual(["input/count"]);
      expect(codesOf(() => ofAll(1, 2, 3, 4))).toEqual(["input/count"]);
      expect(codesOf(() => ofAll(1, 2, undefined as unknown as number))).not.toEqual([]);
      expect(codesOf(() => prepared.toFunction("a", "c")(1, 2))).toEqual(["input/missing"]);
      expect(ofAll(1, 2, 3)).toBe(6);
    }
  });

  test("outlives the plans that it came from", () => {
    const prepared = compile(
      "input a: tensor()\ninput v: tensor(x{}) = tensor(x{}):{}\na * 2 + sum(v)",
    ).prepare();
    const double = prepared.toFunction("a");
    expect([double(1), double(2)]).toEqual([2, 4]);
    for (let rows = 1; rows < 300; rows++)
      prepared.run({ a: rows, v: Object.fromEntries(Array.from({ length: rows }, (_, at) => [`${at}`, 1])) });
    expect([double(3), double(4)]).toEqual([6, 8]);
  });
});
