import { levelBit } from "../../../language/core/graph.js";
import type { Node } from "../../../language/core/operations.js";
import type { Value } from "./value.js";

/** The values of the nodes of one closed graph, by the innermost binder that they depend on. */
export class Scope {
  private readonly values: Map<Node, Value>[] = [];
  private readonly chosen = new Map<Node, readonly Node[]>();
  private readonly parameters: (readonly Value[])[] = [];

  known(node: Node): Value | undefined {
    return this.values[levelOf(node)]?.get(node);
  }

  /** The value of a node that was planned before. */
  value(node: Node): Value {
    const value = this.known(node);
    if (value === undefined) throw new Error(`node ${node.id} was not planned before it was needed`);
    return value;
  }

  set(node: Node, value: Value): void {
    this.level(levelOf(node)).set(node, value);
  }

  parameter(level: number, position: number): Value | undefined {
    return this.parameters[level]?.[position];
  }

  /** The branches of a choice that are needed, as far as it is known. */
  branches(node: Node): readonly Node[] | undefined {
    return this.chosen.get(node);
  }

  choose(node: Node, branches: readonly Node[]): void {
    this.chosen.set(node, branches);
  }

  /** Binds the parameters of a level; what was known of values that depend on it is forgotten. */
  bind(level: number, parameters: readonly Value[]): this {
    this.parameters[level] = parameters;
    this.chosen.clear();
    const bit = levelBit(level);
    for (let at = 32 - Math.clz32(bit); at < this.values.length; at++) this.values[at]?.clear();
    return this;
  }

  private level(level: number): Map<Node, Value> {
    while (this.values.length <= level) this.values.push(new Map());
    return this.values[level] ?? new Map();
  }
}

const levelOf = (node: Node): number => 32 - Math.clz32(node.depends);
