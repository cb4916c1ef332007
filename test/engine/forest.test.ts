import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { ForestBuilder } from "../../src/backends/engine/forest/packing.js";
import {
  compileExpression,
  type HostFunction,
  type InputValues,
  type Options,
  parseType,
  Tensor,
} from "../../src/index.js";
import { element } from "../../src/language/values/element.js";
import { others } from "../agreement.js";
import { holds } from "../chance.js";

/** Decision forests: walked from root to leaf, to the same number as the reference finds, bit for bit. */

const types = { a: "tensor()", b: "tensor()", x: "tensor(i[4])", y: "tensor<float>(k{},i[2])" };

const isForest = (text: string, options: Options = {}): boolean => {
  const inputs = { a: 0, b: 0, x: "tensor(i[4]):[0,0,0,0]", y: "tensor<float>(k{},i[2]):{p:[0,0]}" };
  const used = Object.entries(inputs).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
  const { steps } = compileExpression(text, { inputs: types, ...options }).plan(Object.fromEntries(used));
  return steps.some(({ description: says }) => says.startsWith("forest"));
};

/** A full tree of so many levels, each deciding on another threshold. */
function tree(
  levels: number,
  condition: (at: number) => string,
  leaf: (at: number) => string,
  at = 1,
): string {
  if (levels === 0) return leaf(at);
  const [yes, no] = [2 * at, 2 * at + 1].map((child) => tree(levels - 1, condition, leaf, child));
  return `if(${condition(at)}, ${yes}, ${no})`;
}

const deep = tree(
  5,
  (at) => `a < ${at % 7}`,
  (at) => `${at}`,
);

describe("what is a forest", () => {
  test.each([
    ["a tree", deep],
    ["a sum of trees", `${deep} + ${deep}`],
    ["a sum with other terms", `sum(x) + ${deep} + b`],
    ["trees on cells", tree(5, (at) => `x{i:${at % 4}} > ${at}`, String)],
    ["trees on cells of mapped tensors", tree(5, (at) => `y{k:p,i:${at % 2}} <= ${at}`, String)],
    ["conditions of several comparisons", tree(5, (at) => `a < ${at} && b > ${at} || !(a == 3)`, String)],
    ["lists", tree(5, (at) => `a in [1, 2, ${at}]`, String)],
    [
      "leaves that are computed",
      tree(
        5,
        (at) => `a < ${at}`,
        (at) => `b * ${at}`,
      ),
    ],
    ["a part of something else", `exp(${deep} * 0.1)`],
    [
      "conditions of numbers that are compared with each other",
      tree(5, (at) => `a * ${at} < b && x{i:${at % 4}} > b - ${at}`, String),
    ],
    [
      "choices within conditions",
      tree(
        5,
        (at) => `if(a < ${at}, b, a) > b`,
        (at) => `if(b > ${at}, a, b + 1)`,
      ),
    ],
  ])("%s", (_, text) => {
    expect(isForest(text)).toBe(true);
    expect(isForest(text, { optimise: false })).toBe(true);
  });

  test.each([
    ["few decisions", "if(a < 1, 2, 3) + if(b < 2, 3, 4)"],
    [
      "leaves that are worth not computing",
      tree(
        5,
        (at) => `a < ${at}`,
        (at) => `sum(x * ${at})`,
      ),
    ],
    ["a long sum", `a${" + b".repeat(20_000)}`],
  ])("not %s", (_, text) => {
    expect(isForest(text)).toBe(false);
  });
});

const special = [0, -0, 1, 2, 2.5, -1, 5e-324, -5e-324, 1.7976931348623157e308];
const numbers = fc.constantFrom(...special, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);

const feature = fc.constantFrom("a", "b", "x{i:1}", "x{i:3}", "y{k:p,i:0}", "y{k:q,i:1}", "(a - b)");
const threshold = fc.constantFrom("0", "-0.0", "1", "2.5", "5e-324", "(1 / 0)", "(-1 / 0)", "(0 / 0)", "b");
const comparison = fc.constantFrom("<", "<=", ">", ">=", "==", "!=");

const texts = fc.letrec<{ condition: string; tree: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(feature, comparison, threshold).map((parts) => parts.join(" ")),
    fc.tuple(threshold, comparison, feature).map((parts) => parts.join(" ")),
    feature,
    fc
      .tuple(tie("condition"), fc.constantFrom("&&", "||"), tie("condition"))
      .map((parts) => `(${parts.join(" ")})`),
    tie("condition").map((inner) => `!(${inner})`),
    feature.map((inner) => `${inner} in [1, 2, -1]`),
    feature.map((inner) => `isNan(${inner})`),
  ),
  tree: fc
    .tuple(
      fc.array(tie("condition"), { minLength: 15, maxLength: 15 }),
      fc.array(fc.oneof(feature, threshold), { minLength: 4 }),
    )
    .map(([conditions, leaves]) =>
      tree(
        4,
        (at) => conditions[at - 1] ?? "a",
        (at) => leaves[at % leaves.length] ?? "b",
      ),
    ),
}));

