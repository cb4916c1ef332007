import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backendNames } from "../../src/backends/backends.js";
import { primitiveText } from "../../src/language/check/primitive/primitive.js";
import type { Node } from "../../src/language/core/operations.js";
import { passes, stagesOf } from "../../src/optimise/optimise.js";
import { complaints } from "../../src/optimise/verify.js";
import { check, compileExpression, evaluate } from "../../src/program/compile.js";
import { type InputValue, parseTensor } from "../../src/program/inputs/inputs.js";
import { parseType } from "../../src/program/options.js";
import { disagreements, type Way } from "../agreement.js";
import { holds } from "../chance.js";
import { checkedExpression } from "../core.js";
import { expressionsOn, tensorsByName } from "../expressions.js";
import { specialTensors } from "../special-tensors.js";

/** The optimiser: each law does what it says, what has an exception is no law, and nobody can tell it from the values. */

const types = {
  a: "tensor()",
  b: "tensor()",
  t: "tensor(x[3])",
  u: "tensor(x[3])",
  f: "tensor<float>(x[3],y[2])",
  c: "tensor<int8>(x[3])",
  m: "tensor(k{},x[3])",
  r: "tensor(k{},l{})",
  p: "tensor(k{},x[3])",
  q: "tensor(l{},x[3])",
};

/** The node of an expression, after each pass. */
function stages(text: string, inputs: Readonly<Record<string, string>> = types) {
  const typed = new Map(Object.entries(inputs).map(([name, type]) => [name, parseType(type)]));
  const { results, graph } = checkedExpression(text, typed);
  const roots = results.map(({ node }) => node);
  return { roots, stages: stagesOf(roots, graph) };
}

const outcome = (text: string): Node | undefined => {
  const found = stages(text);
  return (found.stages.at(-1)?.roots ?? found.roots)[0];
};

const written = (text: string): string => {
  const node = outcome(text);
  return node === undefined ? "" : primitiveText(node);
};

/** An expression for each law, and what it becomes, by hand. */
// biome-ignore format: a table
const examples: readonly (readonly [text: string, becomes: string])[] = [
  ["a * (1 + 2)",                          "a * 3"],
  ["if(1 < 2, t, u)",                      "t"],
  ["if(0 / 0, a, b)",                      "a"],
  ["if(-0.0, a, b)",                       "b"],
  ["t - 3",                                "map(t, f(a)(a - 3))"],
  ["3 - t",                                "map(t, f(a)(3 - a))"],
  ["a * 1",                                "a"],
  ["1 * a",                                "a"],
  ["a * -1",                               "-a"],
  ["-1 * a",                               "-a"],
  ["a / 1",                                "a"],
  ["a / 8",                                "a * 0.125"],
  ["a - 0",                                "a"],
  ["a - -b",                               "a + b"],
  ["a + -0.0",                             "a"],
  ["-0.0 + a",                             "a"],
  ["a + -b",                               "a - b"],
  ["-(-a)",                                "a"],
  ["a ^ 1",                                "a"],
  ["a ^ 2",                                "square(a)"],
  ["a ^ -1",                               "1 / a"],
  ["square(-a)",                           "square(a)"],
  ["square(abs(a))",                       "square(a)"],
  ["abs(-a)",                              "abs(a)"],
  ["abs(abs(a))",                          "abs(a)"],
  ["relu(relu(a))",                        "relu(a)"],
  ["floor(floor(a))",                      "floor(a)"],
  ["ceil(ceil(a))",                        "ceil(a)"],
  ["max(a, a)",                            "a"],
  ["map(t, f(z)(max(z, z) * min(z, z)))",  "map(t, f(a)(a * a))"],
  ["!(a == b)",                            "a != b"],
  ["!(a != b)",                            "a == b"],
  ["if(!a, 2, 3)",                         "if(a, 3, 2)"],
  ["if(a, 1, 0)",                          "a != 0"],
  ["if(a < b, 1, 0)",                      "a < b"],
  ["where(a, b, 2)",                       "join(a, b, f(a,b)(if(a != 0, b, 2)))"],
  ["where(t, u, 2)",                       "join(t, u, f(a,b)(if(a != 0, b, 2)))"],
  ["where(t, 2, u)",                       "join(t, u, f(a,b)(if(a != 0, 2, b)))"],
  ["where(m, t, 0)",                       "join(m, t, f(a,b)(if(a != 0, b, 0)))"],
  ["where(t, 3, 2)",                       "map(t, f(a)(if(a != 0, 3, 2)))"],
  ["t * 1",                                "t"],
  ["c * 1",                                "cell_cast(c, float)"],
  ["rename(rename(t, x, y), y, z)",        "rename(t, x, z)"],
  ["rename(rename(t, x, y), y, x)",        "t"],
  ["rename(rename(f, x, z), y, x)",        "rename(f, (x, y), (z, x))"],
  ["cell_cast(cell_cast(c, float), double)", "cell_cast(c, double)"],
  ["sum(sum(f, x), y)",                    "reduce(f, sum, x, y)"],
  ["max(max(m, x), k)",                    "reduce(m, max, x, k)"],
  ["reduce(reduce(m, min, x), min)",       "reduce(m, min)"],
  ["r - sum(p * q, x)",                    "join(r, reduce(join(join(r, p, f(a,b)(b)), q, f(a,b)(a * b)), sum, x), f(a,b)(a - b))"],
  ["max(q + p, x) * r",                    "join(reduce(join(join(r, q, f(a,b)(b)), p, f(a,b)(a + b)), max, x), r, f(a,b)(a * b))"],
  ["r * exp(sum(relu(p * q), x))",         "join(r, map(reduce(map(join(join(r, p, f(a,b)(b)), q, f(a,b)(a * b)), f(a)(relu(a))), sum, x), f(a)(exp(a))), f(a,b)(a * b))"],
];

