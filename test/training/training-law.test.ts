import { expect, test } from "vitest";
import { compile, type Program, SphexError, Tensor } from "../../src/index.js";
import { seeds } from "../chance.js";
import { isOfSmallCells, type SmoothProgram, smoothProgram } from "../differentiate/smooth-programs.js";
import { unlessRefused } from "../problem-codes.js";

/**
 * Training of the programs of the hunt takes the steps that their gradients say, by the reference and one step after the other: with
 * variables of all kinds in the bodies of all operations.
 */

const rate = 1 / 128;
const epochs = 3;

/** What becomes a variable: it needs a size along each dimension. */
const variablesOf = ({ inputs }: SmoothProgram, seed: number): readonly string[] =>
  Object.entries(inputs)
    .filter(([, { type, data }], at) => type.isBound && data.length > 0 && (seed + at) % 3 > 0)
    .map(([name]) => name);

interface Trained {
  readonly text: string;
  readonly loss: Program;
  readonly gradients: readonly Program[];
  readonly variables: readonly string[];
}

/** A training of the first result, of one item; nothing where a derivative is refused. */
function trainedOf(program: SmoothProgram, seed: number): Trained | undefined {
  const { definitions, results, inputs } = program;
  const variables = variablesOf(program, seed);
  // Variables of the program itself would be trained, too.
  if (variables.length === 0 || /^variable/m.test(definitions)) return undefined;
  const loss = `loss = sum(map(${results[0]}, f(v)(sin(v)))) * sum(item)\n`;
  const declarations = (isVariable: (name: string) => boolean): string =>
    Object.entries(inputs)
      .map(([name, tensor]) =>
        isVariable(name)
          ? `variable ${name}: ${tensor.type} = ${tensor}\n`
          : `input ${name}: ${tensor.type}\n`,
      )
      .join("");
  const before = `input item: tensor(item[])\n${declarations(() => false)}${definitions}${loss}`;
  const minimised = `input item: tensor(item[])\n${declarations((name) => variables.includes(name))}${definitions}${loss}minimise loss`;
  return unlessRefused(() => ({
    text: minimised,
    loss: byReference(`${before}loss`),
    gradients: variables.map((name) => byReference(`${before}gradient(loss, ${name})`)),
    variables,
  }));
}

const byReference = (text: string): Program => compile(text, { backend: "reference" });

const item = [1];

/** The variables after some steps; nothing where one has gone far, or what is minimised is no finite number. */
function byGradients(
  { loss, gradients, variables }: Trained,
  inputs: Readonly<Record<string, Tensor>>,
): Readonly<Record<string, Tensor>> | undefined {
  let current = inputs;
  for (let epoch = 0; epoch < epochs; epoch++) {
    if (!Number.isFinite(loss.run({ ...current, item }).asNumber())) return undefined;
    const next = gradients.map((gradient, at): [string, Tensor] => {
      const name = variables[at] ?? "";
      return [name, stepped(variableOf(current, name), gradient.run({ ...current, item }))];
    });
    current = { ...current, ...Object.fromEntries(next) };
    // Where steps are large, a cell that is rounded otherwise is soon another.
    if (!next.every(([, { data }]) => [...data].every((cell) => Math.abs(Number(cell)) < 10)))
      return undefined;
  }
  return Object.fromEntries(variables.map((name) => [name, variableOf(current, name)]));
}

function variableOf(tensors: Readonly<Record<string, Tensor>>, name: string): Tensor {
  const tensor = tensors[name];
  if (tensor === undefined) throw new Error("each variable has a value");
  return tensor;
}

/** A variable, moved against its gradient, which has its addresses. */
function stepped(variable: Tensor, gradient: Tensor): Tensor {
  const { type, sizes, labels } = variable;
  const cells = [...variable.cells()].map(
    ({ address, value }) => value - rate * (gradient.get(address) ?? Number.NaN),
  );
  return Tensor.of(type, sizes, labels, Float64Array.from(cells));
}

/** The variables after a training, or as they were where none moves what is minimised; the codes of problems where it is refused. */
async function byTraining(
  { inputs }: SmoothProgram,
  { text, variables }: Trained,
  backend: "engine" | "closures",
) {
  try {
    const data = Object.fromEntries(Object.entries(inputs).filter(([name]) => !variables.includes(name)));
    const session = compile(text, { backend }).session();
    const options = { data: { ...data, item }, dimension: "item", epochs, rate, optimiser: "sgd" } as const;
    for await (const _ of session.train(options));
    return Object.fromEntries(variables.map((name) => [name, session.get(name)]));
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    const codes = `${error.problems.map(({ code }) => code)}`;
    return codes === "train/no-variable" ? inputs : codes;
  }
}

const cellsOf = (tensors: Readonly<Record<string, Tensor>>): readonly (readonly [string, number])[] =>
  Object.entries(tensors).flatMap(([name, tensor]) =>
    [...tensor.cells()].map(
      ({ address, value }) => [`${name} at ${JSON.stringify(address)}`, value] as const,
    ),
  );

test("a training of programs of the hunt takes the steps that their gradients say", async () => {
  let count = 0;
  for (const seed of seeds(200)) {
    // Of large cells a sine is another where its argument is rounded otherwise.
    if (!isOfSmallCells(seed)) continue;
    const program = smoothProgram(seed);
    const trained = program && trainedOf(program, seed);
    if (program === undefined || trained === undefined) continue;
    const expected = byGradients(trained, program.inputs);
    if (expected === undefined) continue;
    const got = await byTraining(program, trained, seed % 4 < 2 ? "engine" : "closures");
    if (typeof got === "string") {
      expect({ seed, text: trained.text, got }).toBe(undefined);
      continue;
    }
    const cells = new Map(cellsOf(got));
    const wrong = cellsOf(expected).filter(
      ([address, value]) =>
        !(Math.abs((cells.get(address) ?? Number.NaN) - value) <= 1e-8 * (1 + Math.abs(value))),
    );
    expect({ seed, text: trained.text, wrong }).toEqual({ seed, text: trained.text, wrong: [] });
    count++;
  }
  expect(count).toBeGreaterThan(20);
});