/** Arithmetic, of which each condition and each leaf has its own: computed where a walk comes to it. */
const arithmetic = fc.letrec<{ number: string }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 4 },
    feature,
    threshold,
    fc
      .tuple(
        tie("number"),
        fc.oneof(comparison, fc.constantFrom("+", "-", "*", "/", "&&", "||", "%", "^")),
        tie("number"),
      )
      .map((parts) => `(${parts.join(" ")})`),
    fc.tuple(tie("number"), tie("number"), tie("number")).map((parts) => `if(${parts.join(", ")})`),
    fc
      .tuple(fc.constantFrom("max", "min", "bit", "fmod"), tie("number"), tie("number"))
      .map(([name, x, y]) => `${name}(${x}, ${y})`),
    fc
      .tuple(fc.constantFrom("abs", "!", "-", "floor", "sign", "isNan"), tie("number"))
      .map(([name, x]) => `${name}(${x})`),
  ),
})).number;

const program = fc
  .tuple(
    fc.array(arithmetic, { minLength: 15, maxLength: 15 }),
    fc.array(arithmetic, { minLength: 16, maxLength: 16 }),
  )
  .map(([conditions, leaves]) =>
    tree(
      4,
      (at) => `(${conditions[at - 1]}) * ${at} != b`,
      (at) => `(${leaves[at % 16]}) + ${at}`,
    ),
  );

/** Which numbers are looked at: of an expression all of its parts must be there. */
const given = fc.record({
  a: numbers,
  b: numbers,
  x: fc.array(numbers, { minLength: 4, maxLength: 4 }),
  y: fc.array(numbers, { minLength: 2, maxLength: 2 }),
});

test("random forests, by every way to run them, often enough for code to be made", () => {
  holds(
    fc.property(
      fc.array(fc.oneof(texts.tree, program), { minLength: 1, maxLength: 3 }),
      fc.array(given, { minLength: 6 }),
      (trees, all) => {
        const text = `${trees.map((each) => `(${each})`).join(" + ")} + y{k:p,i:0}`;
        const program = (options: Options) => compileExpression(text, { inputs: types, ...options });
        const expected = program({ backend: "reference" });
        const found = [
          ...others.map(({ name }) => program({ backend: name })),
          ...[program({ optimise: false }), program({}).prepare()],
        ];
        for (const { a, b, x, y } of all) {
          const inputs: InputValues = { a, b, x: Float64Array.from(x), y: { p: y } };
          const value = expected.run(inputs).asNumber();
          for (const each of found) expect(each.run(inputs).asNumber()).toBe(value);
        }
      },
    ),
    100,
  );
});

test("arithmetic that is too long for a walk is computed before it", () => {
  const long = Array.from({ length: 40 }, (_, at) => `a * ${at} - b`).join(" + ");
  const text = tree(
    5,
    (at) => `${long} + ${at} < b * ${at}`,
    (at) => `${at} * a`,
  );
  expect(isForest(text)).toBe(true);
  const inputs = { a: 0.5, b: 7 };
  const expected = compileExpression(text, { inputs: types, backend: "reference" }).run(inputs).asNumber();
  expect(compileExpression(text, { inputs: types }).run(inputs).asNumber()).toBe(expected);
});

test("a sum of leaves below zero is below zero", () => {
  const zeros = tree(
    5,
    (at) => `a < ${at}`,
    () => "-0.0 * abs(b)",
  );
  const text = `${zeros} + ${zeros}`;
  expect(isForest(text)).toBe(true);
  for (const optimise of [true, false]) {
    const program = compileExpression(text, { inputs: types, optimise }).prepare();
    for (let run = 0; run < 20; run++) expect(program.run({ a: run, b: 3 }).asNumber()).toBe(-0);
  }
});

test("a leaf with a label that the host computes is computed where it is reached, and only there", () => {
  let calls = 0;
  const index: HostFunction = {
    parameters: ["tensor()"],
    returns: "tensor()",
    description: "An index.",
    call: () => {
      calls++;
      return 2;
    },
  };
  const text = tree(
    5,
    (at) => `a < ${at}`,
    (at) => `z{i:${at % 4},j:(index(b))}`,
  );
  const z = Float64Array.from({ length: 16 }, (_, at) => at);
  const inputs = { a: "tensor()", b: "tensor()", z: "tensor(i[4],j[4])" };
  const options = { inputs, functions: { index } };
  const byReference = compileExpression(`if(a < 100, ${text}, 0)`, { ...options, backend: "reference" });
  const program = compileExpression(`if(a < 100, ${text}, 0)`, options);
  for (const [a, expected] of [
    [3, 1],
    [1000, 0],
  ] as const) {
    const value = byReference.run({ a, b: 1, z }).asNumber();
    calls = 0;
    expect(program.run({ a, b: 1, z }).asNumber()).toBe(value);
    expect(calls).toBe(expected);
  }
});

