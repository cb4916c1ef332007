import type { JsonValue } from "../../../formats/json/value.js";
import { SphexError } from "../../../language/source/problem.js";
import { fedWhole } from "../../documents/fed-values.js";
import { type FieldExpectation, problem } from "../messages.js";

/** What the JSON of a document has for arrays, weighted sets, structs and maps. */

/** Numbers by label. */
export type Weights = ReadonlyMap<string, number>;

/**
 * The weights of a weighted set: an object of keys, as feeds have it, or a list of items, as results do.
 * @throws SphexError where it is neither, or where a weight is no whole number.
 */
export function weights(value: JsonValue | undefined): Weights {
  const found = new Map<string, number>();
  if (value === undefined || value.kind === "null") return found;
  if (value.kind !== "array" && value.kind !== "object") throw unfit(value, value, "object of weights");
  for (const each of value.items()) {
    const key = value.kind === "array" ? labelOf(each.member("item")) : `${each.key}`;
    const written = value.kind === "array" ? each.member("weight") : each;
    if (key === undefined || written === undefined) throw unfit(value, each, "item with its weight");
    const weight = fedWhole(written);
    if (weight === undefined) throw unfit(value, written, "whole number");
    found.set(key, Number(weight));
  }
  return found;
}

/** What a document has for a collection, and what of it is wrong. */
function unfit(collection: JsonValue, found: JsonValue, expected: FieldExpectation): SphexError {
  const values = { field: `${collection.key}`, type: "weightedset", found, expected };
  return new SphexError([problem("ranking/field", found.span, values)]);
}

/** Texts and numbers can be labels. A whole number is one digit by digit, however large. */
export function labelOf(value: JsonValue | undefined): string | undefined {
  const number = value?.number;
  if (value === undefined || number === undefined) return value?.string;
  const isExact = Number.isSafeInteger(number) || !/^-?\d+$/.test(value.written);
  return isExact ? `${number}` : value.written;
}
