import { JsonLeaf, type JsonValue } from "../../../formats/json/value.js";
import type { FieldExpectation } from "../messages.js";
import { positionsIn } from "./position-values.js";
import { storedType } from "./stored-values.js";

/** Whether the JSON of a document is a value of the type that its field has in the schema. */

/** A part of a value that its type does not have, and what it has there. */
export interface Misfit {
  readonly found: JsonValue;
  readonly expected: FieldExpectation;
}

/** The first part of a value that is none of a type, as a schema has that. What is `null` is unset. */
export function misfitOf(value: JsonValue, typeText: string): Misfit | undefined {
  if (value.kind === "null") return undefined;
  const [, word = "", inner = typeText] = /^\s*(array|weightedset|map)\s*<(.*)>/s.exec(typeText) ?? [];
  const type = inner.trim();
  if (word === "array") return misfitOfArray(value, type);
  if (word === "weightedset") return misfitOfWeights(value, type);
  if (word === "map") return misfitOfMap(value, type);
  return misfitOfOne(value, type);
}

/** The words of types whose values are not looked into here. */
const others = /^(?:tensor|reference|annotationreference|raw|predicate|url)\b|^$/;

function misfitOfOne(value: JsonValue, type: string): Misfit | undefined {
  const stored = storedType(type);
  if (stored !== undefined)
    return stored.read(value) === undefined ? { found: value, expected: stored.expected } : undefined;
  if (type === "position")
    return positionsIn(value).length === 1 ? undefined : { found: value, expected: "position" };
  // All other types are structs.
  return others.test(type) || value.kind === "object" ? undefined : { found: value, expected: "struct" };
}

function misfitOfArray(value: JsonValue, type: string): Misfit | undefined {
  if (value.kind !== "array") return { found: value, expected: "list of values" };
  for (const each of value.items()) {
    const misfit =
      each.kind === "null"
        ? { found: each, expected: storedType(type)?.expected ?? "value" }
        : misfitOf(each, type);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

/** What items of a list call their key and value, and what is expected of a field with such entries. */
interface Entries {
  readonly key: string;
  readonly value: string;
  readonly field: FieldExpectation;
  readonly entry: FieldExpectation;
}

// biome-ignore format: a table
const entriesOf: Readonly<Record<"weightedset" | "map", Entries>> = {
  weightedset: { key: "item", value: "weight", field: "object of weights", entry: "item with its weight" },
  map:         { key: "key",  value: "value",  field: "object of values",  entry: "key with its value" },
};

function misfitOfWeights(value: JsonValue, type: string): Misfit | undefined {
  return misfitOfEntries(value, entriesOf.weightedset, type, (weight) => misfitOfOne(weight, "int"));
}

function misfitOfMap(value: JsonValue, types: string): Misfit | undefined {
  const [key = "", type = ""] = keyAndValue(types);
  return misfitOfEntries(value, entriesOf.map, key, (own) => misfitOf(own, type));
}

/** Feeds have an object of keys, and results a list of items. */
function misfitOfEntries(
  value: JsonValue,
  names: Entries,
  keyType: string,
  misfitOfValue: (own: JsonValue) => Misfit | undefined,
): Misfit | undefined {
  const isList = value.kind === "array";
  if (!isList && value.kind !== "object") return { found: value, expected: names.field };
  for (const each of value.items()) {
    const own = isList ? each.member(names.value) : each;
    const key = isList ? each.member(names.key) : keyOf(each);
    if (own === undefined || key === undefined) return { found: each, expected: names.entry };
    const misfit = misfitOfValue(own) ?? misfitOf(key, keyType);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

/** The type of the keys of a map has no comma. */
function keyAndValue(types: string): string[] {
  const comma = types.indexOf(",");
  return [types.slice(0, comma).trim(), types.slice(comma + 1)];
}

/** A key of an object is a text, whatever its type. */
const keyOf = (member: JsonValue): JsonValue => new JsonLeaf(`${member.key}`, member.keySpan, member.key);
