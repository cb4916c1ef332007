import { LabelIndex } from "../../../language/values/label-index.js";
import type { Tensor } from "../../../language/values/tensor.js";

/** The indexes of tensors' rows: one for each tensor, and the same one for tensors whose few labels are equal. */

const indexes = new WeakMap<object, LabelIndex>();

/** The index of a tensor's rows; the same one for the same tensor. */
export function indexOf({ origin }: Tensor): LabelIndex {
  const cached = indexes.get(origin);
  if (cached !== undefined) return cached;
  const index = indexes.get(origin.labels) ?? sharedIndex(origin.labels, origin.type.mapped.length);
  indexes.set(origin, index);
  indexes.set(origin.labels, index);
  return index;
}

/** Tells the index of a tensor whose labels were not read yet. */
export function setIndex(tensor: Tensor, index: LabelIndex): void {
  indexes.set(tensor, index);
}

/** Indexes of few rows by their labels, the latest last: tensors of the same labels share one, and with it their plans. */
const recent = new Map<string, LabelIndex>();
const mostRecent = 512;
const fewRows = 256;

function sharedIndex(labels: Tensor["labels"], width: number): LabelIndex {
  if (labels.length > fewRows) return LabelIndex.of(labels, width);
  let key = `${width}`;
  for (const row of labels) for (const label of row) key += `,${label.length}:${label}`;
  const index = recent.get(key) ?? LabelIndex.of(labels, width);
  recent.delete(key);
  recent.set(key, index);
  const [oldest = ""] = recent.keys();
  if (recent.size > mostRecent) recent.delete(oldest);
  return index;
}
