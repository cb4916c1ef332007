import type { Node, NodeOf } from "../../../language/core/operations.js";
import { type Packed, Packing } from "./packing.js";

/**
 * A sum of decision trees, or one tree: `if` of scalars within `if`, whose leaves are numbers, and whose conditions
 * compare a number that is quickly known with another. Terms of the sum that are no trees are added in their turn.
 */

/** Fewer decisions than these are as quickly computed all together. */
const fewestDecisions = 16;

const known = new WeakMap<Node, Packed | undefined>();

/** The forest that a node is, if it is one. */
export function forestOf(node: Node): Packed | undefined {
  if (node.depends !== 0 || (node.op !== "select" && !isSum(node))) return undefined;
  if (known.has(node)) return known.get(node);
  const terms = termsOf(node);
  const packing = new Packing();
  for (const term of terms) packing.plant(term);
  const packed = packing.decisions < fewestDecisions ? undefined : packing.finish();
  known.set(node, packed);
  // What is too small as a whole has no part that is large enough.
  if (packed === undefined) for (const part of parts(node)) known.set(part, undefined);
  return packed;
}

type Sum = NodeOf<"apply">;

const isSum = (node: Node): node is Sum => node.op === "apply" && node.function === "add";

/** The sums that a sum begins with: (a + b) + c begins with a + b. */
function* parts(node: Node): Generator<Node> {
  for (let next: Node | undefined = node; next !== undefined && isSum(next); next = next.arguments[0])
    yield next;
}

/** The terms of a sum in the order in which they are added. */
function termsOf(node: Node): readonly Node[] {
  const terms: Node[] = [];
  let first: Node | undefined = node;
  while (first !== undefined && isSum(first)) {
    const [left, right]: readonly Node[] = first.arguments;
    if (right !== undefined) terms.push(right);
    first = left;
  }
  if (first !== undefined) terms.push(first);
  return terms.reverse();
}
