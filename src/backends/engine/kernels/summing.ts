import { element } from "../../../language/values/element.js";
import { type FoldOptions, type FoldWriter, joined } from "./accumulators.js";
import type { Groups } from "./groups.js";
import type { StackValue } from "./scope.js";
import { addExactly, chains } from "./sums.js";

/** Sums of chains (sums.ts): an accumulator is flushed to its total after so many terms. */
export function sumWriter(groups: Groups, options: FoldOptions): FoldWriter {
  const { numbers, accumulators, steps, isJoined } = options;
  const chain = chains[numbers.isDouble ? "double" : "float"].ofLoops;
  const { scope } = numbers;
  const takeLocals = (count: number): number[] =>
    Array.from({ length: count }, () => scope.take(numbers.type));
  const sums = takeLocals(accumulators);
  const zero = (locals: readonly number[]): void => {
    for (const local of locals) scope.set(local, numbers.constant(0));
  };
  const step = (values: readonly StackValue[]): void => {
    for (const [at, value] of values.entries()) {
      const local = element(sums, at);
      scope.set(local, numbers.add(scope.local(local), value));
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
      scope.set(element(totals, 0), total);
      scope.set(element(errors, 0), error);
    },
    step,
    flush: () => {
      if (numbers.isDouble)
        for (const [at, value] of sum().entries())
          addExactly(numbers, element(totals, at), element(errors, at), value);
      else
        for (const [at, value] of sum().entries()) {
          for (const [half, part] of groups.widenedLanes(value).entries()) {
            const local = element(totals, isJoined ? 0 : 2 * at + half);
            scope.set(local, doubles.add(scope.local(local), part));
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
