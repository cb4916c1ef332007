import type { Node, NodeOf } from "../../../language/core/operations.js";
import { isEager } from "./eager.js";
import { ForestBuilder, type PackedForest } from "./packing.js";
import { type DecisionProgram, ProgramBuilder } from "./program.js";

export type Forest = PackedForest | DecisionProgram;

/**
 * A sum of decision trees, or one tree: `if` of scalars within `if`, whose leaves are numbers, and whose conditions
 * are arithmetic of numbers that are quickly known. Terms of the sum that are no trees are added in their turn.
 */

/** Fewer decisions than these are as quickly computed all together; */
const fewestDecisions = 16;

/** and fewer than these for many cells at once, in lanes. */
const fewestOfMany = 500;

/** A number is fetched for each cell in the time of so many decisions in lanes. */
const decisionsOfNumber = 8;

/** More numbers than these are not computed before a walk, which may come to few of them. */
const mostComputations = 8;

/** How often a forest is walked in a run, and what of it counts as a tree. */
interface Walks {
  readonly isTree: (term: Node) => boolean;
  /** The terms of a sum, packed, as a forest, unless something else is faster. */
  readonly finished: (packing: ForestBuilder, terms: readonly Node[]) => Forest | undefined;
  readonly found: WeakMap<Node, Forest | undefined>;
}

/** Once: of a tree no more is computed than it comes to. */
const single: Walks = {
  isTree: (term) => term.op === "select" && isEager(term),
  finished: (packing, terms) => {
    if (packing.decisions < fewestDecisions) return undefined;
    if (packing.computations <= mostComputations) return packing.finish();
    // Thresholds would be of too many numbers.
    const program = new ProgramBuilder();
    for (const term of terms) program.addTerm(term);
    return program.finish();
  },
  found: new WeakMap(),
};

/** For each cell of a loop, which would compute all branches, and computes all numbers that a forest looks at. */
const many: Walks = {
  isTree: (term) => term.op === "select",
  finished: (packing) =>
    packing.decisions < Math.max(fewestOfMany, packing.numbers * decisionsOfNumber)
      ? undefined
      : packing.finish(),
  found: new WeakMap(),
};

/** The forest that a node is, if it is one; of the values of many cells where it stands in a body, or all are those of a batch. */
export function forestOf(node: Node, isBatch: boolean): Forest | undefined {
  if (!node.type.isScalar || (node.op !== "select" && !isSum(node))) return undefined;
  const { isTree, finished, found } = isBatch || node.depends !== 0 ? many : single;
  if (found.has(node)) return found.get(node);
  const terms = termsOf(node);
  const packing = new ForestBuilder(isTree);
  for (const term of terms) packing.addTerm(term);
  const forest = finished(packing, terms);
  found.set(node, forest);
  // What is too small as a whole has no part that is large enough, and what looks at too many numbers is not searched for one that does not.
  if (forest === undefined)
    for (const part of [...leadingSums(node), ...packing.choices()]) found.set(part, undefined);
  return forest;
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
