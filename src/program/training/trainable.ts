import type { Span } from "../../language/source/span.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { InputValues } from "../inputs/inputs.js";
import type { TrainingCheckpoint } from "./checkpoint.js";

/** The objective and named values of some inputs, from which nothing is learnt. */
export interface Evaluated {
  readonly loss: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/** Is told the objective of a step, whether all that it changes is finite, and what variables become and the optimiser remembers. */
export type StepCheck = (loss: number, areFinite: boolean, changed: Readonly<Record<string, Tensor>>) => void;

/** What training needs of a program that minimises something. */
export interface Trainable {
  /** The data as tensors of the declared types. */
  readonly tensors: (data: InputValues) => ReadonlyMap<string, Tensor>;
  /** The unbound dimensions of the inputs. */
  readonly unbound: readonly string[];
  /** The mapped dimensions of the inputs, and those that all inputs with labels have. */
  readonly mapped: { readonly all: readonly string[]; readonly shared: readonly string[] };
  /** What the objective is computed from that has a dimension and is not among the data, or has a size along it: no batch has a part of it. */
  readonly fixedAlong: (dimension: string, data: ReadonlySet<string>) => Span | undefined;
  /** Computes the objective and what is assigned, and takes the latter if the check does not throw. */
  readonly step: (inputs: InputValues, step: number, rate: number, check: StepCheck) => void;
  /** The objective and named values of inputs that nothing is learnt from. */
  readonly evaluate: (inputs: InputValues, names: readonly string[]) => Evaluated;
  readonly tensorsSoFar: () => TrainingCheckpoint["tensors"];
  /** @throws SphexError where these are not the tensors that it keeps. */
  readonly restore: (tensors: TrainingCheckpoint["tensors"]) => void;
  /** Where on these inputs the first number that is not finite comes from. */
  readonly origin: (inputs: InputValues) => string | undefined;
}
