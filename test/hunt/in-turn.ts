import { Tensor } from "../../src/language/values/tensor.js";
import { type Answer, type Outcome, outcomeOf, type Run, type Subject } from "./runs.js";

/** Runs on these inputs in turn; what came of each is read at the end, when later runs may have changed it. */
export const inTurn = (
  subject: Subject,
  runs: readonly Run[],
  run: (inputs: Record<string, Tensor>, each: Run) => readonly Tensor[],
): Answer[] => {
  return answersOf(runs, (each) => run(subject.inputs(each), each));
};

export const answersOf = (runs: readonly Run[], values: (run: Run) => readonly Tensor[]): Answer[] => {
  const outcomes = runs.map((each) => outcomeOf(() => values(each)));
  return outcomes.map((outcome, at) => ({ run: runs[at] ?? 0, outcome: read(outcome) }));
};

/** An outcome with its cells read: what cannot be read is a crash. */
export const read = (outcome: Outcome): Outcome =>
  outcome.kind === "values" ? outcomeOf(() => outcome.values.map((value) => copyOf(value))) : outcome;

/** A tensor with cells of its own, or with these. */
export const copyOf = ({ type, sizes, labels, data }: Tensor, cells: Tensor["data"] = data.slice()): Tensor =>
  Tensor.of(type, sizes, labels, cells);
