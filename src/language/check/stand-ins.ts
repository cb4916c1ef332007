import type { Graph } from "../core/graph.js";
import type { Node } from "../core/operations.js";
import { type Substitution, substituted, substitution } from "../core/rebuild.js";

/** Nodes in the place of values, so that derivatives in them can tell them from equal values. They are gone when a program is checked. */
export class StandIns {
  /** The value of each, in which those before it may stand. */
  private readonly values = new Map<Node, Node>();
  /** The same, with all of these replaced. */
  private readonly resolvedValues = new Map<Node, Node>();

  constructor(private readonly graph: Graph) {}

  add(node: Node, value: Node): void {
    this.values.set(node, value);
    this.resolvedValues.set(node, this.resolved(value));
  }

  valueOf(node: Node): Node {
    return this.resolvedValues.get(node) ?? node;
  }

  /** Values instead of what stands for them. */
  get resolved(): Substitution {
    return this.resolvedValues.size === 0 ? (node) => node : substitution(this.resolvedValues, this.graph);
  }

  /** Values instead of what stands for them, but for one node: a derivative in it follows all ways that lead there. */
  resolvedBut(variable: Node): Substitution {
    const others = new Map<Node, Node>();
    for (const [node, value] of this.values)
      if (node !== variable) others.set(node, substituted(value, others, this.graph));
    return others.size === 0 ? (node) => node : substitution(others, this.graph);
  }
}
