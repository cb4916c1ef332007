import type { JsonValue } from "../../../formats/json/value.js";
import { element } from "../../../language/values/element.js";
import { leadingNumber } from "../../package/model/engine-numbers.js";
import type { Field } from "../../package/model/model.js";
import { sumOf } from "../../text/sum.js";
import { weights } from "../document/collection-values.js";
import type { Document } from "../document/document.js";
import { leadingWhole } from "../document/leading-whole.js";
import { storedField } from "../document/stored-values.js";
import { labels } from "./collections.js";
import { listedNumbers, weightedItems } from "./query-vectors.js";

/**
 * `dotProduct(a,v)`: the products of what an attribute and a vector of the query have under the same key, added up. The
 * keys of an array are its indexes.
 */
export function dotProduct(vector: string, field: Field): (document: Document) => number {
  const { collection, type } = storedField(field);
  if (collection === "array") return type?.kind === "text" ? () => 0 : ofArray(vector, field);
  const queried = weightedItems(vector).map(([key, weight]) => {
    const canonical = type?.kind === "whole" ? `${leadingWhole(key, 64)}` : key;
    return [canonical, leadingNumber(weight) ?? 0] as const;
  });
  return (document) => {
    const own = document.weights(field);
    return sumOf(queried, ([key, weight]) => weight * (own.get(key) ?? 0));
  };
}

function ofArray(vector: string, field: Field): (document: Document) => number {
  const queried = [...listedNumbers(vector, storedField(field).type?.kind === "whole")];
  return (document) => {
    const own = document.storedElements(field);
    const found = queried.filter(([index]) => index < own.length);
    return sumOf(found, ([index, number]) => number * element(own, index));
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
