import { cellTypes } from "../../src/language/types/cell.js";
import { Tensor } from "../../src/language/values/tensor.js";
import type { Choice } from "./choice.js";
import { nearlyFull } from "./memory.js";
import { type Outcome, outcomeOf, type Run, type Subject } from "./runs.js";

/** What one run of a way gave: on which inputs, and what came of it. */
export interface Answer {
  readonly run: Run;
  readonly outcome: Outcome;
}

/** A way to run a program. */
export interface Way {
  readonly name: string;
  /** One program of so many is run so. */
  readonly oneOf: number;
  /** Whether it gives the last result alone. */
  readonly isLast?: boolean;
  readonly answers: (subject: Subject, choice: Choice) => readonly Answer[];
}

/** Runs on these inputs in turn; what came of each is read at the end, when later runs may have changed it. */
const inTurn = (
  subject: Subject,
  runs: readonly Run[],
  run: (inputs: Record<string, Tensor>) => readonly Tensor[],
): Answer[] => {
  const outcomes = runs.map((each) => outcomeOf(() => run(subject.inputs(each))));
  return outcomes.map((outcome, at) => ({ run: runs[at] ?? 0, outcome: read(outcome) }));
};

/** An outcome with its cells read: what cannot be read is a crash. */
const read = (outcome: Outcome): Outcome =>
  outcome.kind === "values" ? outcomeOf(() => outcome.values.map((value) => copyOf(value))) : outcome;

/** A tensor with cells of its own, or with these. */
const copyOf = ({ type, sizes, labels, data }: Tensor, cells: Tensor["data"] = data.slice()): Tensor =>
  new Tensor(type, sizes, labels, cells);

export const ways: readonly Way[] = [
  {
    name: "closures",
    oneOf: 3,
    answers: (subject) => {
      const program = subject.compiled({ backend: "closures" });
      return inTurn(subject, [0], (inputs) => program.runAll(inputs).results);
    },
  },
  {
    name: "engine, layouts in turn",
    oneOf: 1,
    answers: (subject) => {
      const program = subject.compiled({ backend: "engine" });
      return inTurn(subject, [0, 1, 2, 0], (inputs) => program.runAll(inputs).results);
    },
  },
  {
    name: "prepared, layouts in turn",
    oneOf: 4,
    answers: (subject) => {
      const prepared = subject.compiled({ backend: "engine" }).prepare();
      return inTurn(subject, [0, 2, 1, 0, 1], (inputs) => prepared.runAll(inputs));
    },
  },
  {
    name: "prepared, results disposed",
    oneOf: 12,
    answers: (subject) => {
      const prepared = subject.compiled({ backend: "engine" }).prepare();
      return inTurn(subject, [0, 2, 0, 1, 2], (inputs) => {
        const values = prepared.runAll(inputs);
        const copies = values.map((value) => copyOf(value));
        for (const value of values) value.dispose();
        return copies;
      });
    },
  },
  {
    name: "prepared, with fixed inputs",
    oneOf: 8,
    answers: (subject) => {
      const names = subject.program.inputs.map(({ name }) => name).filter((_, at) => at % 2 === 0);
      const fixed = Object.fromEntries(names.map((name) => [name, subject.inputs(0)[name] ?? 0]));
      const prepared = subject.compiled({ backend: "engine" }).prepare(fixed);
      return inTurn(subject, [0, 0, 2, 1, 0], (inputs) => prepared.runAll(inputs));
    },
  },
  {
    name: "not optimised",
    oneOf: 4,
    answers: (subject) => {
      const program = subject.compiled({ backend: "engine", optimise: false });
      return inTurn(subject, [0, 2], (inputs) => program.runAll(inputs).results);
    },
  },
  {
    name: "once",
    isLast: true,
    oneOf: 6,
    answers: (subject) => {
      const program = subject.compiled({ backend: "engine" });
      return inTurn(subject, [0, 1], (inputs) => [program.runOnce(inputs)]);
    },
  },
  {
    name: "into an array",
    isLast: true,
    oneOf: 12,
    answers: (subject) => {
      const prepared = subject.compiled({ backend: "engine" }).prepare();
      return inTurn(subject, [0, 2, 1], (inputs) => {
        const last = prepared.runAll(inputs).at(-1);
        if (last === undefined) return [];
        const into = cellTypes[last.type.cellType].allocate(last.data.length);
        prepared.run(inputs, { into });
        return [copyOf(last, into)];
      });
    },
  },
  {
    name: "memory nearly full",
    oneOf: 15,
    answers: (subject, choice) =>
      nearlyFull(choice.oneOf([0, 200, 1000, 3000, 10_000]), () => {
        const program = subject.compiled({ backend: "engine" });
        return inTurn(subject, [0, 1, 2], (inputs) => program.runAll(inputs).results);
      }),
  },
];
