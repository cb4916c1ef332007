import type { JsonValue } from "../index.js";

/** A name that an object of JSON has twice, the first one: it would have one of its values, and nobody would know which. */
export function repeatedName(object: JsonValue): string | undefined {
  const names = new Set<string>();
  for (const { key } of object.items()) {
    const name = `${key}`;
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}
