import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compile, parseTensor, type Results, SphexError, type Tensor } from "../src/index.js";
import { seeds } from "./chance.js";
import { command } from "./command.js";
import { type Program as HuntedProgram, programOf, sourceOf } from "./hunt/program.js";

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
  // Beside a constant, deployed conditions are choices, `-1 && x` is x: exports do not guard against that yet.
  if (/&&|\|\|/.test(source)) return undefined;
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
  const functions = Object.entries<number | { value: string }>(JSON.parse(out).functions);
  return functions
    .filter(([name]) => name.startsWith("result"))
    .map(([, value]) => parseTensor(typeof value === "object" ? value.value : `tensor():{${value}}`));
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
