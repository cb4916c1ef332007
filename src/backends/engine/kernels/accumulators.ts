import type { Numbers } from "./numbers.js";
import type { StackValue } from "./scope.js";

/**
 * How values become one while a kernel walks over the folded axes. There are so many accumulators as values come at a
 * step: one, or one for each vector, and then either each is a result, or all are folded together at the end.
 */
export interface FoldWriter {
  /** After so many steps at most `flush` must be called. */
  readonly chain: number;
  readonly begin: () => void;
  /** With just one accumulator: goes on where an earlier call ended, from its total, and for a sum what that lacked. */
  readonly resume: (total: StackValue, error: StackValue) => void;
  /** Folds a value into each accumulator, or into as many as there are values. */
  readonly step: (values: readonly StackValue[]) => void;
  readonly flush: () => void;
  /** What has come of it, as numbers of a form of its own. */
  readonly finish: () => Folded;
}

export interface Folded {
  readonly numbers: Numbers;
  readonly totals: readonly StackValue[];
  /** What rounding has taken from sums, to be added back. */
  readonly errors?: readonly StackValue[];
}

export interface FoldOptions {
  /** The form of the values. */
  readonly numbers: Numbers;
  readonly accumulators: number;
  /** How many values an accumulator gets. */
  readonly steps: number;
  /** Whether all accumulators are one result. */
  readonly isJoined: boolean;
}

/** All values as one, in pairs; there is one at least. */
export function joined(
  values: readonly StackValue[],
  join: (one: StackValue, other: StackValue) => StackValue,
): StackValue {
  const [first, second, ...others] = values as [StackValue, ...StackValue[]]; // see above
  return second === undefined ? first : joined([...others, join(first, second)], join);
}
