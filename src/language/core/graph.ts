import type { AggregatorName } from "../scalar/aggregators.js";
import type { ScalarName } from "../scalar/functions.js";
import type { Span } from "../source/span.js";
import * as algebra from "../types/algebra.js";
import { TensorType } from "../types/type.js";
import { Tensor } from "../values/tensor.js";
import {
  contentsOf,
  type HostOperation,
  inputsOf,
  type Lambda,
  type LiteralCell,
  type Node,
  type Operation,
  type Selection,
  type Site,
  visit,
} from "./operations.js";

/**
 * Builds the nodes of a program: computes the type of each and shares equal ones, so that a definition may name the same
 * expression twice at no cost. Operands must be well typed, which the checker has made sure of.
 */
export class Graph {
  /** By what an operation is and what it is of; numbers by themselves. */
  private readonly nodes = new Map<string | number, Node>();
  private readonly tensors = new Map<Tensor, number>();
  private count = 0;
  /** How many nodes draw random numbers, or call functions that are not pure. */
  draws = 0;
  /** The call whose expansion creates nodes: their span is where the outermost one stands. */
  site: Site | undefined;

  constant(value: Tensor, span: Span): Node {
    return this.node({ op: "constant", value }, value.type, span, this.constantKey(value));
  }

  number(value: number, span: Span): Node {
    return this.constant(Tensor.scalar(value, TensorType.scalar), span);
  }

  /** Scalars are shared by value, where -0 is not 0; tensors by identity. */
  private constantKey(value: Tensor): string | number {
    if (value.type.isScalar) return Object.is(value.at(0), -0) ? "constant -0" : value.at(0);
    const number = this.tensors.get(value) ?? this.tensors.size;
    this.tensors.set(value, number);
    return `constant tensor ${number}`;
  }

  input(name: string, type: TensorType, span: Span): Node {
    return this.node({ op: "input", name }, type, span, `input ${name} ${type}`);
  }

  parameter(level: number, position: number, type: TensorType, span: Span): Node {
    return this.node(
      { op: "parameter", level, position },
      type,
      span,
      `parameter ${level} ${position} ${type}`,
    );
  }

  /** Each call creates a node of its own: two draws are never one. */
  random(type: TensorType, level: number, span: Span): Node {
    this.draws++;
    return this.node({ op: "random", identity: this.count, level }, type, span, `random ${this.count}`);
  }

  apply(name: ScalarName, values: readonly Node[], span: Span): Node {
    return this.node(
      { op: "apply", function: name, arguments: values },
      TensorType.scalar,
      span,
      `${name} ${ids(values)}`,
    );
  }

  /** The value of either branch has the type that both generalise to. */
  select(condition: Node, yes: Node, no: Node, span: Span): Node {
    const type = algebra.branchType(yes.type, no.type);
    return this.node({ op: "select", condition, yes, no }, type, span, `select ${ids([condition, yes, no])}`);
  }

  map(tensor: Node, lambda: Lambda, span: Span): Node {
    return this.node(
      { op: "map", tensor, lambda },
      algebra.mapType(tensor.type),
      span,
      `map ${tensor.id} ${lambda.body.id}`,
    );
  }

  reduce(tensor: Node, aggregator: AggregatorName, over: readonly string[], span: Span): Node {
    const type = algebra.reduceType(tensor.type, over);
    return this.node(
      { op: "reduce", tensor, aggregator, over },
      type,
      span,
      `reduce ${tensor.id} ${aggregator} ${over}`,
    );
  }

  join(left: Node, right: Node, lambda: Lambda, span: Span): Node {
    const type = algebra.joinType(left.type, right.type, "join");
    return this.node(
      { op: "join", left, right, lambda },
      type,
      span,
      `join ${ids([left, right, lambda.body])}`,
    );
  }

  merge(left: Node, right: Node, lambda: Lambda, span: Span): Node {
    const type = algebra.mergeType(left.type, right.type);
    return this.node(
      { op: "merge", left, right, lambda },
      type,
      span,
      `merge ${ids([left, right, lambda.body])}`,
    );
  }

  rename(tensor: Node, from: readonly string[], to: readonly string[], span: Span): Node {
    const type = algebra.renameType(tensor.type, from, to);
    return this.node({ op: "rename", tensor, from, to }, type, span, `rename ${tensor.id} ${from} ${to}`);
  }

