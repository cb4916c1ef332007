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

/** Feeds have an object of keys, and results a list of items. */
function misfitOfWeights(value: JsonValue, type: string): Misfit | undefined {
  if (value.kind !== "array" && value.kind !== "object")
    return { found: value, expected: "object of weights" };
  for (const each of value.items()) {
    const weight = value.kind === "array" ? each.member("weight") : each;
    const item = value.kind === "array" ? each.member("item") : undefined;
    if (weight === undefined || (value.kind === "array" && item === undefined))
      return { found: each, expected: "item with its weight" };
    const misfit =
      misfitOfOne(weight, "int") ?? (item === undefined ? misfitOfKey(each, type) : misfitOf(item, type));
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

/** The same of entries, whose keys and values are members of each item. */
function misfitOfMap(value: JsonValue, types: string): Misfit | undefined {
  if (value.kind !== "array" && value.kind !== "object")
    return { found: value, expected: "object of values" };
  const [key = "", type = ""] = keyAndValue(types);
  for (const each of value.items()) {
    const [written, own] =
      value.kind === "array" ? [each.member("key"), each.member("value")] : [undefined, each];
    if (own === undefined || (value.kind === "array" && written === undefined))
      return { found: each, expected: "key with its value" };
    const misfit =
      misfitOf(own, type) ?? (written === undefined ? misfitOfKey(each, key) : misfitOf(written, key));
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
function misfitOfKey(member: JsonValue, type: string): Misfit | undefined {
  return misfitOf(new JsonLeaf(`${member.key}`, member.keySpan, member.key), type);
}
