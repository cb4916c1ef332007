/**
 * What lists of any length need. `list.push(...items)` and `Math.max(...numbers)` are calls with as many arguments, which
 * the stack holds only so many of.
 */

/** Adds all items at the end of a list. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const each of items) list.push(each);
}

/** The greatest of some numbers and a least one. */
export function greatest(numbers: Iterable<number>, least = 0): number {
  let found = least;
  for (const each of numbers) if (each > found || Number.isNaN(each)) found = each;
  return found;
}
