import type { Node, NodeOf } from "../../../language/core/operations.js";
import { ForestBuilder, type PackedForest } from "./packing.js";
import { type DecisionProgram, ProgramBuilder } from "./program.js";

export type Forest = PackedForest | DecisionProgram;

/**
 * A sum of decision trees, or one tree: `if` of scalars within `if`, whose leaves are numbers, and whose conditions
 * are arithmetic of numbers that are quickly known. Terms of the sum that are no trees are added in their turn.
 */

/** Fewer decisions than these are as quickly computed all together. */
const fewestDecisions = 16;

/** More numbers than these are not computed before a walk, which may come to few of them. */
const mostComputations = 8;

const cache = new WeakMap<Node, Forest | undefined>();

/** The forest that a node is, if it is one. */
export function forestOf(node: Node): Forest | undefined {
  if (node.depends !== 0 || (node.op !== "select" && !isSum(node))) return undefined;
  if (cache.has(node)) return cache.get(node);
  const terms = termsOf(node);
  const packing = new ForestBuilder();
  for (const term of terms) packing.addTerm(term);
  const packed = packing.decisions < fewestDecisions ? undefined : finished(packing, terms);
  cache.set(node, packed);
  // What is too small as a whole has no part that is large enough.
  if (packed === undefined) for (const leadingSum of leadingSums(node)) cache.set(leadingSum, undefined);
  return packed;
}

/** The forest in arrays of thresholds, or, where these would be of too many numbers, as a program. */
function finished(packing: ForestBuilder, terms: readonly Node[]): Forest {
  if (packing.computations <= mostComputations) return packing.finish();
  const program = new ProgramBuilder();
  for (const term of terms) program.addTerm(term);
  return program.finish();
}

type Sum = NodeOf<"apply">;

const isSum = (node: Node): node is Sum => node.op === "apply" && node.function === "add";

/** The sums that a sum begins with: (a + b) + c begins with a + b. */
function* leadingSums(node: Node): Generator<Node> {
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
