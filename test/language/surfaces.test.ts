import { describe, expect, test } from "vitest";
import { compile, format, type Program, SphexError, type Tensor } from "../../src/index.js";
import { seeds } from "../chance.js";
import { type Program as HuntedProgram, programOf, sourceOf } from "../hunt/program.js";
import { contents } from "../same.js";

/**
 * What shows or rewrites a program keeps what it means: the programs of the hunt, which nest without end, laid out by `fmt`,
 * written in core functions, explained, and asked why.
 */

const limits = { cells: 200_000, steps: 2_000_000 };

interface Subject {
  readonly hunted: HuntedProgram;
  readonly text: string;
  readonly program: Program;
  readonly inputs: Readonly<Record<string, Tensor>>;
  readonly results: readonly Tensor[];
}

const compiled = ({ dialect, inputs }: HuntedProgram, text: string): Program =>
  compile(text, {
    dialect,
    limits,
    inputs: Object.fromEntries(inputs.map(({ name, type }) => [name, type])),
  });

/** The program of a seed with its values; absent where it has none, or other ones each time. */
function subjectOf(seed: number): Subject | undefined {
  const hunted = programOf(seed);
  const text = sourceOf(hunted);
  if (/\brandom\b/.test(text)) return undefined;
  const inputs = Object.fromEntries(hunted.inputs.map(({ name, values }) => [name, values[0]]));
  try {
    const program = compiled(hunted, text);
    return { hunted, text, program, inputs, results: program.runAll(inputs).results };
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

interface Surface {
  readonly name: string;
  readonly check: (subject: Subject) => void;
}

const surfaces: readonly Surface[] = [
  {
    name: "laid out",
    check: ({ hunted, text, inputs, results }) => {
      const laidOut = format({ name: "program", text }).text ?? "";
      expect(format({ name: "program", text: laidOut }).text).toBe(laidOut);
      expectSame(compiled(hunted, laidOut).runAll(inputs).results, results);
    },
  },
  {
    name: "in core functions",
    check: ({ hunted, program, inputs, results }) => {
      // What a session keeps has a name in core functions too, and no value there.
      if (hunted.dialect === "vespa" || hunted.definitions.some(({ role }) => role !== undefined)) return;
      const texts = results.map((_, result) => program.primitive({ result }));
      expectSame(
        texts.map((each) => compiled(hunted, each).run(inputs)),
        results,
      );
    },
  },
  {
    name: "explained",
    check: ({ program, inputs, results }) => {
      const { results: explained, nodes } = program.explain(inputs);
      expect(explained.map(({ node }) => `${nodes[node]?.type}`)).toEqual(
        program.results.map(({ type }) => `${type}`),
      );
      expect(explained.length).toBe(results.length);
    },
  },
  {
    name: "asked why",
    check: ({ program, inputs, results }) => {
      for (const [result, tensor] of results.entries()) {
        for (const { address, value } of [...tensor.cells()].slice(0, 3)) {
          const [step] = program.why(address, inputs, { result }).steps;
          expect(step?.value).toBe(value);
        }
      }
    },
  },
];

const expectSame = (found: readonly Tensor[], expected: readonly Tensor[]): void =>
  expect(found.map(contents)).toEqual(expected.map(contents));

/** Programs that have values, by their seeds. */
const subjects = (() => {
  let cached: readonly { readonly seed: number; readonly subject: Subject }[] | undefined;
  return () => {
    const all = seeds(150);
    cached ??= all.flatMap((seed) => {
      const subject = subjectOf(seed);
      return subject === undefined ? [] : [{ seed, subject }];
    });
    expect(cached.length).toBeGreaterThan(all.length / 2);
    return cached;
  };
})();

describe.each(surfaces)("$name", ({ check }) => {
  test("means the same", () => {
    for (const { seed, subject } of subjects()) {
      try {
        check(subject);
      } catch (cause) {
        // What explains a program computes every part of it, also those that the engine does without.
        if (cause instanceof SphexError && cause.problems.every(({ code }) => code.startsWith("limit/")))
          continue;
        throw new Error(`the program of seed ${seed}:\n${subject.text}`, { cause });
      }
    }
  });
});
