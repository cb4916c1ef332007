import { stridesOf } from "../shape.js";
import { type AxisOrder, permuted } from "./axis-order.js";

/** A number, arrays by index, or objects by label, nested as the dimensions of a tensor are. */
export type NestedValue = number | NestedValue[] | { [label: string]: NestedValue };

/** What is nested of a tensor. */
interface NestedSource {
  readonly sizes: readonly number[];
  readonly labels: readonly (readonly string[])[];
  readonly blockCells: number;
  at(position: number): number;
}

/** The values of a tensor by label and index, in the order of some axes, those of labels first. */
export function nestedOf(tensor: NestedSource, order: AxisOrder): NestedValue {
  const [sizes, strides] = [tensor.sizes, stridesOf(tensor.sizes)].map((each) =>
    permuted(each, order.indexed),
  );
  const block = (start: number, level: number): NestedValue => {
    const [size, stride] = [sizes?.[level], strides?.[level]];
    if (size === undefined || stride === undefined) return tensor.at(start);
    return Array.from({ length: size }, (_, index) => block(start + index * stride, level + 1));
  };
  if (order.mapped.length === 0) return block(0, 0);
  const root: LabelLevel = new Map();
  for (const [row, labels] of tensor.labels.entries()) {
    const path = permuted(labels, order.mapped);
    const last = path.pop() ?? "";
    let level = root;
    for (const label of path) {
      const next = level.get(label);
      const inner: LabelLevel = next instanceof Map ? next : new Map();
      level.set(label, inner);
      level = inner;
    }
    level.set(last, block(row * tensor.blockCells, 0));
  }
  return objectOf(root);
}

/** Nested values by label, as they are collected; a map is a level that is not yet complete. */
type LabelLevel = Map<string, LabelLevel | NestedValue>;

function objectOf(level: LabelLevel): NestedValue {
  return Object.fromEntries(
    Array.from(level, ([label, inner]) => [label, inner instanceof Map ? objectOf(inner) : inner]),
  );
}
