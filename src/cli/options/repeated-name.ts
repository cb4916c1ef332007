import type { JsonValue } from "../../index.js";

/**
 * A name that an object of JSON has twice, the first one: it would have one of its values, and nobody would know which. Names
 * that mean the same may be written in several ways.
 */
export function repeatedName(object: JsonValue, meaning = (name: string) => name): string | undefined {
  const meanings = new Set<string>();
  for (const { key } of object.items()) {
    const name = `${key}`;
    if (meanings.has(meaning(name))) return name;
    meanings.add(meaning(name));
  }
  return undefined;
}
