import { levelBit } from "../../../language/core/graph.js";
import type { Node } from "../../../language/core/operations.js";
import type { Value } from "../values/value.js";
import { isValue, type Planned } from "./planned.js";

/** What became of the nodes of one closed graph, by the innermost binder that they depend on. */
export class Scope {
  private readonly planned: Map<Node, Planned>[] = [];
  private readonly parameters: (readonly Value[])[] = [];

  /** `isBody`: whether the graph is that of a lambda, so that its nodes may stand for many values. */
  constructor(readonly isBody: boolean) {}

  get(node: Node): Planned | undefined {
    return this.planned[levelOf(node)]?.get(node);
  }

  /** The value of a node that was planned before, and has one. */
  value(node: Node): Value {
    const planned = this.get(node);
    if (planned === undefined || !isValue(planned))
      throw new Error(`node ${node.id} has no value that its user could see`);
    return planned;
  }

  set(node: Node, planned: Planned): void {
    this.level(levelOf(node)).set(node, planned);
  }

  parameter(level: number, position: number): Value | undefined {
    return this.parameters[level]?.[position];
  }

  /** Binds the parameters of a level; what depends on it, or on a level inside, is forgotten. */
  bind(level: number, parameters: readonly Value[]): this {
    this.parameters[level] = parameters;
    const bit = levelBit(level);
    for (let at = 32 - Math.clz32(bit); at < this.planned.length; at++) this.planned[at]?.clear();
    return this;
  }

  private level(level: number): Map<Node, Planned> {
    while (this.planned.length <= level) this.planned.push(new Map());
    const nodes = this.planned[level];
    if (nodes === undefined) throw new Error("levels are there from the first to the last");
    return nodes;
  }
}

const levelOf = (node: Node): number => 32 - Math.clz32(node.depends);
