import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  compile,
  numberText,
  parseTensor,
  type Results,
  SphexError,
  type Tensor,
} from "../../../src/index.js";
import { operatorSymbols } from "../../../src/language/scalar/operators.js";
import { seeds } from "../../chance.js";
import { command } from "../../command.js";
import { Choice } from "../../hunt/choice.js";
import { type Program as HuntedProgram, programOf, sourceOf } from "../../hunt/program.js";

/**
 * Programs of the hunt as application packages: each is exported, is sound, and scores a document with the values that the
 * program has.
 */
const { run, folder } = command();

interface Subject {
  readonly text: string;
  readonly inputs: Readonly<Record<string, Tensor>>;
  readonly results: Results["results"];
}

/** A program whose inputs are those of a query; absent where Vespa has no such program. */
function subjectOf(program: HuntedProgram): Subject | undefined {
  const { definitions, inputs } = program;
  const source = sourceOf(program);
  const isBound = inputs.every(({ type }) => type.isBound);
  if (!isBound || /\brandom\b/.test(source) || definitions.some(({ role }) => role !== undefined))
    return undefined;
  const text = [
    ...inputs.map(({ name, type }) => `input query(${name}): ${type}`),
    source.replace(/\bt\d\b/g, (name) => `query(${name})`),
  ].join("\n");
  const values = Object.fromEntries(inputs.map(({ name, values: [first] }) => [`query(${name})`, first]));
  try {
    return { text, inputs: values, results: compile(text, { dialect: "vespa" }).runAll(values).results };
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

async function exported({ text, inputs }: Subject): Promise<readonly Tensor[]> {
  const query = Object.entries(inputs).map(([name, value]) => [`input.${name}`, `${value}`]);
  rmSync(join(folder, "app"), { recursive: true, force: true });
  writeFileSync(join(folder, "p.sphex"), text);
  writeFileSync(join(folder, "query.json"), JSON.stringify(Object.fromEntries(query)));
  writeFileSync(join(folder, "document.json"), JSON.stringify({ fields: {} }));
  expect(await run(["export", "vespa", "p.sphex", "--out", "app"])).toMatchObject({ code: 0, err: "" });
  expect((await run(["check", "app"])).err).toContain("0 errors");
  const options = ["--document", "document.json", "--query", "query.json", "--json"];
  const { code, out } = await run(["score", "app", ...options]);
  expect(code).toBe(0);
  const functions = Object.entries<number | string | { value: string }>(JSON.parse(out).functions);
  return functions.filter(([name]) => name.startsWith("result")).map(([, value]) => tensorOf(value));
}

/** NaN and infinities are texts in JSON. */
function tensorOf(value: number | string | { value: string }): Tensor {
  if (typeof value === "object") return parseTensor(value.value);
  return parseTensor(`tensor():{${typeof value === "number" ? numberText(value) : value}}`);
}

test("score as what they were", async () => {
  let compared = 0;
  for (const seed of seeds(40)) {
    const subject = subjectOf(programOf(seed));
    if (subject === undefined) continue;
    const found = await exported(subject);
    expect(found.map(String), `the program of seed ${seed}:\n${subject.text}`).toEqual(
      subject.results.map(String),
    );
    compared += found.length;
  }
  expect(compared).toBeGreaterThan(5);
});

/** An expression of numbers, in which operators stand beside each other, with or without parentheses. */
function row(choice: Choice, depth: number): string {
  const operand = (): string => {
    const kind = depth === 0 ? choice.below(2) : choice.below(7);
    if (kind < 2) return choice.oneOf(["query(a)", "query(b)", "query(c)", "0", "1", "2", "3", "60", "0.5"]);
    const inner = row(choice, depth - 1);
    return choice.oneOf([`(${inner})`, `(${inner})`, `-(${inner})`, `!(${inner})`, `sqrt(${inner})`]);
  };
  const operands = Array.from({ length: choice.between(2, 4) }, operand);
  return operands.reduce((left, right) => `${left} ${choice.oneOf(operatorSymbols)} ${right}`);
}

test("numbers score as what they were, though Vespa computes constants first", async () => {
  let compared = 0;
  for (const seed of seeds(4)) {
    const choice = new Choice(seed);
    const numbers = { a: choice.oneOf([7200, -3]), b: choice.oneOf([0, 0.25]), c: 1e300 };
    const inputs = Object.fromEntries(
      Object.entries(numbers).map(([name, value]) => [`query(${name})`, parseTensor(`tensor():{${value}}`)]),
    );
    const declared = Object.keys(inputs).map((name) => `input ${name}: tensor()`);
    const text = [...declared, ...Array.from({ length: 60 }, () => row(choice, 1))].join("\n");
    const { results } = compile(text, { dialect: "vespa" }).runAll(inputs);
    const found = await exported({ text, inputs, results });
    const lines = text.split("\n").slice(declared.length);
    for (const [at, line] of lines.entries())
      expect(`${found[at]}`, `${line} of ${JSON.stringify(numbers)}`).toBe(`${results[at]}`);
    compared += found.length;
  }
  expect(compared).toBeGreaterThan(200);
});
