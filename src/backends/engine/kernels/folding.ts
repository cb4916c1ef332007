import { element } from "../../../language/values/element.js";
import type { LoopAggregator } from "../loop.js";
import { type Folded, type FoldOptions, type FoldWriter, joined } from "./accumulators.js";
import type { Groups } from "./groups.js";
import type { Numbers } from "./numbers.js";
import type { StackValue } from "./scope.js";
import { sumWriter } from "./summing.js";
import { addExactly } from "./sums.js";

/** How values are folded by an aggregator. */
interface FoldRow {
  /** What changes no value that it is folded with. */
  readonly neutral: number;
  /** A total with one more value. */
  readonly fold: (n: Numbers, total: StackValue, value: StackValue) => StackValue;
  /**
   * What lanes are folded by, where the order of values may be another: max and min of these do not see which NaN comes
   * first.
   */
  readonly inLanes: LoopAggregator;
  /** Where the first value stays unless a later one is better: how the total then compares with that. */
  readonly replacedIf?: "lt" | "gt";
  readonly write: (groups: Groups, options: FoldOptions, row: FoldRow) => FoldWriter;
}

const larger: FoldRow["fold"] = (n, total, value) => n.larger(total, value);
const smaller: FoldRow["fold"] = (n, total, value) => n.smaller(total, value);
const [least, greatest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

// biome-ignore format: a table
export const folds: Readonly<Record<LoopAggregator, FoldRow>> = {
  sum:      { neutral: 0,        fold: (n, total, value) => n.add(total, value),      inLanes: "sum",  write: sumWriter },
  prod:     { neutral: 1,        fold: (n, total, value) => n.multiply(total, value), inLanes: "prod", write: simpleFold },
  max:      { neutral: least,    fold: larger,                                        inLanes: "max",  write: simpleFold },
  min:      { neutral: greatest, fold: smaller,                                       inLanes: "min",  write: simpleFold },
  vespaMax: { neutral: least,    fold: larger,                                        inLanes: "max",  write: firstBestFold, replacedIf: "lt" },
  vespaMin: { neutral: greatest, fold: smaller,                                       inLanes: "min",  write: firstBestFold, replacedIf: "gt" },
};

export function foldWriterOf(groups: Groups, aggregator: LoopAggregator, options: FoldOptions): FoldWriter {
  const row = folds[aggregator];
  return row.write(groups, options, row);
}

const noOperation = (): void => {};

function simpleFold(
  _: Groups,
  { numbers, accumulators, isJoined }: FoldOptions,
  { neutral, fold }: FoldRow,
): FoldWriter {
  const { scope } = numbers;
  const locals = Array.from({ length: accumulators }, () => scope.take(numbers.type));
  return {
    chain: Number.POSITIVE_INFINITY,
    begin: () => {
      for (const local of locals) scope.set(local, numbers.constant(neutral));
    },
    resume: (total) => scope.set(element(locals, 0), total),
    step: (values) => {
      for (const [at, value] of values.entries()) {
        const local = element(locals, at);
        scope.set(local, fold(numbers, scope.local(local), value));
      }
    },
    flush: noOperation,
    finish: () => {
      const totals = locals.map((local) => scope.local(local));
      const join = (one: StackValue, other: StackValue): StackValue =>
        numbers.bind(fold(numbers, one, other));
      return { numbers, totals: isJoined ? [joined(totals, join)] : totals };
    },
  };
}

/** The first value stays unless a later one is better. */
function firstBestFold(
  _: Groups,
  { numbers, accumulators }: FoldOptions,
  { replacedIf = "lt" }: FoldRow,
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
      scope.set(element(locals, 0), before);
      setIsFirst(false);
    },
    step: (values) => {
      for (const [at, each] of values.entries()) {
        const local = element(locals, at);
        const [total, value] = [scope.local(local), numbers.bind(each)];
        const isBetter = numbers.compare(replacedIf, total, value);
        scope.set(local, numbers.choose(numbers.either(scope.local(isFirst), isBetter), value, total));
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
    groups.eachLane(numbers, value).map((lane) => n.bind(lane));
  const all = lanes(numbers.bind(element(totals, 0)));
  const { fold } = folds[aggregator];
  const join = (one: StackValue, other: StackValue): StackValue => n.bind(fold(n, one, other));
  if (errors === undefined) return { total: joined(all, join) };
  const [total, error] = [scope.take("f64"), scope.take("f64")];
  const [first, second] = all as [StackValue, StackValue]; // with errors, they are of doubles
  scope.set(total, first);
  scope.set(error, joined(lanes(numbers.bind(element(errors, 0))), join));
  addExactly(n, total, error, second);
  return { total: scope.local(total), error: scope.local(error) };
}