describe("laws", () => {
  test.each(examples)("%s becomes %s", (text, becomes) => {
    expect(written(text)).toBe(becomes);
  });

  test("each is of use for one of the examples", () => {
    const used = new Set(
      examples.flatMap(([text]) => stages(text).stages.flatMap((stage) => stage.appliedRules)),
    );
    const idle = passes.flatMap(({ rules }) => rules).filter((rule) => !used.has(rule));
    expect(idle.map(({ description }) => description)).toEqual([]);
  });
});

/** What looks like a law, and is none for some number. */
// biome-ignore format: a table
const noLaws = [
  ["a * 0",                        "NaN, infinities and negative numbers"],
  ["a + 0",                        "-0"],
  ["0 + a",                        "-0"],
  ["0 - a",                        "0"],
  ["a - a",                        "infinities"],
  ["a / a",                        "0"],
  ["a / 3",                        "a third is no double"],
  ["a / 4.9406564584124654e-324",  "the other one is too great for a double"],
  ["a ^ 0.5",                      "-0 and -Infinity"],
  ["!(a < b)",                     "NaN"],
  ["if(a, 0, 1)",                  "!a is as long"],
  ["if(a, b, b)",                  "a run without a is refused"],
  ["avg(avg(m, x), k)",            "groups of different sizes"],
  ["prod(prod(f, x), y)",          "products that overflow on the way"],
  ["max(min(f, x), y)",            "different aggregators"],
  ["cell_cast(cell_cast(t, float), double)", "numbers that are no floats"],
  ["map(t, f(z)(exp(log(z))))",    "rounding"],
  ["join(f, t, f(p,q)(if(p != 0, q, -0))) + map(f, f(p)(if(p != 0, -0, 0.1)))", "0.1 is no float"],
  ["where(t, u, t)",               "no branch is a number"],
  ["q - sum(p * q, x)",            "q has no pairs"],
  ["sum(p, x) * sum(q, x) - sum(p * q, x)", "all pairs are on both sides"],
  ["r - sum(r * p * q, x)",        "products are of pairs of r already"],
  ["rename(r, l, j) - sum(r * rename(r, k, j), l)", "products are of few labels"],
  ["join(t, u, f(p,q)(if(p != 0, q, 0))) + map(t, f(p)(if(p != 0, -0, 1)))", "0 is not -0"],
] as const;

