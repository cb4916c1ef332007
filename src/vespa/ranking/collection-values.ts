import type { JsonValue } from "../../formats/json/value.js";
import type { Element } from "./stored-values.js";

/** What the JSON of a document has for arrays, weighted sets, structs and maps. */

/** Numbers by label. */
export type Weights = ReadonlyMap<string, number>;

/** The weights of a weighted set: an object of keys, as feeds have it, or a list of items, as results do. */
export function weights(value: JsonValue | undefined): Weights {
  const isList = value?.kind === "array";
  const entries = [...(value?.items() ?? [])].map((each) =>
    isList
      ? ([labelOf(each.member("item")), each.member("weight")?.number] as const)
      : ([`${each.key}`, each.number] as const),
  );
  const found = entries.filter(
    (each): each is readonly [string, number] => each[0] !== undefined && each[1] !== undefined,
  );
  return new Map(found);
}

/** A member of each struct of an array, or `key`, `value` or a member of the value of each entry of a map. */
export function membersIn(value: JsonValue | undefined, path: string): Element[] {
  const names = path.split(".");
  const member = (outer: JsonValue | undefined, from: number): JsonValue | undefined =>
    names.slice(from).reduce((found, name) => found?.member(name), outer);
  if (value?.kind === "array") return Array.from(value.items(), (each) => member(each, 0));
  if (value?.kind !== "object") return [];
  return Array.from(value.entries(), ([key, each]) =>
    path === "key" ? key : member(each, names[0] === "value" ? 1 : 0),
  );
}

/** Texts and numbers can be labels. A whole number is one digit by digit, however large. */
export function labelOf(value: JsonValue | undefined): string | undefined {
  const number = value?.number;
  if (value === undefined || number === undefined) return value?.string;
  const isExact = Number.isSafeInteger(number) || !/^-?\d+$/.test(value.written);
  return isExact ? `${number}` : value.written;
}
