import { below } from "../../../language/check/waiting.js";
import { inputsOf, type Node, visit } from "../../../language/core/operations.js";
import { element } from "../../../language/values/element.js";
import type { Tensor } from "../../../language/values/tensor.js";
import type { Labels } from "../../../language/values/tensor-storage.js";

/**
 * The inputs and retained tensors that have the labels of a value along a mapped dimension; nothing where some labels may be from elsewhere,
 * such as a literal, another dimension or a function of the host.
 */
export function labelSources(root: Node, dimension: string): readonly string[] | undefined {
  const has = ({ type }: Node): boolean => type.dimension(dimension)?.kind === "mapped";
  const sources: string[] = [];
  for (const node of below(root)) {
    if (!has(node)) continue;
    if (node.op === "input") sources.push(node.name);
    else if (node.op === "host" || !visit(inputsOf, node).some(has)) return undefined;
    else if (node.op === "rename" && node.to.includes(dimension)) return undefined;
  }
  return sources;
}

/** Whether a tensor with one mapped dimension has all labels that others have along it. It takes time for those of the others. */
export function hasLabelsOf({ type, labels }: Tensor, others: readonly Tensor[]): boolean {
  const [dimension] = type.mapped;
  return others.every((other) => {
    const at = other.type.mapped.findIndex(({ name }) => name === dimension?.name);
    return at >= 0 && other.labels.every((row) => rowOfLabel(element(row, at), labels) !== undefined);
  });
}

/** The row of a label, by halving: rows are in the order of their labels, of which each has one. */
export function rowOfLabel(label: string, rows: Labels): number | undefined {
  let [first, end] = [0, rows.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    const own = element(element(rows, middle), 0);
    if (own === label) return middle;
    if (own < label) first = middle + 1;
    else end = middle;
  }
  return undefined;
}
