import { expect, test } from "vitest";
import { compile, type Program, SphexError, type Tensor } from "../../src/index.js";
import { seeds } from "../chance.js";
import { Choice } from "../hunt/choice.js";
import { withGradients } from "../hunt/gradients.js";
import { programOf, sourceOf } from "../hunt/program.js";
import { unlessRefused } from "../problem-codes.js";

/** What `expand` prints of programs of the hunt, and of their derivatives, is a program of the same value. */

interface Subject {
  readonly declarations: string;
  readonly program: Program;
  readonly inputs: Readonly<Record<string, Tensor>>;
}

/** The program of a seed; nothing where it is none of the formalism, or needs more than its inputs. */
function subjectOf(seed: number): Subject | undefined {
  const own = programOf(seed);
  const hunted = seed % 2 === 0 ? withGradients(own, new Choice(seed)) : own;
  const source = sourceOf(hunted);
  const needsMore = hunted.hosts.length > 0 || hunted.definitions.some(({ role }) => role !== undefined);
  if (hunted.dialect === "vespa" || needsMore || /random/.test(source)) return undefined;
  const declarations = hunted.inputs.map(({ name, type }) => `input ${name}: ${type}\n`).join("");
  const inputs = Object.fromEntries(hunted.inputs.map(({ name, values: [first] }) => [name, first]));
  const program = unlessRefused(() => compile(declarations + source, { backend: "reference" }));
  return program && { declarations, program, inputs };
}

/** The results in core functions; nothing where these cannot say one, such as that a size is not known. */
const textsOf = (program: Program): readonly string[] | undefined =>
  unlessRefused(() => program.results.map((_, result) => program.primitive({ result })));

/** The cells of each result; the problems of a run that has none. */
function cellsOf(program: Program, inputs: Subject["inputs"]): readonly unknown[] {
  try {
    const own = Object.entries(inputs).filter(([name]) => program.inputs.has(name));
    return program.runAll(Object.fromEntries(own)).results.map(({ type, sizes, labels, data }) => {
      return { type: `${type}`, sizes, labels, data: [...data] };
    });
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code);
    throw error;
  }
}

test("a program in core functions has the values of the program", () => {
  let count = 0;
  for (const seed of seeds(150)) {
    const subject = subjectOf(seed);
    if (subject === undefined) continue;
    const { declarations, program, inputs } = subject;
    const texts = textsOf(program);
    if (texts === undefined) continue;
    const expanded = compile(declarations + texts.join(";\n"), { backend: "reference" });
    expect({ seed, values: cellsOf(expanded, inputs) }).toEqual({ seed, values: cellsOf(program, inputs) });
    count += texts.length;
  }
  expect(count).toBeGreaterThan(100);
});

test("a generator that was in a lambda is printed outside of it", () => {
  const text = "input t: tensor(k{})\ngradient(sum(map_subspaces(t, f(b)(tensor(x[3])(x)))) * sum(t), t)";
  const expanded = compile(`input t: tensor(k{})\n${compile(text).primitive()}`);
  expect(`${expanded.run({ t: "tensor(k{}):{a:1,b:2}" })}`).toBe("tensor(k{}):{a:6.0, b:6.0}");
});
