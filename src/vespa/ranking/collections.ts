import { isList, isObject, type Json, type JsonObject, member } from "../../formats/json/text.js";
import { TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";

/**
 * Tensors of what is no tensor in a document: labels of arrays, weights of weighted sets, members of structs. The
 * values are as feeds write them; what is missing, or of another shape, makes an empty tensor, as it does in Vespa.
 */

const mappedBy = (cellType: "double" | "float", names: readonly string[]): TensorType =>
  TensorType.of(
    cellType,
    names.map((name) => ({ name, kind: "mapped" as const })),
  );

export const labelsType = (dimension: string): TensorType => mappedBy("double", [dimension]);
export const structsType = mappedBy;

/** `tensorFromLabels`: 1 for the value, or for each value of an array. */
export function fromLabels(value: Json | undefined, dimension: string): Tensor {
  const values = isList(value) ? value : [value];
  return oneDimensional(
    dimension,
    values.flatMap((each) => labelOf(each) ?? []).map((label) => [label, 1]),
  );
}

/** `tensorFromWeightedSet`: the weight of each key. */
export function fromWeightedSet(value: Json | undefined, dimension: string): Tensor {
  return oneDimensional(dimension, [...weights(value)]);
}

/** The weights of a weighted set: an object of keys, as feeds have it, or a list of items, as results do. */
export function weights(value: Json | undefined): Map<string, number> {
  const entries = isObject(value)
    ? Object.entries(value)
    : isList(value)
      ? value.flatMap((each): [string, Json][] => {
          const key = isObject(each) ? labelOf(member(each, "item")) : undefined;
          return key === undefined ? [] : [[key, member(each as JsonObject, "weight") ?? null]];
        })
      : [];
  return new Map(entries.flatMap(([key, weight]) => (typeof weight === "number" ? [[key, weight]] : [])));
}

/** `tensorFromStructs`: of each struct one cell, whose labels are some members of it and whose value is another. */
export function fromStructs(
  value: Json | undefined,
  { keys, field, cellType }: { keys: readonly string[]; field: string; cellType: "double" | "float" },
): Tensor {
  const cells = new Map<string, { address: Record<string, string>; value: number }>();
  for (const each of isList(value) ? value : []) {
    if (!isObject(each)) continue;
    const labels = keys.map((key) => labelOf(member(each, key)));
    const cell = member(each, field);
    if (typeof cell !== "number" || labels.includes(undefined)) continue;
    const address = Object.fromEntries(keys.map((key, at) => [key, labels[at] ?? ""]));
    cells.set(JSON.stringify(labels), { address, value: cell });
  }
  return Tensor.from(structsType(cellType, keys), [...cells.values()]);
}

function oneDimensional(dimension: string, cells: readonly (readonly [string, number])[]): Tensor {
  const unique = new Map(cells);
  return Tensor.from(
    labelsType(dimension),
    [...unique].map(([label, value]) => ({ address: Object.fromEntries([[dimension, label]]), value })),
  );
}

/** Texts and numbers can be labels. */
function labelOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : typeof value === "number" ? `${value}` : undefined;
}
