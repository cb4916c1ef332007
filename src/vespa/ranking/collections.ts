import type { JsonValue } from "../../formats/json/value.js";
import { TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";

/**
 * Tensors of what is no tensor in a document or a query: labels of arrays, weights of weighted sets, members of structs.
 * What is missing, or of another shape, makes an empty tensor, as it does in Vespa.
 */

const mappedBy = (cellType: "double" | "float", names: readonly string[]): TensorType =>
  TensorType.of(
    cellType,
    names.map((name) => ({ name, kind: "mapped" as const })),
  );

export const weightsType = (dimension: string): TensorType => mappedBy("double", [dimension]);
export const structsType = mappedBy;

/** Numbers by label. */
export type Weights = ReadonlyMap<string, number>;

/** What makes weights of a collection, by the ways to write one. */
export interface Collection {
  /** A field as feeds have it. */
  readonly ofValue: (value: JsonValue | undefined) => Weights;
  /** An input as queries have it: `[a,b]` or `{a:1,b:2}`. */
  readonly ofText: (text: string) => Weights;
}

/** `tensorFromLabels`: 1 for the value, or for each value of an array. */
export const labels: Collection = {
  ofValue: (value) => {
    const values = value?.kind === "array" ? [...value.items()] : [value];
    return new Map(values.flatMap((each) => labelOf(each) ?? []).map((label) => [label, 1]));
  },
  ofText: (text) => new Map(text.trim().startsWith("[") ? itemsOf(text).map((label) => [label, 1]) : []),
};

/** `tensorFromWeightedSet`: the weight of each key. */
export const weightedSet: Collection = {
  ofValue: weights,
  ofText: (text) => {
    if (text.trim().startsWith("[")) return new Map();
    const pairs = itemsOf(text).map((each): [string, number] => {
      const at = each.lastIndexOf(":");
      return [each.slice(0, Math.max(at, 0)).trim(), Number(each.slice(at + 1))];
    });
    return new Map(pairs.filter(([, weight]) => !Number.isNaN(weight)));
  },
};

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

/** A tensor of one dimension. */
export function fromWeights(cells: Weights, dimension: string): Tensor {
  return Tensor.from(
    weightsType(dimension),
    Array.from(cells, ([label, value]) => ({ address: Object.fromEntries([[dimension, label]]), value })),
  );
}

/**
 * `tensorFromStructs`: of each struct one cell, whose labels are some members of it and whose value is another. A map is a
 * list of structs with the members `key` and `value`.
 */
export function fromStructs(
  value: JsonValue | undefined,
  { keys, field, cellType }: { keys: readonly string[]; field: string; cellType: "double" | "float" },
): Tensor {
  const cells = new Map<string, { address: Record<string, string>; value: number }>();
  for (const memberOf of structsIn(value)) {
    const labels = keys.map((key) => memberOf(key).label);
    const cell = memberOf(field).number;
    if (cell === undefined || labels.includes(undefined)) continue;
    const address = Object.fromEntries(keys.map((key, at) => [key, labels[at] ?? ""]));
    cells.set(JSON.stringify(labels), { address, value: cell });
  }
  return Tensor.from(structsType(cellType, keys), [...cells.values()]);
}

/** A member of a struct, by its name. */
type MemberOf = (name: string) => { readonly label: string | undefined; readonly number: number | undefined };

function structsIn(value: JsonValue | undefined): MemberOf[] {
  const shown = (member: JsonValue | undefined): ReturnType<MemberOf> => ({
    ...{ label: labelOf(member), number: member?.number },
  });
  if (value?.kind === "array") return [...value.items()].map((each) => (name) => shown(each.member(name)));
  if (value?.kind !== "object") return [];
  return Array.from(value.entries(), ([key, each]) => (name) => {
    if (name === "key") return { label: key, number: undefined };
    return shown(name === "value" ? each : each.member(name.replace(/^value\./, "")));
  });
}

const itemsOf = (text: string): string[] =>
  text
    .trim()
    .replace(/^[[{]|[\]}]$/g, "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

/** Texts and numbers can be labels. A whole number is one digit by digit, however large. */
function labelOf(value: JsonValue | undefined): string | undefined {
  const number = value?.number;
  if (value === undefined || number === undefined) return value?.string;
  const isExact = Number.isSafeInteger(number) || !/^-?\d+$/.test(value.written);
  return isExact ? `${number}` : value.written;
}
