import type { Node } from "../../src/language/core/operations.js";
import {
  type AggregatorName,
  aggregators,
  type Fold,
  type Ranking,
} from "../../src/language/scalar/aggregators.js";
import { type ScalarFunction, scalarFunctions } from "../../src/language/scalar/functions.js";
import { Choice } from "./choice.js";
import { inexactFunctions } from "./functions.js";
import { changed } from "./in-time.js";
import { mostFloat, someSum } from "./some-sum.js";

/**
 * The reference with errors as large as decision D16 allows: functions are off by a last digit or two, and sums by the
 * sizes of their terms. Where its values differ from run to run, so may those of any other way to run the program.
 */

const sums = ["sum", "avg"] as const satisfies readonly AggregatorName[];

const errors: ReadonlySet<string> = new Set(inexactFunctions);
const sumErrors: ReadonlySet<string> = new Set(sums);

/** Whether an operation may have errors: a filter looks at sums. */
export const isInexact = (node: Node): boolean =>
  node.op === "filterSubspaces" ||
  (node.op === "apply" && errors.has(node.function)) ||
  (node.op === "reduce" && sumErrors.has(node.aggregator));

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Runs with errors of this relative size in sums, and of this one in functions. */
export function perturbed<T>(seed: number, isFloat: boolean, run: () => T): T {
  const choice = new Choice(seed);
  const error = (): number => choice.between(-1000, 1000) / 1000;
  const [functionError, lastDigit] = isFloat ? [1e-6, 2 ** -24] : [2 ** -51, 2 ** -53];
  // Half of the errors are of a last digit or two: whether tanh 9 is 1 or the float below decides if a negative number has it as a power.
  const errorOfFunction = (): number =>
    choice.percent(50) ? lastDigit * choice.between(-2, 2) : functionError * error();
  const sumError = isFloat ? 1e-6 : 1e-14;
  // How many of the numbers that are too great for their type are taken on before they are rounded: none, some or all. Sums
  // are reassociated over several operations: where all are taken on, no sum overflows in between.
  const percentWide = choice.oneOf([0, 30, 100]);
  // In every other run sums of the same terms are the same, as whoever adds them up in one way has them: all of them are whole, say.
  const areSame = seed % 2 === 0;
  const sumsOfTerms = new Map<string, number>();
  const anySumOf = (terms: readonly number[]): number =>
    someSum(terms, sumError, choice, percentWide === 100);
  const sameSumOf = (terms: readonly number[]): number => {
    const key = terms.map((term) => (Object.is(term, -0) ? "-0" : term)).join();
    const sum = sumsOfTerms.get(key) ?? anySumOf(terms);
    sumsOfTerms.set(key, sum);
    return sum;
  };
  const sumOf = areSame ? sameSumOf : anySumOf;
  const undo: (() => void)[] = [];
  for (const name of inexactFunctions) {
    const row: Mutable<ScalarFunction> = scalarFunctions[name];
    const { compute } = row;
    row.compute = (x, y) => compute(x, y) * (1 + errorOfFunction());
    undo.push(() => {
      row.compute = compute;
    });
  }
  // A product that is too great for a double is not, where it is added up before it is rounded.
  for (const name of ["multiply", "square"] as const) {
    const row: Mutable<ScalarFunction> = scalarFunctions[name];
    const { compute } = row;
    row.compute = (x, y) => {
      const value = compute(x, y);
      const isTooGreat =
        Number.isFinite(x) && Number.isFinite(y ?? x) && Math.abs(value) === Number.POSITIVE_INFINITY;
      return isTooGreat && choice.percent(percentWide) ? Math.sign(value) * Number.MAX_VALUE : value;
    };
    undo.push(() => {
      row.compute = compute;
    });
  }
  for (const name of sums) {
    const table: Record<(typeof sums)[number], Fold | Ranking> = aggregators;
    const row = table[name];
    const ofSorted: Ranking["ofSorted"] = (cellAt, count) => {
      const terms = Array.from({ length: count }, (_, rank) => cellAt(rank));
      const sum = sumOf(terms);
      const value = name === "avg" ? sum / count : sum;
      // A sum that is too great for a cell is not, where it is added to others before it is rounded.
      const most = isFloat ? mostFloat : Number.MAX_VALUE;
      const isTooGreat = terms.every(Number.isFinite) && Math.abs(value) > most;
      return isTooGreat && choice.percent(percentWide) ? Math.sign(value) * most : value;
    };
    table[name] = { ofSorted, description: row.description };
    undo.push(() => {
      table[name] = row;
    });
  }
  return changed(() => {
    for (const each of undo) each();
  }, run);
}
