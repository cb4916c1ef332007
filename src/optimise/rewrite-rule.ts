import type { Graph } from "../language/core/graph.js";
import type { Node, NodeOf, OperationName } from "../language/core/operations.js";
import type { ScalarName } from "../language/scalar/functions.js";

/**
 * A rule replaces one expression by another: whatever the inputs are, NaN, infinities, zeros of both signs and
 * no cells at all among them, both have the same type and the same cells. Only sums may differ, by as much as adding
 * up in another order does (D16). No rule drops a value that depends on an input, since a run that lacks the input must be refused.
 */
export interface RewriteRule {
  readonly of: OperationName;
  /** Of a scalar function, which one; absent for any. */
  readonly function?: ScalarName;
  /** In a line, such as `x * 1 = x`. */
  readonly description: string;
  /** The right side, where the node is a left side. */
  readonly rewrite: (node: Node, graph: Graph) => Node | undefined;
}

/** Rules that are applied together, until none of them changes anything. */
export interface Pass {
  readonly name: string;
  /** In a few words, what it is for. */
  readonly description: string;
  readonly rules: readonly RewriteRule[];
}

export function rule<O extends OperationName>(
  of: O,
  description: string,
  rewrite: (node: NodeOf<O>, graph: Graph) => Node | undefined,
): RewriteRule {
  return { of, description, rewrite: (node, graph) => (isOf(node, of) ? rewrite(node, graph) : undefined) };
}

const isOf = <O extends OperationName>(node: Node, operation: O): node is NodeOf<O> => node.op === operation;
