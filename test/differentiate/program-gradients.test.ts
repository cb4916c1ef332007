import { describe, expect, test } from "vitest";
import { compile, parseTensor, type Tensor } from "../../src/index.js";
import { isNear } from "../../src/language/values/near.js";
import { seeds } from "../chance.js";
import { patience } from "../patience.js";
import { unlessRefused } from "../problem-codes.js";
import { compared, type Differentiated, declarations, judgedTwice, wrongCells } from "./differences.js";
import { areModest, type SmoothProgram, smoothProgram } from "./smooth-programs.js";

/**
 * Gradients of the programs of the hunt are what differences find: all operations within the bodies of each other, on tensors of
 * all kinds. A sample; `npm run gradients` tries a hundred times as many.
 */

/** Of a gradient with more cells that of a sum is compared. */
const mostCells = 1500;

const nothing: SmoothProgram = { definitions: "", results: [], inputs: {} };

/** What is differentiated of a program: each result in each input, by itself and times the sum of the input. */
function* differentiatedOf(seed: number): Generator<Differentiated> {
  const { definitions, results, inputs } = smoothProgram(seed) ?? nothing;
  for (const result of results) {
    const cells = modestValue(`${declarations(inputs)}${definitions}${result}`, inputs)?.data.length ?? 0;
    for (const [x, { data }] of Object.entries(inputs)) {
      if (data.length === 0 || cells === 0) continue;
      const y = cells * data.length > mostCells ? `sum(map(${result}, f(v)(atan(v))))` : result;
      yield { definitions, y, x, inputs };
      // The derivative of a product has the value of the result in it, as derivatives compute it.
      yield { definitions, y: `sum(map((${result}) * sum(${x}), f(v)(atan(v))))`, x, inputs };
    }
  }
}

/** The value of a text, where it is one that differences could tell anything of. */
function modestValue(text: string, inputs: SmoothProgram["inputs"]): Tensor | undefined {
  const value = unlessRefused(() => compile(text, { backend: "reference" }).run(inputs));
  return value && areModest(value.data) ? value : undefined;
}

interface Judgement {
  readonly wrong: readonly unknown[];
  /** How many cells were compared whose derivative is not 0. */
  readonly moving: number;
}

/** Of a steeper slope differences tell nothing. */
const steepest = 1000;

/** What is wrong with a gradient at its inputs. Where a derivative is not finite, 0 times that may be in any cell. */
function judged(differentiated: Differentiated, backend: "engine" | "reference"): Judgement {
  const comparison = unlessRefused(() => compared(differentiated, { backend }, 6));
  if (comparison === undefined) return { wrong: [], moving: 0 };
  const wrong = wrongCells(comparison, 1e-8).filter(
    ({ differences = 0 }) => Math.abs(differences) < steepest,
  );
  const moving = comparison.cells.filter(({ differences = 0 }) => Math.abs(differences) > 1e-9);
  return { wrong: [...comparison.addresses.slice(0, 3), ...wrong.slice(0, 3)], moving: moving.length };
}

test("the gradients of programs of the hunt are what differences find", () => {
  let count = 0;
  for (const seed of seeds(80))
    for (const differentiated of differentiatedOf(seed)) {
      const backend = seed % 4 < 2 ? "engine" : "reference";
      const { wrong, moving } = judgedTwice(differentiated, (each) => judged(each, backend));
      count += moving;
      expect({ seed, differentiated, wrong }).toEqual({ seed, differentiated, wrong: [] });
    }
  expect(count).toBeGreaterThan(100);
});

/** The derivative of a result in the direction of an input, and what is the same: that in a factor of the input, which is 1. */
function* directionsOf(
  seed: number,
): Generator<readonly [direction: string, factor: string, SmoothProgram["inputs"]]> {
  const { definitions, results, inputs } = smoothProgram(seed) ?? nothing;
  const before = declarations(inputs);
  for (const result of results)
    for (const x of Object.keys(inputs)) {
      const scaled = (text: string): string => text.replace(new RegExp(`\\b${x}\\b`, "g"), `(${x} * factor)`);
      yield [
        `${before}${definitions}jvp(${result}, ${x}, ${x})`,
        `${before}input factor: tensor()\n${scaled(definitions)}gradient(${scaled(result)}, factor)`,
        inputs,
      ];
    }
}

// biome-ignore format: a table
test.each([
  { what: "in the direction of an input are those in a factor of it",     pairs: directionsOf, share: 100 },
  { what: "in a named value are those in an input in its place",          pairs: namedOf,      share: 1200 },
])("derivatives $what", { timeout: 4 * patience }, ({ pairs, share }) => {
  let count = 0;
  for (const seed of seeds(share))
    for (const [text, same, inputs] of pairs(seed)) {
      const [got, expected] = [text, same].map((each) => cellsByAddress(each, { ...inputs, factor: 1 }));
      if (got === undefined || expected === undefined) continue;
      const wrong = [...new Set([...got.keys(), ...expected.keys()])].filter((address) => {
        const [one, other] = [got.get(address), expected.get(address)];
        if (one === undefined || other === undefined) return true;
        // Where a derivative is not finite, 0 times that may be in either.
        return !Number.isNaN(one) && !Number.isNaN(other) && !isNear(one, other, 1e-8 * (1 + Math.abs(other)));
      });
      expect({ seed, text, inputs, wrong }).toEqual({ seed, text, inputs, wrong: [] });
      count += [...expected.values()].filter((cell) => cell !== 0).length;
    }
  expect(count).toBeGreaterThan(30);
});

