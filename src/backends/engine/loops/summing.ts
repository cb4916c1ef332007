import type { Groups } from "../kernels/groups.js";
import type { Numbers } from "../kernels/numbers.js";
import type { StackValue } from "../kernels/scope.js";
import { type FoldOptions, type FoldWriter, joined } from "./accumulators.js";

/**
 * Sums. An accumulator takes some terms only, and is then added to a total: that of doubles remembers what rounding takes
 * from it, that of floats is of doubles. So a long sum is as exact as a short one (D16).
 *
 * With chains of n terms an error is below n/2 of the last place of the sum of all sizes, times two in the worst case.
 */
const chainOfDoubles = 56;
const chainOfFloats = 14;

export function sumWriter(groups: Groups, options: FoldOptions): FoldWriter {
  const { numbers, accumulators, steps, isJoined } = options;
  const chain = numbers.isDouble ? chainOfDoubles : chainOfFloats;
  const { scope } = numbers;
  const { code } = scope;
  const takeLocals = (count: number): number[] =>
    Array.from({ length: count }, () => scope.take(numbers.type));
  const sums = takeLocals(accumulators);
  const zero = (locals: readonly number[]): void => {
    for (const local of locals) {
      numbers.constant(0).push();
      code.set(local);
    }
  };
  const step = (values: readonly StackValue[]): void => {
    for (const [at, value] of values.entries()) {
      const local = sums[at] as number;
      numbers.add(scope.local(local), value).push();
      code.set(local);
    }
  };
  const add = (one: StackValue, other: StackValue): StackValue => numbers.bind(numbers.add(one, other));
  const sum = (): StackValue[] => {
    const values = sums.map((local) => scope.local(local));
    return isJoined ? [joined(values, add)] : values;
  };
  if (steps <= chain) {
    const resume = (): void => {}; // who resumes does not know how many steps there are
    return {
      chain,
      begin: () => zero(sums),
      resume,
      step,
      flush: () => {},
      finish: () => ({ numbers, totals: sum() }),
    };
  }
  const doubles = groups.numbers("double", numbers.isVector);
  const count = (isJoined ? 1 : accumulators) * (numbers.isDouble || !numbers.isVector || isJoined ? 1 : 2);
  const totals = takeLocals(count);
  const errors = numbers.isDouble ? takeLocals(count) : [];
  return {
    chain,
    begin: () => zero([...sums, ...totals, ...errors]),
    resume: (total, error) => {
      total.push();
      code.set(totals[0] as number);
      error.push();
      code.set(errors[0] as number);
    },
    step,
    flush: () => {
      if (numbers.isDouble)
        for (const [at, value] of sum().entries())
          addExactly(numbers, totals[at] as number, errors[at] as number, value);
      else
        for (const [at, value] of sum().entries()) {
          const group = { isLanes: true, number: "float", isMask: false, parts: [value] } as const;
          for (const [half, part] of groups.as("double", group).parts.entries()) {
            const local = totals[isJoined ? 0 : 2 * at + half] as number;
            doubles.add(scope.local(local), part).push();
            code.set(local);
          }
        }
      zero(sums);
    },
    finish: () => {
      const values = totals.map((local) => scope.local(local));
      if (!numbers.isDouble) return { numbers: doubles, totals: values };
      return { numbers, totals: values, errors: errors.map((local) => scope.local(local)) };
    },
  };
}

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
  numbers.add(scope.local(error), roundingError).push();
  scope.code.set(error);
  after.push();
  scope.code.set(total);
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
