import { inputsOf, lambdaOf, type Node, type NodeOf, visit } from "../../../../language/core/operations.js";

/**
 * Which nodes are computed from one of a kind, in any branch or body. Of a graph that has none each node is visited once,
 * however many of them are asked about.
 */
export class Origins {
  private readonly cache = new WeakMap<Node, boolean>();

  /** `fallbacksOf` tells what stands for an input that is absent. */
  constructor(
    private readonly isOfKind: (node: Node) => boolean,
    private readonly fallbacksOf: (node: NodeOf<"input">) => readonly Node[],
  ) {}

  /** Whether a node is of the kind, or computed from one that is. */
  has(root: Node): boolean {
    const cached = this.cache.get(root);
    if (cached !== undefined) return cached;
    const open = [root];
    const seen = new Set<Node>(open);
    let isFound = false;
    for (let node = open.pop(); node !== undefined && !isFound; node = open.pop()) {
      isFound = this.cache.get(node) ?? this.isOfKind(node);
      for (const part of this.partsOf(node)) {
        if (!seen.has(part) && this.cache.get(part) !== false) open.push(part);
        seen.add(part);
      }
    }
    // Of a graph that has none no part has one.
    if (!isFound) for (const node of seen) this.cache.set(node, false);
    this.cache.set(root, isFound);
    return isFound;
  }

  private partsOf(node: Node): readonly Node[] {
    if (node.op === "input") return this.fallbacksOf(node);
    const lambda = lambdaOf(node);
    return lambda === undefined ? visit(inputsOf, node) : [...visit(inputsOf, node), lambda.body];
  }
}
