import type { JsonValue } from "../../../formats/json/value.js";
import { TensorType } from "../../../language/types/type.js";
import { element } from "../../../language/values/element.js";
import { Tensor } from "../../../language/values/tensor.js";
import { fedText, fedWhole } from "../../documents/fed-values.js";
import type { Element } from "../../documents/members.js";
import type { Field } from "../../package/model/model.js";
import { labelOf, type Weights, weights } from "../document/collection-values.js";
import type { Document } from "../document/document.js";
import { present, type StoredType, storedField } from "../document/stored-values.js";
import { listedTexts, weightedItems, wholeWeight } from "./query-vectors.js";

/**
 * Tensors of what is no tensor in a document or a query: labels of arrays, weights of weighted sets, members of structs.
 * What is of another shape makes an empty tensor, as it does in Vespa.
 */

const mappedBy = (cellType: "double" | "float", names: readonly string[]): TensorType =>
  TensorType.of(
    cellType,
    names.map((name) => ({ name, kind: "mapped" as const })),
  );

export const weightsType = (dimension: string): TensorType => mappedBy("double", [dimension]);
export const structsType = mappedBy;

/** What makes weights of a collection, by the ways to write one. */
export interface Collection {
  /** A field as feeds have it. */
  readonly ofValue: (value: JsonValue | undefined) => Weights;
  /** The same of a document, by the type of the field. */
  readonly ofField: (document: Document, field: Field) => Weights;
  /** An input as queries have it: `[a b]` or `{a:1,b:2}`. */
  readonly ofText: (text: string) => Weights;
}

const none: Weights = new Map();
const ones = (found: readonly string[]): Weights => new Map(found.map((label) => [label, 1]));

/** `tensorFromLabels`: 1 for the value, or for each value of an array; none for numbers that are not whole. */
export const labels: Collection = {
  ofValue: (value) => {
    const values = value?.kind === "array" ? [...value.items()] : [value];
    return ones(values.flatMap((each) => labelOf(each) ?? []));
  },
  ofField: (document, field) => {
    const name = field.name.text;
    const { collection, type } = storedField(field);
    if (type === undefined) return labels.ofValue(document.json(name));
    if (type.kind === "float" || collection === "set") return none;
    const elements = collection === "array" ? document.elements(name) : [document.json(name)];
    return ones(elements.map((each) => storedLabel(each, type)));
  },
  ofText: (text) => ones(listedTexts(text)),
};

/** `tensorFromWeightedSet`: the weight of each key. */
export const weightedSet: Collection = {
  ofValue: weights,
  ofField: (document, field) => {
    const { collection, type } = storedField(field);
    const isSet = collection === "unknown" || (collection === "set" && type?.kind !== "float");
    return isSet ? document.weights(field) : none;
  },
  ofText: (text) => new Map(weightedItems(text).map(([key, weight]) => [key, wholeWeight(weight)])),
};

/** A tensor of one dimension. */
export function fromWeights(cells: Weights, dimension: string): Tensor {
  return Tensor.from(
    weightsType(dimension),
    Array.from(cells, ([label, value]) => ({ address: Object.fromEntries([[dimension, label]]), value })),
  );
}

/**
 * `tensorFromStructs`: of each struct one cell, whose labels are some members of it and whose value is another. A map is a
 * list of structs with the members `key` and `value`. A member that a struct lacks has the value that is stored for none.
 */
export function fromStructs(
  document: Document,
  { keys, field, cellType }: { keys: readonly Field[]; field: Field; cellType: "double" | "float" },
): Tensor {
  const names = keys.map((key) => memberOf(key.name.text));
  const types = keys.map((key) => storedField(key).type);
  const isEmpty = types.some((each) => each?.kind === "float") || storedField(field).type?.kind === "text";
  const values = isEmpty ? [] : document.storedElements(field);
  const columns = keys.map((key) => document.elements(key.name.text));
  const cells = new Map<string, { address: Record<string, string>; value: number }>();
  for (const [at, value] of values.entries()) {
    const labels = columns.map((column, key) => storedLabel(column[at], types[key]));
    const address = Object.fromEntries(names.map((name, key) => [name, element(labels, key)]));
    cells.set(JSON.stringify(labels), { address, value });
  }
  return Tensor.from(structsType(cellType, names), [...cells.values()]);
}

const memberOf = (name: string): string => name.slice(name.indexOf(".") + 1);

/** The label that a stored value becomes. */
function storedLabel(written: Element, type: StoredType | undefined): string {
  const element = present(written);
  if (typeof element === "string") return element;
  const whole = element !== undefined && type?.kind === "whole" ? fedWhole(element) : undefined;
  if (whole !== undefined) return `${BigInt(whole.replace("+", ""))}`;
  if (element?.kind === "boolean" && type?.kind !== "text") return `${Number(element.value)}`;
  if (element !== undefined) return (type?.kind === "text" ? fedText(element) : labelOf(element)) ?? "";
  return type?.kind === "whole" || type?.kind === "bool" ? `${BigInt(type.unset)}` : "";
}
