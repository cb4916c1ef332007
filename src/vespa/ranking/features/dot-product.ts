import type { JsonValue } from "../../../formats/json/value.js";
import { fedNumber } from "../../documents/fed-values.js";
import type { Field } from "../../package/model/model.js";
import { weights } from "../document/collection-values.js";
import type { Document } from "../document/document.js";
import { labels } from "./collections.js";

/**
 * `dotProduct(a,v)`: the products of what an attribute and a vector of the query have under the same key, added up. The
 * keys of an array are its indexes. The vector is written `{x:2,y:4}`, or `[2 4]` for the indexes from 0.
 */
export function dotProduct(vector: string, field: Field): (document: Document) => number {
  const queried = weightsIn(vector);
  const isArray = /^array\b/.test(field.typeText.trim());
  return (document) => {
    const own = isArray ? numbersOf(document.json(field.name.text)) : document.weights(field);
    let sum = 0;
    for (const [key, weight] of queried) sum += weight * (own.get(key) ?? 0);
    return sum;
  };
}

/** The score of an operator `dotProduct` or `wand`: values of arrays weigh 1, and letters count in any case. */
export function operatorProduct(
  queried: ReadonlyMap<string, number>,
): (value: JsonValue | undefined) => number {
  const weightsOfQuery = new Map([...queried].map(([key, weight]) => [key.toLowerCase(), weight] as const));
  return (value) => {
    let sum = 0;
    for (const [key, weight] of hasWeights(value) ? weights(value) : labels.ofValue(value))
      sum += weight * (weightsOfQuery.get(key.toLowerCase()) ?? 0);
    return sum;
  };
}

/** Whether values have weights: as members of an object, or in a list of items. */
function hasWeights(value: JsonValue | undefined): boolean {
  const [first] = value?.items() ?? [];
  return value?.kind === "object" || first?.kind === "object";
}

function numbersOf(value: JsonValue | undefined): Map<string, number> {
  const items = value?.kind === "array" ? [...value.items()] : [];
  return new Map(items.map((each, at) => [`${at}`, fedNumber(each) ?? 0]));
}

function weightsIn(text: string): Map<string, number> {
  const inner = text.trim().slice(1, -1);
  if (text.trim().startsWith("[")) {
    const numbers = inner.split(/[\s,]+/).filter((each) => each !== "");
    return new Map(numbers.map((each, at) => [`${at}`, Number(each)]));
  }
  const pairs = inner.split(",").map((each): [string, number] => {
    const colon = each.lastIndexOf(":");
    return [each.slice(0, Math.max(0, colon)).trim(), Number(each.slice(colon + 1))];
  });
  return new Map(pairs.filter(([key, weight]) => key !== "" && !Number.isNaN(weight)));
}
