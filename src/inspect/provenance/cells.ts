import type { TensorType } from "../../language/types/type.js";
import type { TextAddress } from "../../language/values/address.js";
import { compareLabels, labelKey } from "../../language/values/data/rows.js";
import { element } from "../../language/values/element.js";
import { offsetsOf, stridesOf } from "../../language/values/shape.js";
import type { Tensor } from "../../language/values/tensor.js";
import { labelsAt } from "../../language/values/text.js";

/** Finding cells by some or all of their labels, and the other way round. */

/** The label of a dimension, whatever it is called; the empty text where the address has none. */
export const labelAt = (address: TextAddress, name: string): string =>
  (Object.hasOwn(address, name) ? address[name] : undefined) ?? "";

/** The part of an address that is about the dimensions of a type. */
export function addressWithin(address: TextAddress, type: TensorType): TextAddress {
  return Object.fromEntries(type.names.map((name) => [name, labelAt(address, name)]));
}

/** The address of the first cell in the block that an address is in. */
export function firstOfBlock(address: TextAddress, type: TensorType): TextAddress {
  return Object.fromEntries(
    type.dimensions.map(({ name, kind }) => [name, kind === "mapped" ? labelAt(address, name) : "0"]),
  );
}

export function addressAt(tensor: Tensor, position: number): TextAddress {
  const labels = labelsAt(tensor, position);
  return Object.fromEntries(tensor.type.names.map((name, at) => [name, element(labels, at)]));
}

/** The positions of all cells that have these labels, in canonical order; dimensions that are not named may be any. */
export function* positionsAt(tensor: Tensor, labels: TextAddress): Generator<number> {
  const strides = stridesOf(tensor.sizes);
  const free: { readonly size: number; readonly stride: number }[] = [];
  let start = 0;
  for (const [at, { name }] of tensor.type.indexed.entries()) {
    const [size, stride] = [element(tensor.sizes, at), element(strides, at)];
    if (Object.hasOwn(labels, name)) {
      const index = indexOf(labelAt(labels, name));
      if (index < 0 || index >= size) return;
      start += index * stride;
    } else free.push({ size, stride });
  }
  const rows = rowsAt(tensor, labels);
  const offsets = offsetsOf(
    free.map(({ size }) => size),
    free.map(({ stride }) => stride),
    rows.length,
  );
  for (const row of rows) {
    for (const offset of offsets) yield row * tensor.blockCells + start + offset;
  }
}

/** The cell at a whole address, or nothing. */
export function cellAt(tensor: Tensor, address: TextAddress): number | undefined {
  for (const position of positionsAt(tensor, address)) return tensor.at(position);
  return undefined;
}

/** A label of an indexed dimension as a number; -1 for what is none. */
export const indexOf = (label: string): number => (/^(?:0|[1-9]\d*)$/.test(label) ? Number(label) : -1);

type RowsByLabels = ReadonlyMap<string, readonly number[]>;
const rowsCache = new WeakMap<Tensor, Map<string, RowsByLabels>>();

/**
 * The rows that have these labels in the mapped dimensions that are named. Where all are named, the row is looked for in their
 * order; otherwise each tensor is gone through once.
 */
export function rowsAt(tensor: Tensor, labels: TextAddress): readonly number[] {
  const { mapped } = tensor.type;
  const positions = mapped.flatMap(({ name }, at) => (Object.hasOwn(labels, name) ? [at] : []));
  if (positions.length === mapped.length) {
    const row = rowOf(
      tensor.labels,
      mapped.map(({ name }) => labelAt(labels, name)),
    );
    return row === undefined ? [] : [row];
  }
  const ofTensor = rowsCache.get(tensor) ?? new Map<string, RowsByLabels>();
  rowsCache.set(tensor, ofTensor);
  const rows = ofTensor.get(positions.join()) ?? grouped(tensor, positions);
  ofTensor.set(positions.join(), rows);
  return (
    rows.get(labelKey(positions.map((at) => labelAt(labels, element(tensor.type.mapped, at).name)))) ?? []
  );
}

/** The one of the rows, which are in canonical order, that has these labels. */
function rowOf(rows: Tensor["labels"], labels: readonly string[]): number | undefined {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareLabels(element(rows, middle), labels) < 0) low = middle + 1;
    else high = middle;
  }
  const found = rows[low];
  return found !== undefined && compareLabels(found, labels) === 0 ? low : undefined;
}

function grouped(tensor: Tensor, positions: readonly number[]): RowsByLabels {
  const rows = new Map<string, number[]>();
  for (const [row, labels] of tensor.labels.entries()) {
    const key = labelKey(positions.map((at) => element(labels, at)));
    const group = rows.get(key);
    if (group === undefined) rows.set(key, [row]);
    else group.push(row);
  }
  return rows;
}
