import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, type InputValue, parseTensor, parseType, showPlan, Tensor } from "../../src/index.js";
import { derivatives } from "../../src/language/differentiate/derivatives.js";
import { scalarFunctions } from "../../src/language/scalar/functions.js";
import { caseFiles, linesOf } from "../case-files.js";
import { holds, numbersByChance } from "../chance.js";
import { compared, type Differentiated, withCells, wrongCells } from "./differences.js";
import { differentiableExpressions, differentiableTensors, tensorNames } from "./gradient-expressions.js";

/** Gradients are what differences find them to be, and have the addresses that they should. */

const inputs: Record<string, Tensor> = Object.fromEntries(
  Object.entries(differentiableTensors).map(([name, text]) => [name, parseTensor(text)]),
);

/** How many cells were compared: those of an expression that is no program, or has no derivative there, are not. */
function expectDifferences(differentiated: Differentiated, backend: "engine" | "reference"): number {
  const comparison = compared(differentiated, { backend });
  if (comparison === undefined) return 0;
  expect(comparison.addresses).toEqual([]);
  const wrong = wrongCells(comparison, 1e-9);
  expect({ differentiated, wrong }).toEqual({ differentiated, wrong: [] });
  return comparison.cells.filter(({ differences }) => differences !== undefined).length;
}

test("the gradients of random expressions are what differences find", () => {
  const law = fc.property(
    differentiableExpressions(4),
    fc.constantFrom(...tensorNames),
    fc.boolean(),
    (y, x, isEngine) => {
      expectDifferences({ y, inputs, x }, isEngine ? "engine" : "reference");
    },
  );
  holds(law, 300);
});

test.each([
  "reference",
  "closures",
  "engine",
] as const)("labels that are more than ten indexes have the gradients of their own, by %s", (backend) => {
  const text = "input t: tensor(k{})\ngradient(sum(tensor(x[12])((x + 1) * t{k:(x)})), t)";
  const t = parseTensor("tensor(k{}):{2:7,10:7,11:7,9:7,a:7}");
  expect(compile(text, { backend }).run({ t }).toNested()).toEqual({ 2: 3, 9: 10, 10: 11, 11: 12, a: 0 });
});

test("enough random expressions have gradients", () => {
  let count = 0;
  const law = fc.property(differentiableExpressions(3), fc.constantFrom(...tensorNames), (y, x) => {
    count += expectDifferences({ y, inputs, x }, "reference") > 0 ? 1 : 0;
  });
  holds(law, 100);
  expect(count).toBeGreaterThan(15);
});

test("the gradient of a product of matrices is one, of the result's adjoint and the other matrix", () => {
  const cells = Float64Array.from({ length: 48 * 48 }, (_, at) => Math.sin(at));
  const a = Tensor.from(parseType("tensor(x[48],y[48])"), cells);
  const b = Tensor.from(parseType("tensor(y[48],z[48])"), cells);
  const text =
    "input a: tensor(x[48],y[48])\ninput b: tensor(y[48],z[48])\ngradient(sum(square(sum(a * b, y))), a)";
  const plan = showPlan(compile(text).plan({ a, b }));
  expect(plan.match(/^\d+ matrix product 48×48×48/gm)).toHaveLength(2);
});

describe("scalar functions", () => {
  const names = Object.keys(derivatives) as (keyof typeof derivatives)[]; // the keys of the table
  const spellings: Partial<Record<keyof typeof derivatives, string>> = {
    ...{ add: "p + q", subtract: "p - q", multiply: "p * q", divide: "p / q", negate: "-p", not: "!p" },
    ...{ equal: "p == q", notEqual: "p != q", less: "p < q", lessOrEqual: "p <= q", greater: "p > q" },
    // The inverse of cosh begins at 1.
    acosh: "acosh(p + 1)",
    ...{ greaterOrEqual: "p >= q", approximately: "p ~= q", and: "p && q", or: "p || q" },
  };
  test.each(names.filter((name) => !name.startsWith("vespa")))("%s", (name) => {
    const { parameters } = scalarFunctions[name];
    const call = spellings[name] ?? `${name}(${["p", "q"].slice(0, parameters.length).join(", ")})`;
    let compared = 0;
    for (const [p, q] of [
      [0.37, 1.61],
      [0.83, -0.29],
      [-0.71, 0.53],
    ] as const)
      for (const x of parameters.length === 1 ? ["p"] : ["p", "q"]) {
        const numbers = { p: parseTensor(`${p}`), q: parseTensor(`${q}`) };
        compared += expectDifferences({ y: call, inputs: numbers, x }, "reference");
        const z = parseTensor(`tensor(z[2]):[${p},${q / 2}]`);
        compared += expectDifferences(
          { y: call.replaceAll("p", "z").replaceAll("q", "z"), inputs: { z }, x: "z" },
          "engine",
        );
      }
    expect(compared).toBeGreaterThan(0);
  });
});

describe("a value that is linear in a number has a gradient of the random numbers that it has itself", () => {
  test.each([
    "sum(t * random(z[3]))",
    "t * sum(map(tensor(z[3])(z + 1), f(v)(v * sum(random(k[2])))))",
    "t * sum(tensor(z[3])(z * sum(random(k[2]))))",
    "sum(tensor(z[3])(t * z)) * sum(random(k[2]))",
    "sum(map_subspaces(tensor(k{}):{a:1, b:2} * t, f(v)(v * 3))) * sum(random(k[2]))",
    "if(sum(random(k[2])) > 1, t * sum(random(z[2])), t * sum(random(z[3])))",
  ])("%s", (y) => {
    for (const backend of ["engine", "reference"] as const) {
      const program = compile(`input t: tensor()\ny = ${y}\ny\ngradient(y, t)`, { backend });
      const [value, gradient] = program.runAll({ t: 2 }).results.map((each) => each.at(0));
      expect(gradient).toBeGreaterThan(0);
      expect(gradient).toBeCloseTo((value ?? Number.NaN) / 2, 12);
    }
  });
});

/** Of the cases, so many are tried: all of them take minutes. */
const share = 0.1 * Number(process.env.TIMES ?? 1);

/** An input as doubles, which can be moved by a little. */
function asDoubles(value: InputValue): Tensor {
  const tensor = value instanceof Tensor ? value : parseTensor(`${value}`);
  return withCells(tensor, (at) => tensor.at(at));
}

/** What is rounded has no derivative that differences find, and of a square root of 0 that is infinite. */
const isLeftOut = (expression: string): boolean => /cell_cast|euclidean_distance|gradient\(/.test(expression);

describe("the gradients of cases are what differences find", () => {
  test.each(caseFiles)("%s", (file) => {
    const chance = numbersByChance();
    for (const { expression, inputs, problems } of linesOf(file)) {
      if (problems !== undefined || isLeftOut(expression) || chance() > share) continue;
      const tensors = Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => [name, asDoubles(value)]),
      );
      for (const x of Object.keys(inputs)) expectDifferences({ y: expression, inputs: tensors, x }, "engine");
    }
  });
});
