import type { Node } from "../../../language/core/operations.js";
import type { Span } from "../../../language/source/span.js";
import { Tensor } from "../../../language/values/tensor.js";
import type { InputValues } from "../../inputs/inputs.js";
import type { Beginnings } from "../statements/beginnings.js";
import { begunValue, firstValue, type TrainedVariable } from "../statements/training-text.js";
import type { TrainingProgram } from "../training-program.js";
import { hasLabelsOf, labelSources } from "./label-sources.js";
import type { State } from "./step-by-rows.js";

/** A variable in which labels begin. */
export interface BegunVariable {
  readonly name: string;
  /** The labels that may begin. */
  readonly first: Node | undefined;
  /** The named value that has the variable with the labels that begin in a step. */
  readonly value: string;
  /** The tensors that labels come from; nothing where some may come from elsewhere. */
  readonly sources: readonly string[] | undefined;
  /** The expression as it was written: its nodes have spans in the program that training made. */
  readonly span: Span;
}

/** The variables of a program in which labels begin. */
export function begunVariables(
  program: TrainingProgram,
  variables: readonly TrainedVariable[],
  beginnings: Beginnings,
): readonly BegunVariable[] {
  return variables.flatMap(({ name }, at) => {
    const span = beginnings.get(name);
    if (span === undefined) return [];
    const first = program.value(firstValue(at));
    return [{ name, first, value: begunValue(at), sources: first && sourcesOf(first), span }];
  });
}

function sourcesOf(first: Node): readonly string[] | undefined {
  const [dimension, ...more] = first.type.mapped;
  return dimension === undefined || more.length > 0 ? undefined : labelSources(first, dimension.name);
}

/** Whether a variable has all labels that tensors have which its labels come from; not where there are none of them. */
export function isComplete({ name, sources }: BegunVariable, inputs: InputValues, state: State): boolean {
  const variable = state.get(name);
  const others = sources?.map((source) => inputs[source] ?? state.get(source)) ?? [];
  const tensors = others.filter((each) => each instanceof Tensor);
  const areAll = sources !== undefined && tensors.length === others.length;
  return areAll && variable !== undefined && hasLabelsOf(variable, tensors);
}
