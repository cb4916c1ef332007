import type { CheckedProgram } from "../../language/check/statements/program.js";
import type { InputValues } from "../inputs/inputs.js";
import type { State } from "../training/labels/step-by-rows.js";
import { rateInput } from "../training/statements/training-text.js";
import type { TrainingProgram } from "../training/training-program.js";
import type { Execution, OwnRun } from "./execution.js";
import { retainedTypes } from "./initial-values.js";
import type { Run } from "./run.js";

/** How training runs a program, which has the statements of an optimiser; it is told where numbers that are not finite come from. */
export function trainingRuns(
  checked: CheckedProgram,
  execution: Execution,
  origin: (inputs: InputValues, state: State) => string | undefined,
): TrainingProgram {
  const { declared, values, waiting } = checked;
  const run = (inputs: InputValues, before: State, own: OwnRun = {}): Run =>
    execution.run(execution.read(inputs), execution.plans, { before, ...own });
  return {
    inputs: new Map(
      [...declared].flatMap(([name, { role, type }]) => (role === "input" ? [[name, type]] : [])),
    ),
    retained: retainedTypes(checked),
    tensors: (data) => execution.tensors(data),
    value: (name) => values.get(name),
    waiting,
    on: (inputs) => ({
      step: (rate, state, random) =>
        execution.finish(run({ ...inputs, [rateInput]: rate }, state, { random }).trainingStep()),
      gradients: (state, random) => execution.finish(run(inputs, state, { random }).gradients()),
      update: (touched, state) => execution.finish(run(touched, state).update()),
      values: (names, state, random) => execution.finish(run(inputs, state, { random }).allNamed(names)),
      evaluate: (names, state, random) => execution.finish(run(inputs, state, { random }).judged(names)),
      origin: (state) => origin(inputs, state),
    }),
  };
}
