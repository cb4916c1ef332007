import type { Groups } from "../kernels/groups.js";
import type { StackValue } from "../kernels/scope.js";
import type { LoopAggregator } from "../loop.js";
import { type Folded, type FoldOptions, type FoldWriter, joined } from "./accumulators.js";
import { addExactly, sumWriter } from "./summing.js";

/** How a kernel folds by an aggregator. */
export function foldWriterOf(groups: Groups, aggregator: LoopAggregator, options: FoldOptions): FoldWriter {
  const { numbers } = options;
  switch (aggregator) {
    case "sum":
      return sumWriter(groups, options);
    case "prod":
      return simpleFold(options, 1, (total, value) => numbers.multiply(total, value));
    case "max":
      return simpleFold(options, Number.NEGATIVE_INFINITY, (total, value) => numbers.larger(total, value));
    case "min":
      return simpleFold(options, Number.POSITIVE_INFINITY, (total, value) => numbers.smaller(total, value));
    case "vespaMax":
    case "vespaMin":
      return firstBestFold(options, aggregator);
  }
}

const noOperation = (): void => {};

function simpleFold(
  { numbers, accumulators, isJoined }: FoldOptions,
  start: number,
  fold: (total: StackValue, value: StackValue) => StackValue,
): FoldWriter {
  const { scope } = numbers;
  const locals = Array.from({ length: accumulators }, () => scope.take(numbers.type));
  const set = (local: number, value: StackValue): void => {
    value.push();
    scope.code.set(local);
  };
  return {
    chain: Number.POSITIVE_INFINITY,
    begin: () => {
      for (const local of locals) set(local, numbers.constant(start));
    },
    resume: (total) => set(locals[0] as number, total),
    step: (values) => {
      for (const [at, value] of values.entries()) {
        const local = locals[at] as number;
        set(local, fold(scope.local(local), value));
      }
    },
    flush: noOperation,
    finish: () => {
      const totals = locals.map((local) => scope.local(local));
      return {
        numbers,
        totals: isJoined ? [joined(totals, (one, other) => numbers.bind(fold(one, other)))] : totals,
      };
    },
  };
}

/** The first value stays unless a later one is better. */
function firstBestFold(
  { numbers, accumulators }: FoldOptions,
  aggregator: "vespaMax" | "vespaMin",
): FoldWriter {
  const { scope } = numbers;
  const { code } = scope;
  const locals = Array.from({ length: accumulators }, () => scope.take(numbers.type));
  const isFirst = scope.take(numbers.maskType);
  const setIsFirst = (isFirstValue: boolean): void => {
    if (numbers.isVector) code.v128("i32x4", isFirstValue ? -1 : 0);
    else code.i32(isFirstValue ? 1 : 0);
    code.set(isFirst);
  };
  return {
    chain: Number.POSITIVE_INFINITY,
    begin: () => setIsFirst(true),
    resume: (before) => {
      before.push();
      code.set(locals[0] as number);
      setIsFirst(false);
    },
    step: (values) => {
      for (const [at, each] of values.entries()) {
        const local = locals[at] as number;
        const [total, value] = [scope.local(local), numbers.bind(each)];
        const better = numbers.compare(aggregator === "vespaMax" ? "lt" : "gt", total, value);
        numbers.choose(numbers.either(scope.local(isFirst), better), value, total).push();
        code.set(local);
      }
      setIsFirst(false);
    },
    flush: noOperation,
    finish: () => ({ numbers, totals: locals.map((local) => scope.local(local)) }),
  };
}

/** The lanes of a result folded together, as one number and for a sum what it lacks. */
export function acrossLanes(
  groups: Groups,
  aggregator: LoopAggregator,
  { numbers, totals, errors }: Folded,
): { readonly total: StackValue; readonly error?: StackValue } {
  const { scope } = groups;
  const n = groups.numbers("double", false);
  const lanes = (value: StackValue): StackValue[] =>
    Array.from({ length: numbers.isDouble ? 2 : 4 }, (_, lane) => {
      const push = (): void => {
        value.push();
        scope.code.lane(numbers.isDouble ? "f64x2.extract_lane" : "f32x4.extract_lane", lane);
        if (!numbers.isDouble) scope.code.do("f64.promote_f32");
      };
      return n.bind({ push, isBound: false });
    });
  const all = lanes(numbers.bind(totals[0] as StackValue));
  if (aggregator !== "sum") {
    const isOfLargest = aggregator === "max" || aggregator === "vespaMax";
    const fold = isOfLargest ? n.larger.bind(n) : n.smaller.bind(n);
    return { total: joined(all, (one, other) => n.bind(fold(one, other))) };
  }
  const add = (one: StackValue, other: StackValue): StackValue => n.bind(n.add(one, other));
  if (errors === undefined) return { total: joined(all, add) };
  const [total, error] = [scope.take("f64"), scope.take("f64")];
  const [first, second] = all as [StackValue, StackValue];
  first.push();
  scope.code.set(total);
  joined(lanes(numbers.bind(errors[0] as StackValue)), add).push();
  scope.code.set(error);
  addExactly(n, total, error, second);
  return { total: scope.local(total), error: scope.local(error) };
}
