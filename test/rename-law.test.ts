import { expect, test } from "vitest";
import { compile, SphexError, type Tensor, uniform } from "../src/index.js";
import { ProgramDocument, rename, type TextEdit } from "../src/service/service.js";
import { numbersByChance, seeds } from "./chance.js";
import { programOf, sourceOf } from "./hunt/program.js";
import { patient } from "./patience.js";

/**
 * What is renamed means what it meant, or is not renamed. Programs are those of the hunt, with functions whose parameters stand for
 * dimensions, sizes and cell types. The new name is another word of the program, or one that means something in the language, so
 * that it could hide something, or be hidden.
 */
const words = [
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

test.each(seeds(80))("program %d", patient, (seed) => {
  const next = numbersByChance();
  const oneOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)];
  const program = programOf(seed);
  if (program.hosts.length > 0 || program.dialect === "vespa") return;
  const declarations = program.inputs.map(({ name, type }) => `input ${name}: ${type}`);
  const text = [...declarations, sourceOf(program)].join("\n");
  const inputs = Object.fromEntries(program.inputs.map(({ name, values: [first] }) => [name, first]));
  const before = outcomeOf(text, inputs);
  const { analysis } = new ProgramDocument("text", text);
  const own = [...text.matchAll(/[a-zA-Z_]\w*/g)].map(([name]) => name);
  for (let turn = 0; turn < 8; turn++) {
    const occurrence = oneOf(analysis.symbols.occurrences);
    const name = oneOf(next() < 0.7 ? own : words);
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
