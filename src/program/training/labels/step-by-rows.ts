import type { CheckedProgram } from "../../../language/check/statements/program.js";
import type { Tensor } from "../../../language/values/tensor.js";
import type { InputValues } from "../../inputs/inputs.js";
import type { OptimiserName } from "../statements/optimisers.js";
import {
  rateInput,
  type TrainedVariable,
  type TrainingStep,
  tensorsByGradient,
} from "../statements/training-text.js";
import { type MetVariable, metVariables, withMetRows } from "./met-rows.js";
import type { GradientStep } from "./step-parts.js";
import { touchedBy } from "./touched-rows.js";

/** Variables and what is retained besides, by name. */
export type State = ReadonlyMap<string, Tensor>;

/** The runs of a step that is two. */
export interface TwoRuns {
  /** The first run: the objective and the gradients. */
  readonly gradients: (state: State, random: () => number) => GradientStep;
  /** The second, of inputs that have what the gradients touch. */
  readonly update: (inputs: InputValues, state: State) => Omit<TrainingStep, "loss">;
}

/** Of which tensors a step needs rows alone, where variables have labels. */
export interface StepRows {
  /** Those that its data meet. */
  readonly met: readonly MetVariable[];
  /** Those that change where a gradient touches them. */
  readonly byGradient: ReadonlyMap<string, readonly string[]>;
}

/** The same for a program; nothing where no variable has labels, so that a step is one run. */
export function rowsOf(
  { objective, assignments, waiting }: CheckedProgram,
  variables: readonly TrainedVariable[],
  optimiser: OptimiserName,
): StepRows | undefined {
  const byGradient = tensorsByGradient(variables, optimiser);
  if (objective === undefined || byGradient.size === 0) return undefined;
  const roots = [objective, ...assignments.values()].map(({ node }) => node);
  const names = variables.map(({ name }) => name);
  return { met: metVariables(names, roots, waiting), byGradient };
}

interface StepByRows {
  readonly inputs: InputValues;
  readonly rate: number;
  readonly state: State;
  readonly random: () => number;
}

/**
 * A step in two runs: the gradients, of what the data meet, and what follows from the rows that they touch. So it takes time for the rows
 * of its data, but for copies of what keeps its other rows, and the second run is planned once for many steps.
 */
export function stepByRows(
  runs: TwoRuns,
  { met, byGradient }: StepRows,
  { inputs, rate, state, random }: StepByRows,
): TrainingStep {
  const { loss, gradients, assigned } = runs.gradients(withMetRows(state, met, inputs), random);
  const touched = touchedBy(gradients, byGradient);
  const updateInputs = { [rateInput]: rate, ...touched.inputs };
  const { areFinite, assigned: updated } = runs.update(updateInputs, touched.of(state));
  return { loss, areFinite, assigned: { ...assigned, ...touched.changed(state, updated) } };
}
