import { backends } from "../../src/backends/backends.js";
import { compile } from "../../src/program/compile.js";
import type { Options } from "../../src/program/options.js";
import type { Program } from "../../src/program/program.js";
import { backendProblems } from "../../src/program/runs/chosen-backend.js";
import { inTurn } from "./in-turn.js";
import { sourceOf } from "./program.js";
import { limits, outcomeOf, type Subject } from "./runs.js";
import type { Way } from "./way.js";

/** Ways to run a program as it was written, where it waits for the sizes of the inputs of a run. */
export const waysWithOpenSizes: readonly Way[] = [
  {
    name: "with open sizes",
    oneOf: 1,
    answers: (subject) => {
      const program = withOpenSizes(subject);
      return program === undefined
        ? []
        : inTurn(subject, [0, 1, 2], (values) => program.runAll(values).results);
    },
  },
  {
    // Between runs that are compared are some on inputs of other sizes.
    name: "with open sizes, prepared",
    oneOf: 1,
    answers: (subject, choice) => {
      const program = withOpenSizes(subject);
      if (program === undefined) return [];
      const prepared = program.prepare(subject.inputs(choice.oneOf([0, 1, 2] as const)));
      return inTurn(subject, [0, 1, 2, 0], (inputs) => {
        outcomeOf(() => prepared.runAll(subject.inputsOfOtherSizes));
        return prepared.runAll(inputs);
      });
    },
  },
  {
    name: "with open sizes, in a session",
    oneOf: 1,
    answers: (subject, choice) => {
      const backend = choice.oneOf(backends);
      if (backendProblems(subject.checked, { backend }).length > 0) return [];
      const session = withOpenSizes(subject, { backend })?.session();
      if (session === undefined) return [];
      return inTurn(subject, [0, 1, 2, 0], (inputs) => {
        outcomeOf(() => session.runAll(subject.inputsOfOtherSizes).results);
        return session.runAll(inputs).results;
      });
    },
  },
];

/** The program as it was written, where it waits for the sizes of the inputs of a run. */
function withOpenSizes({ unsized, dialect }: Subject, options: Options = {}): Program | undefined {
  if (unsized === undefined || unsized.hosts.length > 0) return undefined;
  const inputs = Object.fromEntries(unsized.inputs.map(({ name, type }) => [name, type]));
  return compile(sourceOf(unsized), { inputs, dialect, limits, ...options });
}
