import { TensorType } from "../types/type.js";
import { Tensor } from "../values/tensor.js";
import type { Node } from "./operations.js";
import { partsOf } from "./rebuild.js";

/**
 * Whether nodes of two graphs are the same computations: the same operations, node for node, on the same parts. An input of the first
 * graph may have another name in the second.
 */
export function isSameGraph(
  ones: readonly Node[],
  others: readonly Node[],
  nameOfInput: (name: string) => string,
): boolean {
  const same = new Map<Node, Node>();
  const open: (readonly [Node, Node])[] = [];
  const pair = (left: readonly Node[], right: readonly Node[]): boolean => {
    for (const [at, one] of left.entries()) {
      const other = right[at];
      if (other !== undefined) open.push([one, other]);
    }
    return left.length === right.length;
  };
  if (!pair(ones, others)) return false;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [one, other] = next;
    const before = same.get(one);
    if (before !== undefined && before !== other) return false;
    if (before !== undefined) continue;
    same.set(one, other);
    const renamed = one.op === "input" ? { ...one, name: nameOfInput(one.name) } : one;
    if (settingsOf(renamed) !== settingsOf(other) || !hasSameCells(one, other)) return false;
    if (!pair(partsOf(one), partsOf(other))) return false;
  }
  // Two draws of random numbers are never one.
  return new Set(same.values()).size === same.size;
}

/** What says where a node comes from, follows from its parts, or is for readers. */
const passedOver = new Set(["id", "identity", "depends", "contains", "span", "definition", "names"]);

/** All that a node is besides its parts and the cells of a constant, as a text. */
const settingsOf = (node: Node): string =>
  JSON.stringify(node, (key, value: unknown) => {
    if (value instanceof TensorType) return `${value}`;
    const isPart = key !== "" && typeof value === "object" && value !== null && "op" in value;
    return passedOver.has(key) || isPart || value instanceof Tensor ? undefined : value;
  });

const hasSameCells = (one: Node, other: Node): boolean =>
  one.op !== "constant" || (other.op === "constant" && one.value.equals(other.value));