test.each(noLaws)("%s stays as it is: %s", (text) => {
  const found = stages(text);
  const applied = found.stages
    .flatMap(({ appliedRules }) => appliedRules)
    .filter(({ description }) => !/^f\(1, 2\)/.test(description));
  expect(applied.map(({ description }) => description)).toEqual([]);
});

const numbers = [
  ...[0, -0, 1, -1, 0.5, -2.5, 3, 5e-324, -5e-324, 1e-310, 2 ** -1022, 1.7976931348623157e308, -1e308],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
];

/** Laws of scalars: the same bits for all of these numbers. */
test.each(
  examples.map(([text]) => text).filter((text) => !/[tufcmrpq]\b(?!\()/.test(text)),
)("%s is the same number with and without its law", (text) => {
  for (const a of numbers)
    for (const b of numbers) {
      const inputs = Object.fromEntries(
        Object.entries({ a, b }).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text)),
      );
      const [on, off] = [true, false].map((optimise) =>
        evaluate(text, inputs, { backend: "closures", optimise }).asNumber(),
      );
      expect({ a, b, value: on }).toEqual({ a, b, value: off });
    }
});

test("a program that draws numbers stays as it is: their order is part of it", () => {
  expect(stages("random(1.0) * 1 + sum(sum(random(2,3), i1), i2)").stages).toEqual([]);
});

test("a chain of 20,000 operations is rewritten without a deep stack", () => {
  const long = `t${" * 1".repeat(20_000)}`;
  expect(written(long)).toBe("t");
  const value = evaluate(long, { t: "tensor(x[3]):[1,2,3]" }, { backend: "closures" });
  expect(`${value}`).toBe("tensor(x[3]):[1.0, 2.0, 3.0]");
});

test("a branch that is not taken may lack its inputs, by whatever way the program is run", () => {
  for (const backend of backendNames) {
    const program = compileExpression("if(1 < a, a * 2, b)", { inputs: types, backend });
    for (const run of [program, program.prepare()]) {
      expect(`${run.run({ a: 2 })}`).toBe("tensor():{4.0}");
      expect(() => run.run({ a: 0 })).toThrow(
        expect.objectContaining({ problems: [expect.objectContaining({ code: "input/missing" })] }),
      );
    }
  }
});

test("an input that is missing is told of, whatever the optimiser did", () => {
  for (const optimise of [true, false]) {
    const program = compileExpression("if(1 < 2, t * 1, u)", { inputs: types, optimise });
    expect(() => program.run({ u: "tensor(x[3]):[1,2,3]" })).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code: "input/missing" })] }),
    );
  }
});

const tensors = (texts: Readonly<Record<string, string>>): Record<string, InputValue> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseTensor(text)]));

const typesOf = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, `${parseTensor(text).type}`]));

/** Random expressions that are well typed, with more numbers in them than usual, for laws to be of use. */
function soundTexts(texts: Readonly<Record<string, string>>): fc.Arbitrary<string> {
  const inputs = typesOf(texts);
  const numbers = ["1", "2", "(1 - 1)", "-1", "(-0.0)", "0.25"];
  return expressionsOn([...Object.keys(texts), ...numbers]).filter((text) =>
    check(text, { inputs }).every((problem) => !problem.isError),
  );
}

test("every graph is sound after every pass, and has the type that it had", () => {
  holds(
    fc.property(soundTexts(tensorsByName), (text) => {
      const found = stages(text, typesOf(tensorsByName));
      expect(complaints(found.roots)).toEqual([]);
      for (const { roots } of found.stages) {
        expect(complaints(roots)).toEqual([]);
        expect(roots.map(({ type }) => `${type}`)).toEqual(found.roots.map(({ type }) => `${type}`));
      }
    }),
    500,
  );
});

test("with optimise and without, a value is what the reference gives, on special values too", () => {
  const inputs = tensors(specialTensors);
  const by =
    (optimise: boolean): Way =>
    (text, inputs) =>
      evaluate(text, inputs, { backend: "closures", optimise });
  const ways = { optimised: by(true), "as written": by(false) };
  holds(
    fc.property(soundTexts(specialTensors), (text) => {
      expect(disagreements(ways, text, inputs)).toEqual([]);
    }),
    500,
  );
});
