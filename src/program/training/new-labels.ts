import { inputsOf, type Node, visit } from "../../language/core/operations.js";
import { element } from "../../language/values/element.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Labels } from "../../language/values/tensor-storage.js";

/** A node and all that it is computed from. */
export function below(root: Node): ReadonlySet<Node> {
  const found = new Set([root]);
  for (const node of found) for (const input of visit(inputsOf, node)) found.add(input);
  return found;
}

/**
 * The inputs and retained tensors that have the labels of a value along its only mapped dimension; nothing where it has several, or some
 * labels may be from elsewhere, such as a literal, another dimension or a function of the host.
 */
export function labelSources(root: Node): readonly string[] | undefined {
  const [dimension, ...more] = root.type.mapped;
  if (dimension === undefined || more.length > 0) return undefined;
  const has = ({ type }: Node): boolean => type.dimension(dimension.name)?.kind === "mapped";
  const sources: string[] = [];
  for (const node of below(root)) {
    if (!has(node)) continue;
    if (node.op === "input") sources.push(node.name);
    else if (node.op === "host" || !visit(inputsOf, node).some(has)) return undefined;
    else if (node.op === "rename" && node.to.includes(dimension.name)) return undefined;
  }
  return sources;
}

/** Whether a tensor with one mapped dimension has all labels that others have along it. It takes time for those of the others. */
export function hasLabelsOf({ type, labels }: Tensor, others: readonly Tensor[]): boolean {
  const [dimension] = type.mapped;
  return others.every((other) => {
    const at = other.type.mapped.findIndex(({ name }) => name === dimension?.name);
    return at >= 0 && other.labels.every((row) => isAmong(element(row, at), labels));
  });
}

/** Whether a label has a row, by halving: rows are in the order of their labels. */
function isAmong(label: string, rows: Labels): boolean {
  let [first, end] = [0, rows.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    const own = element(element(rows, middle), 0);
    if (own === label) return true;
    if (own < label) first = middle + 1;
    else end = middle;
  }
  return false;
}
