import type { CommonTable } from "./lowering.js";

/** The most relations that an engine plans as one: the time grows with a power of how many there are. */
const mostAtOnce = 24;

/**
 * The tables whose rows are kept before others go on with them, so that a long program is planned in parts: each is made of so
 * many others that are used once, and stand within it.
 */
export function pauses(
  tables: readonly CommonTable[],
  uses: ReadonlyMap<string, number>,
  wordsOf: (table: CommonTable) => readonly string[],
): ReadonlySet<string> {
  const sizes = new Map<string, number>();
  const found = new Set<string>();
  for (const table of tables) {
    const { name } = table;
    let size = 1;
    for (const word of wordsOf(table)) size += sizes.get(word) ?? 0;
    if (size > mostAtOnce) found.add(name);
    sizes.set(name, found.has(name) || uses.get(name) !== 1 ? 0 : size);
  }
  return found;
}