describe("a forest in a body is walked for each cell", () => {
  const features = ["v", "v * v - w", "w", "v + w", "w / 2"];
  const comparisons = ["<", "<=", ">", ">=", "==", "!="];
  const wide = (levels: number): string =>
    tree(
      levels,
      (at) => `${features[at % 5]} ${comparisons[at % 6]} ${((at * 37) % 23) / 4 - 2}`,
      (at) => (at % 9 === 0 ? `v + ${at}` : `${at}`),
    );
  const body = `${wide(9)} + ${wide(6)} + w + ${wide(6)}`;
  const inputs = (run: number): InputValues => ({
    a: run - 1,
    x: Float64Array.of(0, run / 2, 1, 2),
    y: { p: [0.5, Number.NaN], q: [-1.5, 3], r: [run, -0] },
    z: Float64Array.of(1, -1, Number.NaN, 2),
  });
  const declared = { ...types, z: "tensor(j[4])" };

  test.each([
    ["a map", `map(y, f(v)(v - ${body.replaceAll("w", "(v + 1)")}))`, 6],
    ["a join", `join(y, z, f(v, w)(exp(0.01 * (${body}))))`, 24],
    [
      "a generator",
      `tensor(r[5],s[3])(${body.replaceAll("v", "(r - 2)").replaceAll("w", "x{i:(s + 1)}")})`,
      15,
    ],
    [
      "a generator of cells at rows",
      `tensor(r[4])(${body.replaceAll("v", "z{j:(3 - r)}").replaceAll("w", "r")})`,
      4,
    ],
  ])("%s", (_, text, cells) => {
    const program = compileExpression(text, { inputs: declared });
    const used = (run: number): InputValues =>
      Object.fromEntries(Object.entries(inputs(run)).filter(([name]) => program.inputs.has(name)));
    const steps = program.plan(used(0)).steps.map(({ description }) => description);
    expect(steps.filter((each) => each.startsWith("forest"))).toEqual([
      expect.stringContaining(`, ${cells} times`),
    ]);
    const reference = compileExpression(text, { inputs: declared, backend: "reference" });
    for (let run = 0; run < 4; run++) {
      const expected = [...reference.run(used(run)).cells()].map(({ value }) => value);
      expect(expected).toHaveLength(cells);
      for (const { name } of others) {
        const found = compileExpression(text, { inputs: declared, backend: name }).run(used(run));
        expect([...found.cells()].map(({ value }) => value)).toEqual(expected);
      }
      expect([...program.run(used(run)).cells()].map(({ value }) => value)).toEqual(expected);
    }
  });

  test("each run of a batch", () => {
    const program = compileExpression(body.replaceAll("v", "x{i:2}").replaceAll("w", "b"), { inputs: types });
    const items = 9;
    const along = (name: string, cells: readonly number[]): Tensor =>
      Tensor.from(parseType(name), Float64Array.from(cells), {
        axes: ["item", ...(cells.length > items ? ["i"] : [])],
      });
    const counted = Array.from({ length: items }, (_, at) => at);
    const [a, b] = [counted.map((at) => at - 4), counted.map((at) => at / 3)];
    const x = counted.map((at) => [0, at, 2 - at, 1]);
    const found = program.prepare().runBatch("item", {
      a: along("tensor(item[9])", a),
      b: along("tensor(item[9])", b),
      x: along("tensor(item[9],i[4])", x.flat()),
    });
    const expected = counted.map((at) =>
      program.run({ a: element(a, at), b: element(b, at), x: Float64Array.from(element(x, at)) }).asNumber(),
    );
    expect([...found.data]).toEqual(expected);
  });

  test("choices that are none are packed once, and not each branch anew", () => {
    const packed = vi.spyOn(ForestBuilder.prototype, "addTerm");
    const chain = Array.from({ length: 300 }, (_, at) => `if(r * ${at}.5 * x{i:(r)} < ${at}, ${at}, `);
    const text = `tensor(r[3])(${chain.join("")}0${")".repeat(chain.length)})`;
    const x = Float64Array.of(1, 2, 3, 4);
    const found = compileExpression(text, { inputs: types }).run({ x });
    const expected = compileExpression(text, { inputs: types, backend: "reference" }).run({ x });
    expect([...found.data]).toEqual([...expected.data]);
    expect(packed).toHaveBeenCalledTimes(1);
    packed.mockRestore();
  });

  test("trees of tensors are choices, as before", () => {
    const text = `tensor(r[2])(sum(${tree(
      8,
      (at) => `a + r < ${at}`,
      (at) => `x * ${at}`,
    )}))`;
    const run = (backend: "engine" | "reference"): readonly number[] =>
      Array.from(
        compileExpression(text, { inputs: types, backend }).run({ a: 7, x: Float64Array.of(1, 2, 3, 4) })
          .data as Float64Array,
      );
    expect(run("engine")).toEqual(run("reference"));
  });
});
