import type { Provenance } from "../../inspect/provenance/provenance.js";
import type { CheckedProgram } from "../../language/check/statements/program.js";
import type { Waiting } from "../../language/check/waiting.js";
import type { Node } from "../../language/core/operations.js";
import { SphexError } from "../../language/source/problem.js";
import { type Span, textIn } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { InputValues } from "../inputs/inputs.js";
import type { State, TwoRuns } from "./labels/step-by-rows.js";
import { type Beginnings, beginningsOf, located } from "./statements/beginnings.js";
import type { Trained } from "./statements/trained-variables.js";
import { type TrainingStep, trainingText } from "./statements/training-text.js";
import type { SettledOptions } from "./train-options.js";
import type { Evaluated } from "./trainable.js";

/** A program that has the statements of an optimiser. */
export interface TrainingProgram {
  readonly inputs: ReadonlyMap<string, TensorType>;
  /** The tensors that are retained from step to step. */
  readonly retained: ReadonlyMap<string, TensorType>;
  readonly tensors: (data: InputValues) => ReadonlyMap<string, Tensor>;
  /** What a name stands for. */
  readonly value: (name: string) => Node | undefined;
  readonly waiting: Waiting | undefined;
  /** What is computed of some inputs, whose sizes may decide how. */
  readonly on: (inputs: InputValues) => TrainingRuns;
}

/** What is computed of the inputs of a step, or of a validation. */
export interface TrainingRuns extends TwoRuns {
  readonly step: (rate: number, state: State, random: () => number) => TrainingStep;
  /** Named values of a step. */
  readonly values: (names: readonly string[], state: State, random: () => number) => readonly Tensor[];
  /** The objective, and named values. */
  readonly evaluate: (names: readonly string[], state: State, random: () => number) => Evaluated;
  /** Where the first number of the objective comes from that is not finite. */
  readonly origin: (state: State) => string | undefined;
}

/** A program with more statements, and the functions of the language that these call: the program may not define them itself. */
export type Extend<T> = (statements: string, called: ReadonlySet<string>) => T;

/** Programs that no text of the language stands for minimise nothing. */
export const withoutText = (): never => {
  throw new Error("a program without a text cannot have more statements");
};

/**
 * A program with the statements of an optimiser, and how labels begin in it.
 * @throws SphexError where an expression for the labels that begin is wrong.
 */
export function trainingProgramOf(
  checked: CheckedProgram,
  extended: Extend<TrainingProgram>,
  { objective, variables }: Trained,
  { optimiser, clip, l2, labels = {} }: SettledOptions,
): { readonly program: TrainingProgram; readonly beginnings: Beginnings } {
  const beginnings = beginningsOf(checked, labels);
  const textWith = (text: (span: Span) => string): string => {
    const begun = Object.fromEntries([...beginnings].map(([name, span]) => [name, text(span)]));
    return trainingText(textIn(objective.span), variables, { optimiser, clip, l2, labels: begun });
  };
  // What the program itself says of how labels begin may call its own functions.
  const ownText = textWith(() => "0");
  const called = Array.from(ownText.matchAll(/\b\w+(?=\()/g), ([name]) => name);
  const statements = textWith(textIn);
  const inPlace = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      throw located(error, statements, variables, beginnings, objective.span);
    }
  };
  const program = inPlace(() => extended(statements, new Set(called)));
  // Sizes that only a run has bring some problems to light.
  const on: TrainingProgram["on"] = (inputs) => inPlace(() => program.on(inputs));
  return { program: { ...program, on }, beginnings };
}

/** The expression from which a number that is not finite first comes. */
export function originIn(provenance: Provenance): string | undefined {
  const { arises, sources } = provenance.notFinite({});
  return arises?.cell.text ?? sources[0]?.cell.text;
}
