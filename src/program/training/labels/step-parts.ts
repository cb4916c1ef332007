import type { CheckedProgram } from "../../../language/check/statements/program.js";
import { below } from "../../../language/check/waiting.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { isAdded, isGradient, rateInput, type TrainingStep } from "../statements/training-text.js";

/** The names of what the two runs of a step compute whose gradients are apart. */
export interface StepParts {
  /** The gradients; none in a program of which a step is one run. */
  readonly gradients: readonly string[];
  /** What the program itself assigns to, in the run of the gradients. */
  readonly own: readonly string[];
  /** What the optimiser assigns to, which depends on the rate. */
  readonly updated: readonly string[];
}

/** The outcome of the first run. */
export interface GradientStep extends Pick<TrainingStep, "loss" | "assigned"> {
  readonly gradients: Readonly<Record<string, Tensor>>;
}

const existing = new WeakMap<CheckedProgram, StepParts>();

/** The parts of a step, found once for a program. */
export function stepParts(checked: CheckedProgram): StepParts {
  const cached = existing.get(checked);
  if (cached !== undefined) return cached;
  const gradients = [...checked.values.keys()].filter(isGradient);
  const [own, updated]: [string[], string[]] = [[], []];
  for (const [name, { node }] of checked.assignments) {
    const isOfOptimiser =
      isAdded(name) || [...below(node)].some((each) => each.op === "input" && each.name === rateInput);
    (isOfOptimiser ? updated : own).push(name);
  }
  const parts = { gradients, own, updated };
  existing.set(checked, parts);
  return parts;
}
