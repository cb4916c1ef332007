import type { Graph } from "../language/core/graph.js";
import { bitsOf, type Node, type OperationName, reaches } from "../language/core/operations.js";
import { partsOf, rebuilt } from "../language/core/rebuild.js";
import type { Spend } from "../language/limits/spend.js";
import type { ScalarName } from "../language/scalar/functions.js";
import type { RewriteRule } from "./rewrite-rule.js";

const none: readonly RewriteRule[] = [];

/**
 * Rewrites a graph from its inputs up, node by node: each is rebuilt on what its parts have become, and then replaced as
 * long as a rule applies. What nothing changes stays the same node. No recursion, since graphs may be deep.
 */
export class Rewriting {
  /** What nodes have become. */
  private readonly results = new Map<Node, Node>();
  /** What rules made of nodes, until it is rewritten itself. */
  private readonly replaced = new Map<Node, Node>();
  /** The operations that there are rules for: what is made of none of them stays as it is. */
  private readonly concerned: number;
  private readonly rules = new Map<OperationName, RewriteRule[]>();
  /** Those of single scalar functions. */
  private readonly functions = new Map<ScalarName, RewriteRule[]>();
  /** The rules that were applied. */
  readonly appliedRules = new Set<RewriteRule>();

  constructor(
    private readonly graph: Graph,
    rules: readonly RewriteRule[],
    private readonly spend?: Spend,
  ) {
    this.concerned = bitsOf(rules.map((rule) => rule.of));
    for (const rule of rules) {
      if (rule.function === undefined) this.rules.set(rule.of, [...(this.rules.get(rule.of) ?? none), rule]);
      else this.functions.set(rule.function, [...(this.functions.get(rule.function) ?? none), rule]);
    }
  }

  readonly to = (node: Node): Node => this.results.get(node) ?? node;

  rewrite(root: Node): Node {
    const open = [root];
    for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
      const next = this.results.has(node) ? [] : this.step(node);
      this.spend?.(1, node.span);
      if (next.length === 0) open.pop();
      for (const each of next) open.push(each);
    }
    return this.to(root);
  }

  /** What must be rewritten first; nothing where it has been found what the node became. */
  private step(node: Node): readonly Node[] {
    const before = this.replaced.get(node);
    if (before !== undefined) {
      this.results.set(node, this.to(before));
      return [];
    }
    if (!reaches(node, this.concerned)) {
      this.results.set(node, node);
      return [];
    }
    const parts = partsOf(node);
    if (!parts.every((part) => this.results.has(part)))
      return parts.filter((part) => !this.results.has(part));
    const same = rebuilt(node, parts, this.to, this.graph);
    const other = this.applied(same);
    if (other === undefined) {
      this.results.set(same, same);
      this.results.set(node, same);
      return [];
    }
    this.replaced.set(node, other);
    return this.results.has(other) ? [node] : [other];
  }

  /** What the first rule that applies makes of a node. */
  private applied(node: Node): Node | undefined {
    return this.first(this.rules.get(node.op) ?? none, node) ?? this.ofFunction(node);
  }

  private ofFunction(node: Node): Node | undefined {
    return node.op === "apply" ? this.first(this.functions.get(node.function) ?? none, node) : undefined;
  }

  private first(rules: readonly RewriteRule[], node: Node): Node | undefined {
    for (const rule of rules) {
      const other = rule.rewrite(node, this.graph);
      if (other === undefined || other === node) continue;
      if (!other.type.equals(node.type))
        throw new Error(`${rule.description}: ${node.type} became ${other.type}`);
      this.appliedRules.add(rule);
      return other;
    }
    return undefined;
  }
}
