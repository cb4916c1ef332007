import type { Numbers } from "./numbers.js";
import type { Precision } from "./precision.js";
import type { StackValue } from "./scope.js";

/**
 * How sums stay exact however long they are (D16). With u the unit roundoff, a chain of n terms is within n·u of the sum of
 * magnitudes. So an accumulator takes some terms only, and then is added to a total: that of floats is of doubles, and
 * that of doubles keeps what rounding takes from it.
 */
interface Chains {
  /** How many terms of a loop an accumulator takes, */
  readonly ofLoops: number;
  /** and how many products of a contraction, */
  readonly ofContractions: number;
  /** whose chains are added up without care until they have so many terms. */
  readonly stretch: number;
}

// biome-ignore format: a table
export const chains: Readonly<Record<Precision, Chains>> = {
  double: { ofLoops: 56, ofContractions: 64, stretch: 64 },
  float:  { ofLoops: 14, ofContractions: 32, stretch: 256 },
};

/** Adds to a total, and to the rest what rounding took from it (Knuth's two-sum). */
export function addExactly(numbers: Numbers, total: number, error: number, value: StackValue): void {
  const { scope } = numbers;
  const before = scope.local(total);
  const added = numbers.bind(value);
  const after = numbers.bind(numbers.add(before, added));
  const virtual = numbers.bind(numbers.subtract(after, before));
  const roundingError = numbers.add(
    numbers.subtract(before, numbers.subtract(after, virtual)),
    numbers.subtract(added, virtual),
  );
  scope.set(error, numbers.add(roundingError, scope.local(error)));
  scope.set(total, after);
}

/** A total with its rest; where it is infinite, the rest is no number. */
export function compensatedTotal(
  numbers: Numbers,
  total: StackValue,
  error: StackValue | undefined,
): StackValue {
  if (error === undefined) return total;
  const bound = numbers.bind(error);
  return numbers.choose(numbers.compare("eq", bound, bound), numbers.add(total, bound), total);
}