/** Of each named value the derivative of a result in it, and what is the same: that in an input in its place, which has its value. */
function* namedOf(seed: number): Generator<readonly [named: string, own: string, SmoothProgram["inputs"]]> {
  const { definitions, results, inputs } = smoothProgram(seed) ?? nothing;
  const before = declarations(inputs);
  const statements = definitions.split(";\n").filter((each) => each !== "");
  for (const statement of statements) {
    const name = /^(\w+) = /.exec(statement)?.[1];
    const value = name && modestValue(`${before}${definitions}${name}`, inputs);
    if (!value || value.data.length === 0 || value.data.length > 300) continue;
    const others = statements.map((each) => (each === statement ? `input ${name}: ${value.type}` : each));
    for (const result of results) {
      const derivative = `gradient(sum(map(${result}, f(v)(atan(v)))), ${name})`;
      yield [
        `${before}${definitions}${derivative}`,
        `${before}${others.map((each) => `${each};\n`).join("")}${derivative}`,
        { ...inputs, [name]: value },
      ];
    }
  }
}

/** The cells of a result; nothing where it has no derivative, or no value. */
const cellsByAddress = (text: string, inputs: Readonly<Record<string, Tensor | number>>) =>
  unlessRefused(() => {
    const program = compile(text, { backend: "reference" });
    const own = [...program.inputs.keys()].map((name) => [name, inputs[name] ?? Number.NaN]);
    const cells = program.run(Object.fromEntries(own)).cells();
    return new Map([...cells].map(({ address, value }) => [JSON.stringify(address), value]));
  });

describe.each(["reference", "closures", "engine"] as const)("by %s", (backend) => {
  // biome-ignore format: a table
  test.each([
    // A body that does not look at its block has a value for each of them.
    ["tensor(k{})",   "tensor(k{}):{a:1,b:2,c:3}",   "sum(map_subspaces(t, f(b)(2))) * sum(t)",                                           "tensor(k{}):{a:6,b:6,c:6}"],
    ["tensor(k{})",   "tensor(k{}):{a:1,b:2}",       "sum(map_subspaces(t, f(b)(tensor(x[2]):[1, 2]))) * sum(t)",                         "tensor(k{}):{a:6,b:6}"],
    ["tensor()",      "tensor():{-1}",               "filter_subspaces(map_subspaces(tensor(k{}):{z:t}, f(b)(tensor(x[2]):[1,2])), f(b)(t))", "tensor(k{},x[2]):{z:[0,0]}"],
    // In each block a cell that is not found is 0, and so is a sum of none.
    ["tensor(k{})",   "tensor(k{}):{a:1,b:2}",       "sum(map_subspaces(t, f(b)((b * tensor(x[2])(x)){x:(9)} + 3))) * sum(t)",            "tensor(k{}):{a:6,b:6}"],
    ["tensor(k{})",   "tensor(k{}):{a:1,b:2}",       "sum(map_subspaces(t, f(b)((b * tensor(j{}):{z:1}){j:q} + 3))) * sum(t)",             "tensor(k{}):{a:6,b:6}"],
    ["tensor(k{})",   "tensor(k{}):{a:1,b:2}",       "sum(map_subspaces(t, f(b)(sum(b * tensor(j{}):{}) + 3))) * sum(t)",                  "tensor(k{}):{a:6,b:6}"],
    // The other branch has no cell, and so no size.
    ["tensor(x[])",   "tensor(x[]):[3,4]",           "map_subspaces(t, f(b)(sum(if(1, b * tensor(k{}):{p:5}, b * tensor(k{}):{}), k)))", "tensor(x[],x1[]):[[5,0],[0,5]]"],
  ])("in t: %s = %s, the gradient of %s is %s", (type, t, y, expected) => {
    const program = compile(`input t: ${type}\ngradient(${y}, t)`, { backend });
    expect(`${program.run({ t: parseTensor(t) })}`).toBe(`${parseTensor(expected)}`);
  });

  test("a generator that is the same in all bodies has indexes of its own", () => {
    const y =
      "sum(map(tensor(x[4])(x), f(p)(merge(sum(tensor(i[8])(v * i) * tensor(i[8])(p + i)), t, f(a,b)(a * b)))))";
    const program = compile(`input t: tensor()\nv = t\ngradient(${y}, v)`, { backend });
    // The sum of 2 * i * (p + i) for i below 8 and p below 4.
    expect(program.run({ t: 2 }).asNumber()).toBe(1456);
  });

  // biome-ignore format: a table
  test.each([
    ["tensor(k{})",   "tensor(k{}):{a:1,b:2}",       "map_subspaces(t, f(b)(b * b))",                "tensor(k{}):{a:2,b:8}"],
    ["tensor()",      "tensor():{3}",                "map_subspaces(tensor(k{}):{a:1}, f(b)(t * t))", "tensor(k{}):{a:18}"],
    ["tensor(x[])",   "tensor(x[]):[1,5,2]",         "concat(tensor(x[2])(t{x:(1 - x)}), t, x)",      "tensor(x[]):[5,1,1,5,2]"],
    ["tensor()",      "tensor():{3}",                "map_subspaces(tensor(k{}):{a:1}, f(b)(if(t, tensor(z[2])(t), tensor(z[2])(1))))", "tensor(k{},z[2]):{a:[3,3]}"],
    ["tensor(x[3])",  "tensor(x[3]):[1,5,2]",        "tensor(z[2])(t{x:(z)} * t{x:(z + 1)})",         "tensor(z[2]):[10,20]"],
  ])("in t: %s = %s, the derivative in its own direction of %s is %s", (type, t, y, expected) => {
    const program = compile(`input t: ${type}\njvp(${y}, t, t)`, { backend });
    expect(`${program.run({ t: parseTensor(t) })}`).toBe(`${parseTensor(expected)}`);
  });
});