  /** Where other dimensions differ in size, the shorter tensor is padded with zeros, or the longer one cut (D3). */
  concat(left: Node, right: Node, along: string, pad: boolean, span: Span): Node {
    const type = algebra.concatType(left.type, right.type, along);
    return this.node(
      { op: "concat", left, right, along, pad },
      type,
      span,
      `concat ${ids([left, right])} ${along} ${pad}`,
    );
  }

  generate(type: TensorType, level: number, body: Node, span: Span): Node {
    return this.node({ op: "generate", level, body }, type, span, `generate ${type} ${level} ${body.id}`);
  }

  slice(tensor: Node, at: readonly Selection[], span: Span): Node {
    const type = algebra.sliceType(
      tensor.type,
      at.map((each) => each.dimension),
    );
    const key = at.map(
      ({ dimension, label }) =>
        `${dimension} ${typeof label === "string" ? JSON.stringify(label) : label.id}`,
    );
    return this.node({ op: "slice", tensor, at }, type, span, `slice ${tensor.id} ${key}`);
  }

  literal(type: TensorType, cells: readonly LiteralCell[], span: Span): Node {
    const key = cells.map(({ labels, offset, value }) => `${JSON.stringify(labels)}${offset}:${value.id}`);
    return this.node({ op: "literal", cells }, type, span, `literal ${type} ${key}`);
  }

  /** The same cells stored as another cell type, which may also generalise bound sizes to unbound ones. */
  cast(tensor: Node, type: TensorType, span: Span): Node {
    return type.equals(tensor.type)
      ? tensor
      : this.node({ op: "cast", tensor }, type, span, `cast ${tensor.id} ${type}`);
  }

  order(tensor: Node, descending: boolean, span: Span): Node {
    const type = algebra.mapType(tensor.type);
    return this.node({ op: "order", tensor, descending }, type, span, `order ${tensor.id} ${descending}`);
  }

  mapSubspaces(tensor: Node, lambda: Lambda, span: Span): Node {
    const type = algebra.mapSubspacesType(tensor.type, lambda.body.type);
    return this.node(
      { op: "mapSubspaces", tensor, lambda },
      type,
      span,
      `mapSubspaces ${tensor.id} ${lambda.body.id}`,
    );
  }

  filterSubspaces(tensor: Node, lambda: Lambda, span: Span): Node {
    const key = `filterSubspaces ${tensor.id} ${lambda.body.id}`;
    return this.node({ op: "filterSubspaces", tensor, lambda }, tensor.type, span, key);
  }

  /** Each call of a function that is not pure is a node of its own, as are draws of random numbers. */
  host(operation: HostOperation, values: readonly Node[], level: number, span: Span): Node {
    const { isPure, returns } = operation;
    if (!isPure) this.draws++;
    const identity = isPure ? 0 : this.count;
    const key = `host ${operation.name} ${ids(values)}${isPure ? "" : ` as ${identity}`}`;
    const node = { op: "host", function: operation, arguments: values, identity, level } as const;
    return this.node(node, returns, span, key);
  }

  private node(operation: Operation, type: TensorType, span: Span, key: string | number): Node {
    const existing = this.nodes.get(key);
    if (existing !== undefined) return existing;
    const { site } = this;
    const more = {
      id: this.count++,
      type,
      depends: 0,
      contains: 0,
      span: site?.outermost ?? span,
      definition: site && { site, span },
    };
    // An operation with what a node adds: in this order the objects of a big program have few shapes.
    const node = Object.assign(more, operation) as Node;
    more.depends = dependsOn(node);
    more.contains = contentsOf(node);
    this.nodes.set(key, node);
    return node;
  }
}

const ids = (nodes: readonly Node[]): string => nodes.map((node) => node.id).join(" ");

/** How many levels have a bit of their own: those beyond share the last bit, and are computed more often than they must be. */
export const mostLevels = 30;

export const levelBit = (level: number): number => 1 << (Math.min(level, mostLevels) - 1);

/** The bits of so many levels: what is volatile has another value at each turn of all the binders around it. */
const levelBits = (levels: number): number => (1 << Math.min(levels, mostLevels)) - 1;

function dependsOn(node: Node): number {
  if (node.op === "parameter") return levelBit(node.level);
  if (node.op === "random") return levelBits(node.level);
  const ofItself = node.op === "host" && !node.function.isPure ? levelBits(node.level) : 0;
  const all = visit(inputsOf, node).reduce((levels, each) => levels | each.depends, ofItself);
  return node.op === "generate" && node.level < mostLevels ? all & ~levelBit(node.level) : all;
}
