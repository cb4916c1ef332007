import type { Node } from "../../src/language/core/operations.js";
import { type AggregatorName, aggregators, type Fold } from "../../src/language/scalar/aggregators.js";
import { type ScalarFunction, scalarFunctions } from "../../src/language/scalar/functions.js";
import { Choice } from "./choice.js";
import { inexactFunctions } from "./functions.js";
import { changed } from "./in-time.js";

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
  // Sums overflow on the way in some orders of adding them, and in others not at all.
  const isCalm = seed % 2 === 0;
  const error = (): number => choice.between(-1000, 1000) / 1000;
  const functionError = isFloat ? 1e-6 : 2 ** -51;
  const sumError = isFloat ? 1e-6 : 1e-14;
  const undo: (() => void)[] = [];
  for (const name of inexactFunctions) {
    const row: Mutable<ScalarFunction> = scalarFunctions[name];
    const { compute } = row;
    row.compute = (x, y) => compute(x, y) * (1 + functionError * error());
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
      return isTooGreat && choice.percent(30) ? Math.sign(value) * Number.MAX_VALUE : value;
    };
    undo.push(() => {
      row.compute = compute;
    });
  }
  for (const name of sums) {
    const table: Record<(typeof sums)[number], Fold> = aggregators;
    const row = table[name];
    const { compensated: _, ...fold } = row;
    const step = (total: number, cell: number): number => {
      if (!isCalm && isHuge(cell) && choice.percent(30))
        return total + Math.sign(cell) * Number.POSITIVE_INFINITY;
      const sum = total + cell;
      const size = Math.max(Math.abs(total), Math.abs(cell));
      // Beside others that cancelled each other out a tiny term may be lost.
      if (Math.abs(cell) < 2 ** -60 && choice.percent(30)) return total;
      const overflows = !Number.isFinite(sum) && Number.isFinite(total) && Number.isFinite(cell);
      if (overflows && isCalm) return Math.sign(sum) * Number.MAX_VALUE;
      if (isExact(total, cell) || !Number.isFinite(sum)) return sum;
      // Terms that cancel each other out may leave nothing at all.
      if (Math.abs(sum) <= size * sumError && choice.percent(30)) return 0;
      return sum + size * sumError * error();
    };
    table[name] = { ...fold, step };
    undo.push(() => {
      table[name] = row;
    });
  }
  return changed(() => {
    for (const each of undo) each();
  }, run);
}

/** Whether a few of such numbers are more than a double holds, in some order of adding them. */
const isHuge = (value: number): boolean =>
  Number.isFinite(value) && Math.abs(value) > Number.MAX_VALUE / 1024;

/** Whether sums of such numbers are the same in any order, of floats too. */
const isExact = (one: number, other: number): boolean => isPlain(one) && isPlain(other);
const isPlain = (value: number): boolean => Number.isInteger(value * 64) && Math.abs(value) < 4096;
