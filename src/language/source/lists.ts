/**
 * What lists need. They may have any length: `list.push(...items)` and `Math.max(...numbers)` are calls with as many
 * arguments, which the stack holds only so many of.
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

/** The keys of a table, in its order. */
export const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] =>
  Object.keys(table) as K[]; // a table has no keys but those of its type

/** What a function makes of each part of a tuple. */
export const mapTuple = <T extends readonly unknown[], U>(
  tuple: readonly [...T],
  f: (each: T[number], at: number) => U,
): { [K in keyof T]: U } => tuple.map(f) as { [K in keyof T]: U }; // as many as there were, in a type that `map` forgets

/** The list under a key, a new one where there was none. */
export function listUnder<K, T>(lists: Map<K, T[]>, key: K): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
