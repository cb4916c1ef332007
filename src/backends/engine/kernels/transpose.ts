import { element } from "../../../language/values/element.js";
import type { LocalScope } from "./scope.js";
import { words } from "./shuffles.js";

/**
 * Rows of a square of numbers become its columns: two vectors of doubles, or four of floats, in locals. There are as many rows as
 * columns, two or four, of which the lists of locals below are taken apart.
 */
export function transposeTile(scope: LocalScope, rows: readonly number[], columns: readonly number[]): void {
  const shuffle = (one: number, other: number, indexes: readonly number[], into: number): void =>
    scope.set(into, scope.shuffled(scope.local(one), scope.local(other), words(...indexes)));
  const [lower, upper] = [
    [0, 1, 4, 5],
    [2, 3, 6, 7],
  ] as const;
  if (rows.length === 2) {
    const [a, b] = rows as readonly [number, number];
    const [p, q] = columns as readonly [number, number];
    shuffle(a, b, lower, p);
    shuffle(a, b, upper, q);
    return;
  }
  const [a, b, c, d] = rows as readonly [number, number, number, number];
  const [p, q, r, s] = columns as readonly [number, number, number, number];
  shuffle(a, b, [0, 4, 1, 5], p);
  shuffle(c, d, [0, 4, 1, 5], q);
  shuffle(a, b, [2, 6, 3, 7], r);
  shuffle(c, d, [2, 6, 3, 7], s);
  shuffle(p, q, lower, a);
  shuffle(p, q, upper, b);
  shuffle(r, s, lower, c);
  shuffle(r, s, upper, d);
  for (const [at, row] of rows.entries()) scope.set(element(columns, at), scope.local(row));
}
