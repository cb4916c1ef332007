import type { LoopAggregator } from "../loop.js";
import { type Folded, type Folding, type FoldingOptions, joined } from "./accumulators.js";
import type { Groups } from "./groups.js";
import type { Value } from "./scope.js";
import { addExactly, summing } from "./summing.js";

/** How a kernel folds by an aggregator. */
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
