import { describe, expect, test } from "vitest";
import { compile, parseTensor, SphexError, type Tensor } from "../src/index.js";
import { seeds } from "./chance.js";
import { compared, type Differentiated, wrongCells } from "./differences.js";
import { areModest, type SmoothProgram, smoothProgram } from "./smooth-programs.js";

/**
 * Gradients of the programs of the hunt are what differences find: all operations within the bodies of each other, on tensors of
 * all kinds. A sample; `npm run gradients` tries a hundred times as many.
 */

/** Of a gradient with more cells that of a sum is compared. */
const mostCells = 1500;

const nothing: SmoothProgram = { definitions: "", results: [], inputs: {} };

/** What is differentiated of a program: each result in each input. */
function* differentiatedOf(seed: number): Generator<Differentiated> {
  const { definitions, results, inputs } = smoothProgram(seed) ?? nothing;
  for (const result of results) {
    const cells = cellsOf(definitions, result, inputs);
    for (const [x, { data }] of Object.entries(inputs)) {
      const y = cells * data.length > mostCells ? `sum(map(${result}, f(v)(sin(v))))` : result;
      if (data.length > 0 && cells > 0) yield { definitions, y, x, inputs };
    }
  }
}

/** How many cells a result has; 0 where it has no value, or one so large that differences cannot tell anything of it. */
function cellsOf(definitions: string, result: string, inputs: Readonly<Record<string, Tensor>>): number {
  const declarations = Object.entries(inputs).map(([name, { type }]) => `input ${name}: ${type}\n`);
  try {
    const program = compile(`${declarations.join("")}${definitions}${result}`, { backend: "reference" });
    const { data } = program.run(inputs);
    return areModest(data) ? data.length : 0;
  } catch (error) {
    if (error instanceof SphexError) return 0;
    throw error;
  }
}

/** What is wrong, and how many cells were compared whose derivative is not 0. Where one is not finite, 0 times that may be in any cell. */
function judged(
  differentiated: Differentiated,
  backend: "engine" | "reference",
): [readonly unknown[], number] {
  try {
    const comparison = compared(differentiated, { backend }, 6);
    if (comparison === undefined) return [[], 0];
    const wrong = wrongCells(comparison, 1e-8).filter(({ gradient }) => !Number.isNaN(gradient));
    const moving = comparison.cells.filter(({ differences = 0 }) => Math.abs(differences) > 1e-9);
    return [[...comparison.addresses.slice(0, 3), ...wrong.slice(0, 3)], moving.length];
  } catch (error) {
    if (error instanceof SphexError) return [[], 0];
    throw error;
  }
}

test("the gradients of programs of the hunt are what differences find", () => {
  let moving = 0;
  for (const seed of seeds(120))
    for (const differentiated of differentiatedOf(seed)) {
      const [wrong, count] = judged(differentiated, seed % 4 < 2 ? "engine" : "reference");
      moving += count;
      expect({ seed, differentiated, wrong }).toEqual({ seed, differentiated, wrong: [] });
    }
  expect(moving).toBeGreaterThan(100);
});

describe.each(["reference", "closures", "engine"] as const)("by %s", (backend) => {
  // biome-ignore format: a table
  test.each([
    // A body that does not look at its block has a value for each of them.
    ["tensor(k{})",   "tensor(k{}):{a:1,b:2,c:3}",   "sum(map_subspaces(t, f(b)(2))) * sum(t)",                                           "tensor(k{}):{a:6,b:6,c:6}"],
    ["tensor(k{})",   "tensor(k{}):{a:1,b:2}",       "sum(map_subspaces(t, f(b)(tensor(x[2]):[1, 2]))) * sum(t)",                         "tensor(k{}):{a:6,b:6}"],
    ["tensor()",      "tensor():{-1}",               "filter_subspaces(map_subspaces(tensor(k{}):{z:t}, f(b)(tensor(x[2]):[1,2])), f(b)(t))", "tensor(k{},x[2]):{z:[0,0]}"],
    // The other branch has no cell, and so no size.
    ["tensor(x[])",   "tensor(x[]):[3,4]",           "map_subspaces(t, f(b)(sum(if(1, b * tensor(k{}):{p:5}, b * tensor(k{}):{}), k)))", "tensor(x[],x1[]):[[5,0],[0,5]]"],
  ])("in t: %s = %s, the gradient of %s is %s", (type, t, y, expected) => {
    const program = compile(`input t: ${type}\ngradient(${y}, t)`, { backend });
    expect(`${program.run({ t: parseTensor(t) })}`).toBe(`${parseTensor(expected)}`);
  });
});
