import type { ScalarName } from "../../scalar/functions.js";

/** Makes scalars of others: what computes one by a builder is written once, whether nodes or a text come of it. */
export interface ScalarBuilder<Value> {
  readonly number: (value: number) => Value;
  readonly apply: (name: ScalarName, values: readonly Value[]) => Value;
  readonly select: (condition: Value, yes: Value, no: Value) => Value;
  /** 1 where the value equals one of the items: numbers, or texts, which stand for their hashes. */
  readonly isAmong: (value: Value, items: readonly (number | string)[]) => Value;
  /** From the left; 0 for none. */
  readonly sum: (values: readonly Value[]) => Value;
}

/** A scalar of the inputs of a model, by any builder. */
export type BuildScalar = <Value>(inputs: readonly Value[], build: ScalarBuilder<Value>) => Value;
