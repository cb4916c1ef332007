import { LabelIndex } from "../../../language/values/labels/label-index.js";
import type { Tensor } from "../../../language/values/tensor.js";
import type { Labels } from "../../../language/values/tensor-storage.js";
import { ResultStorage } from "./result-storage.js";

/** The indexes of tensors' rows: one for each tensor, and the same one for tensors whose labels are equal, as far as they are found. */

const indexes = new WeakMap<object, LabelIndex>();

/** The index of a tensor's rows; the same one for the same tensor. */
export function indexOf({ origin }: Tensor): LabelIndex {
  const { storage } = origin;
  if (storage instanceof ResultStorage && storage.index !== undefined) return storage.index;
  const cached = indexes.get(origin);
  if (cached !== undefined) return cached;
  const index = indexes.get(origin.labels) ?? sharedIndex(origin.labels, origin.type.mapped.length);
  indexes.set(origin, index);
  indexes.set(origin.labels, index);
  return index;
}

/** Indexes of few rows by their labels, the latest last: tensors of the same labels share one, and with it their plans. */
const recent = new Map<string, LabelIndex>();
const mostRecent = 512;
const fewRows = 256;

/** The labels of many rows that came last, which are not retained for that, and how many of them. */
let recentLabels: readonly WeakRef<Labels>[] = [];
const mostRecentLabels = 16;

function sharedIndex(labels: Labels, width: number): LabelIndex {
  if (labels.length > fewRows) return indexOfMany(labels, width);
  let key = `${width}`;
  for (const row of labels) for (const label of row) key += `,${label.length}:${label}`;
  const index = recent.get(key) ?? LabelIndex.of(labels, width);
  recent.delete(key);
  recent.set(key, index);
  const [oldest = ""] = recent.keys();
  if (recent.size > mostRecent) recent.delete(oldest);
  return index;
}

/** A host that makes a tensor anew for each run gives it the same labels, as a rule. */
function indexOfMany(labels: Labels, width: number): LabelIndex {
  for (const reference of recentLabels) {
    const others = reference.deref();
    const index = others !== undefined && areEqual(labels, others) ? indexes.get(others) : undefined;
    if (index?.columns.length === width) return index;
  }
  recentLabels = [new WeakRef(labels), ...recentLabels.slice(0, mostRecentLabels - 1)];
  return LabelIndex.of(labels, width);
}

const areEqual = (labels: Labels, others: Labels): boolean =>
  labels.length === others.length &&
  labels.every((row, at) => row.every((label, position) => label === others[at]?.[position]));
