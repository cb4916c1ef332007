import type { LoopAggregator } from "../loop.js";
import type { Groups } from "./groups.js";
import type { Numbers } from "./numbers.js";
import type { Value } from "./scope.js";
import { addExactly, summing } from "./summing.js";

/**
 * How values become one while a kernel walks over the folded axes. There are so many accumulators as values come at a
 * step: one, or one for each vector, and then either each is a result, or all are folded together at the end.
 */
export interface Folding {
  /** After so many steps at most `flush` must be called. */
  readonly chain: number;
  readonly begin: () => void;
  /** With just one accumulator: goes on where an earlier call ended, from its total, and for a sum what that lacked. */
  readonly resume: (total: Value, rest: Value) => void;
  /** Folds a value into each accumulator, or into as many as there are values. */
  readonly step: (values: readonly Value[]) => void;
  readonly flush: () => void;
  /** What has come of it, as numbers of a form of its own. */
  readonly finish: () => Folded;
}

export interface Folded {
  readonly numbers: Numbers;
  readonly totals: readonly Value[];
  /** What rounding has taken from sums. */
  readonly rests?: readonly Value[];
}

export interface FoldingOptions {
  /** The form of the values. */
  readonly numbers: Numbers;
  readonly accumulators: number;
  /** How many values an accumulator gets. */
  readonly steps: number;
  /** Whether all accumulators are one result. */
  readonly isJoined: boolean;
}

export function foldingOf(groups: Groups, aggregator: LoopAggregator, options: FoldingOptions): Folding {
  const { numbers } = options;
  switch (aggregator) {
    case "sum":
      return summing(groups, options);
    case "prod":
      return simply(options, 1, (total, value) => numbers.multiply(total, value));
    case "max":
      return simply(options, Number.NEGATIVE_INFINITY, (total, value) => numbers.larger(total, value));
    case "min":
      return simply(options, Number.POSITIVE_INFINITY, (total, value) => numbers.smaller(total, value));
    case "vespaMax":
    case "vespaMin":
      return fromFirst(options, aggregator);
  }
}

const nothing = (): void => {};

function simply(
  { numbers, accumulators, isJoined }: FoldingOptions,
  start: number,
  fold: (total: Value, value: Value) => Value,
): Folding {
  const { scope } = numbers;
  const locals = Array.from({ length: accumulators }, () => scope.take(numbers.type));
  const set = (local: number, value: Value): void => {
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
    flush: nothing,
    finish: () => {
      const totals = locals.map((local) => scope.local(local));
      return {
        numbers,
        totals: isJoined ? [joined(totals, (one, other) => numbers.keep(fold(one, other)))] : totals,
      };
    },
  };
}

/** All values as one, in pairs. */
export function joined(values: readonly Value[], join: (one: Value, other: Value) => Value): Value {
  const [first, second, ...rest] = values as [Value, ...Value[]];
  return second === undefined ? first : joined([...rest, join(first, second)], join);
}

/** The first value stays unless a later one is better. */
function fromFirst({ numbers, accumulators }: FoldingOptions, aggregator: "vespaMax" | "vespaMin"): Folding {
  const { scope } = numbers;
  const { code } = scope;
  const locals = Array.from({ length: accumulators }, () => scope.take(numbers.type));
  const isFirst = scope.take(numbers.maskType);
  const mark = (is: boolean): void => {
    if (numbers.isVector) code.v128("i32x4", is ? -1 : 0);
    else code.i32(is ? 1 : 0);
    code.set(isFirst);
  };
  return {
    chain: Number.POSITIVE_INFINITY,
    begin: () => mark(true),
    resume: (before) => {
      before.push();
      code.set(locals[0] as number);
      mark(false);
    },
    step: (values) => {
      for (const [at, each] of values.entries()) {
        const local = locals[at] as number;
        const [total, value] = [scope.local(local), numbers.keep(each)];
        const better = numbers.compare(aggregator === "vespaMax" ? "lt" : "gt", total, value);
        numbers.choose(numbers.either(scope.local(isFirst), better), value, total).push();
        code.set(local);
      }
      mark(false);
    },
    flush: nothing,
    finish: () => ({ numbers, totals: locals.map((local) => scope.local(local)) }),
  };
}

/** The lanes of a result folded together, as one number and for a sum what it lacks. */
export function acrossLanes(
  groups: Groups,
  aggregator: LoopAggregator,
  { numbers, totals, rests }: Folded,
): { readonly total: Value; readonly rest?: Value } {
  const { scope } = groups;
  const n = groups.numbers("double", false);
  const lanes = (value: Value): Value[] =>
    Array.from({ length: numbers.isDouble ? 2 : 4 }, (_, lane) => {
      const push = (): void => {
        value.push();
        scope.code.lane(numbers.isDouble ? "f64x2.extract_lane" : "f32x4.extract_lane", lane);
        if (!numbers.isDouble) scope.code.do("f64.promote_f32");
      };
      return n.keep({ push, isBound: false });
    });
  const all = lanes(numbers.keep(totals[0] as Value));
  if (aggregator !== "sum") {
    const isOfLargest = aggregator === "max" || aggregator === "vespaMax";
    const fold = isOfLargest ? n.larger.bind(n) : n.smaller.bind(n);
    return { total: joined(all, (one, other) => n.keep(fold(one, other))) };
  }
  const add = (one: Value, other: Value): Value => n.keep(n.add(one, other));
  if (rests === undefined) return { total: joined(all, add) };
  const [total, rest] = [scope.take("f64"), scope.take("f64")];
  const [first, second] = all as [Value, Value];
  first.push();
  scope.code.set(total);
  joined(lanes(numbers.keep(rests[0] as Value)), add).push();
  scope.code.set(rest);
  addExactly(n, total, rest, second);
  return { total: scope.local(total), rest: scope.local(rest) };
}
