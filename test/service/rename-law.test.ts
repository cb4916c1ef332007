import { expect, test } from "vitest";
import { check, compile, SphexError, type Tensor, uniform } from "../../src/index.js";
import { ProgramDocument, rename, type TextEdit } from "../../src/service/service.js";
import { numbersByChance, seeds } from "../chance.js";
import { programOf, sourceOf } from "../hunt/program.js";
import { patient } from "../patience.js";

/**
 * What is renamed means what it meant, or is not renamed. Programs are those of the hunt, with functions whose parameters stand for
 * dimensions, sizes and cell types. The new name is another word of the program, or one that means something in the language, so
 * that it could hide something, or be hidden.
 */
const words = [
  "true",
  "y",
  "sum",
  "max",
  "reduce",
  "if",
  "tensor",
  "int8",
  "f",
  "x",
  "k",
  "p0",
  "random",
  "count",
  "e",
  "unused",
];

/** The results of a text as texts, or the code of its first problem. */
function outcomeOf(text: string, inputs: Readonly<Record<string, Tensor>>): unknown {
  try {
    const program = compile(text, { random: uniform(7), limits: { cells: 200_000, steps: 2_000_000 } });
    return program.runAll(inputs).results.map(String);
  } catch (error) {
    if (error instanceof SphexError) return error.problems[0]?.code;
    throw error;
  }
}

function edited(text: string, edits: readonly TextEdit[]): string {
  let result = text;
  for (const { span, text: name } of [...edits].sort((a, b) => b.span.start - a.span.start))
    result = result.slice(0, span.start) + name + result.slice(span.end);
  return result;
}

/** What is found wrong with a rename of a name of a text, by chance, to one of these. */
function expectSame(
  text: string,
  names: readonly string[],
  inputs: Readonly<Record<string, Tensor>>,
  next: () => number,
): void {
  const oneOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)];
  const before = outcomeOf(text, inputs);
  const { analysis } = new ProgramDocument("text", text);
  for (let turn = 0; turn < 8; turn++) {
    const occurrence = oneOf(analysis.symbols.occurrences);
    const name = oneOf(names);
    if (occurrence === undefined || name === undefined) continue;
    const edits = rename(analysis, occurrence.span.start, name);
    if ("refused" in edits) continue;
    const { symbol } = occurrence;
    const isInput = symbol.kind === "input";
    const renamed = Object.entries(inputs).map(([input, value]): [string, Tensor] => [
      isInput && input === symbol.name ? name : input,
      value,
    ]);
    const after = outcomeOf(edited(text, edits), Object.fromEntries(renamed));
    expect(after, `${symbol.name} as ${name}: ${edited(text, edits)}`).toEqual(before);
  }
}

test.each(seeds(80))("program %d", patient, (seed) => {
  const next = numbersByChance();
  const program = programOf(seed);
  if (program.hosts.length > 0 || program.dialect === "vespa") return;
  const declarations = program.inputs.map(({ name, type }) => `input ${name}: ${type}`);
  const text = [...declarations, sourceOf(program)].join("\n");
  const inputs = Object.fromEntries(program.inputs.map(({ name, values: [first] }) => [name, first]));
  const own = [...text.matchAll(/[a-zA-Z_]\w*/g)].map(([name]) => name);
  expectSame(text, [...own, ...own, ...words], inputs, next);
});

/** A program in which values, parameters and dimensions have few names, and stand for each other in arguments. */
function crowdedProgram(next: () => number): string {
  const oneOf = (...list: string[]): string => list[Math.floor(next() * list.length)] ?? "";
  const name = (): string => oneOf("x", "y", "z", "n");
  const tensor = (): string =>
    oneOf("tensor(x[2]):[1,5]", "tensor(y[2])(y + 3)", `tensor(z[n])(z * ${name()})`, "m");
  const expression = (depth: number): string => {
    const part = (): string => (depth === 0 ? oneOf(tensor(), name(), "true", "2") : expression(depth - 1));
    return oneOf(
      `${oneOf("max", "min", "sum", "g", "h")}(${part()}, ${name()})`,
      `concat(${part()}, ${part()}, ${name()})`,
      `rename(${tensor()}, ${name()}, ${name()})`,
      `map_subspaces(tensor(k{}):{a:1,b:5}, f(${name()})(${part()}))`,
      `map(${tensor()}, f(${name()})(${part()}))`,
      `join(${part()}, ${part()}, f(${name()}, w)(w * ${name()}))`,
      `(${part()} + ${part()})`,
      `${tensor()}{${name()}:${oneOf("0", "1", name(), `(${name()})`)}}`,
      `sum(${part()})`,
    );
  };
  const own = ["x", "y", "z"]
    .filter(() => next() < 0.6)
    .map((each) => `${each} = ${oneOf("2", "3", "tensor(y[2]):[4,7]")}`);
  const program = ["n = 2", `m = ${oneOf("tensor(x[2],y[2])(x + 2 * y)", "5")}`, ...own];
  const more = [
    () => `g(${name()}, t) = ${oneOf("max", "min")}(${tensor()}, ${name()}) * sum(t)`,
    () => `h(t, ${name()}) = ${expression(1)}`,
    ...[3, 2, 2, 2, 1].map((depth) => () => expression(depth)),
  ];
  for (const statement of more) {
    const sound = Array.from({ length: 20 }, statement).find((each) =>
      isSound([...program, each].join("\n")),
    );
    if (sound !== undefined) program.push(sound);
  }
  return program.join("\n");
}

const isSound = (text: string): boolean => check(text).every(({ isError }) => !isError);

test.each(seeds(12))("crowded programs %d", patient, (seed) => {
  const next = uniform(seed);
  for (let program = 0; program < 10; program++) {
    const text = crowdedProgram(next);
    const names = ["x", "y", "z", "n", "m", "g", "h", "t", "w", "true", "max", "other", "k"];
    expectSame(text, names, {}, next);
  }
});

const functionText = "scale(t, d, c, n) = reduce(tensor<c>(d[n])(d) * t{d:0}, sum, d)";

test.each([
  { parameter: "d", references: 5 },
  { parameter: "c", references: 2 },
  { parameter: "n", references: 2 },
])("$parameter is found wherever it stands for something", ({ parameter, references }) => {
  const { analysis } = new ProgramDocument("text", functionText);
  const at = functionText.search(new RegExp(`\\b${parameter}\\b`));
  const edits = rename(analysis, at, "other");
  expect(edits).toHaveLength(references);
  expect("refused" in edits ? "" : edited(functionText, edits)).toBe(
    functionText.replaceAll(new RegExp(`\\b${parameter}\\b`, "g"), "other"),
  );
});

test.each([
  ["a function as one of the language that is called", "twice(a) = a * 2\nsum(twice(1))", "twice", "sum"],
  ["a parameter as a dimension beside it", "first(t) = sum(t, x)\nfirst(tensor(x[2]):[1,2])", "t)", "x"],
  ["a parameter as a cell type beside it", "first(t) = t * tensor<int8>(x[2])(1)\nfirst(1)", "t)", "int8"],
  ["a parameter as an aggregator beside it", "first(t) = reduce(t, sum)\nfirst(1)", "t)", "sum"],
])("%s is refused", (_, text, at, name) => {
  const { analysis } = new ProgramDocument("text", text);
  expect(rename(analysis, text.indexOf(at), name)).toEqual({
    refused: `${name} means something else here already`,
  });
});
