import type { Graph } from "../../core/graph.js";
import { bitsOf, inputsOf, type Lambda, type Node, reaches, visit } from "../../core/operations.js";
import { relevelled, substituted } from "../../core/rebuild.js";
import { inputsFirst } from "../../differentiate/node-order.js";
import type { ScalarName } from "../../scalar/functions.js";
import type { Span } from "../../source/span.js";
import { joinType, mapSubspacesType, mapType, mergeType, subspaceType } from "../../types/algebra.js";
import { TensorType } from "../../types/type.js";

/**
 * A lambda that sees scalars of the program has more parameters than it is written with: its own, and behind them one for each
 * of these scalars, as they are where it is used.
 */
export interface LiftedLambda extends Lambda {
  readonly captured: readonly Node[];
}

/** Where a lambda is used: the graph, how many binders are around, and the call. */
export interface UseOfLambda {
  readonly graph: Graph;
  readonly level: number;
  readonly span: Span;
  /** A type of a value with the sizes that the value has in a run, where they are known. */
  readonly sized: (type: TensorType, value: Node) => TensorType | undefined;
}

const { scalar } = TensorType;
const draws = bitsOf(["random", "host"]);

export function liftedMap(use: UseOfLambda, tensor: Node, lambda: LiftedLambda): Node | undefined {
  return lambda.captured.length === 0
    ? use.graph.map(tensor, lambda, use.span)
    : cellwise(use, [tensor], lambda, mapType(tensor.type));
}

export function liftedJoin(
  use: UseOfLambda,
  [left, right]: readonly [Node, Node],
  lambda: LiftedLambda,
): Node | undefined {
  if (lambda.captured.length === 0) return use.graph.join(left, right, lambda, use.span);
  const type = joinType(left.type, right.type, "join");
  const met = cellwise(use, [left, right], lambda, type);
  if (met === undefined || !mayEndApart(left, right)) return met;
  return use.graph.cast(chosen(use, meeting(use, left, right), met, undefined), type, use.span);
}

/** The cells of both sides, and in the place of those that meet what the lambda makes of them. */
export function liftedMerge(
  use: UseOfLambda,
  [left, right]: readonly [Node, Node],
  lambda: LiftedLambda,
): Node | undefined {
  const { graph, span } = use;
  if (lambda.captured.length === 0) return graph.merge(left, right, lambda, span);
  const type = mergeType(left.type, right.type);
  const met = cellwise(use, [left, right], lambda, type);
  const both = graph.merge(left, right, pick(use, 0), span);
  if (met === undefined) return undefined;
  const isApart = mayEndApart(left, right);
  const taken = isApart ? graph.cast(chosen(use, meeting(use, left, right), met, both), type, span) : met;
  return graph.merge(both, taken, pick(use, 1), span);
}

/**
 * Whether one side may end before the other along a dimension whose size is that of the other: a join has zeros there, to which
 * the lambda is not applied.
 */
const mayEndApart = (left: Node, right: Node): boolean =>
  left.type.indexed.some(({ name, size }) => {
    const other = right.type.dimension(name);
    return other !== undefined && (other.size === undefined) !== (size === undefined);
  });

/** 1 at the addresses of a join where both sides have a cell, and 0 where it has zeros beyond the end of one. */
const meeting = (use: UseOfLambda, left: Node, right: Node): Node => {
  const one: Lambda = { parameters: [scalar, scalar], body: use.graph.number(1, use.span) };
  return use.graph.join(left, right, one, use.span);
};

/** The cells of a tensor where a condition is 1, and where it is 0 those of another one, or zeros. */
function chosen(use: UseOfLambda, condition: Node, yes: Node, no: Node | undefined): Node {
  const { graph, span } = use;
  const [p, q] = [0, 1].map((at) => graph.parameter(1, at, scalar, span));
  if (p === undefined || q === undefined) throw new Error("a lambda has no parameters");
  const where = (tensor: Node, body: Node): Node =>
    graph.join(
      condition,
      tensor,
      { parameters: [scalar, scalar], names: ["condition", "value"], body },
      span,
    );
  if (no === undefined) return where(yes, graph.select(p, q, graph.number(0, span), span));
  // Only -0 changes no number that it is added to.
  const none = graph.number(-0, span);
  const sum = graph.apply("add", [p, q], span);
  const first = where(yes, graph.select(p, q, none, span));
  const second = where(no, graph.select(p, none, q, span));
  return graph.join(first, second, { parameters: [scalar, scalar], body: sum }, span);
}

/** The blocks with the scalars beside them, so that the lambda finds both in what it is called with. */
export function liftedMapSubspaces(use: UseOfLambda, tensor: Node, lambda: LiftedLambda): Node {
  const { graph, span } = use;
  if (lambda.captured.length === 0) return graph.mapSubspaces(tensor, lambda, span);
  const type = mapSubspacesType(tensor.type, lambda.body.type);
  if (tensor.type.mapped.length === 0) return graph.cast(onWhole(use, tensor, lambda), type, span);
  const { packed, unpacking } = withCaptured(use, tensor, lambda);
  const mapped = graph.mapSubspaces(packed, unpacking, span);
  return graph.cast(mapped, type, span);
}

/** The body for the only block of a dense tensor, which may be without cells, so that nothing could be beside them. */
function onWhole(use: UseOfLambda, tensor: Node, lambda: LiftedLambda): Node {
  const values = [tensor, ...lambda.captured];
  const entries = parametersOf(use, lambda).map((each, at): [Node, Node] => [each, values[at] ?? each]);
  return relevelled(lambda.body, use.level - 1, new Map(entries), use.graph);
}

export function liftedFilterSubspaces(use: UseOfLambda, tensor: Node, lambda: LiftedLambda): Node {
  const { graph, span } = use;
  if (lambda.captured.length === 0) return graph.filterSubspaces(tensor, lambda, span);
  const { packed, along, unpacking } = withCaptured(use, tensor, lambda);
  const filtered = graph.filterSubspaces(packed, unpacking, span);
  return graph.cast(graph.slice(filtered, [{ dimension: along, label: "0" }], span), tensor.type, span);
}

/** A tensor and scalars behind it along a dimension, and the lambda on a block of these. */
function withCaptured(
  use: UseOfLambda,
  tensor: Node,
  lambda: LiftedLambda,
): { readonly packed: Node; readonly along: string; readonly unpacking: Lambda } {
  const { graph, span } = use;
  const own = subspaceType(tensor.type);
  const { packed, along } = stacked(use, [asDoubles(use, tensor), ...lambda.captured]);
  const type = subspaceType(packed.type);
  const block = graph.parameter(1, 0, type, span);
  const first = own.names.map((dimension) => ({ dimension, label: "0" }));
  const replacements = new Map<Node, Node>();
  for (const [position, parameter] of parametersOf(use, lambda).entries()) {
    const at = [{ dimension: along, label: `${position}` }, ...(position === 0 ? [] : first)];
    const slice = graph.slice(block, at, lambda.captured[position - 1]?.span ?? parameter.span);
    replacements.set(parameter, position === 0 ? graph.cast(slice, own, span) : slice);
  }
  const body = substituted(lambda.body, replacements, graph);
  return { packed, along, unpacking: { parameters: [type], names: lambda.names?.slice(0, 1) ?? [], body } };
}

/**
 * A function of the cells of one or two tensors and of scalars. One operation has two operands at most, so that a function of more
 * values is taken apart where it is made of scalar functions: in double, and rounded once, as a lambda is.
 */
function cellwise(
  use: UseOfLambda,
  operands: readonly Node[],
  lambda: LiftedLambda,
  type: TensorType,
): Node | undefined {
  const { graph, span } = use;
  const [left, right] = operands;
  if (left !== undefined && right === undefined && lambda.captured.length === 1)
    return graph.join(left, lambda.captured[0] ?? left, lambda, span);
  const doubles = operands.map((each) => asDoubles(use, each));
  const tensors = doubles.map((_, position) => beside(use, doubles, position));
  const values = [...tensors, ...lambda.captured];
  // Draws of random numbers are one for each turn of the lambda, wherever it uses them.
  const lowering = reaches(lambda.body, draws)
    ? undefined
    : new CellwiseLowering(use, lambda, values, doubles);
  const taken = lowering?.node(lambda.body);
  if (taken !== undefined) return graph.cast(withAddresses(use, taken, tensors), type, span);
  const ofSizes = (bound: TensorType): Node =>
    bound.isDense ? generated(use, values, lambda, bound) : inSubspaces(use, values, lambda, bound);
  if (type.isBound) return ofSizes(type);
  const [first] = tensors;
  const sized = first && use.sized(type, first);
  if (first === undefined || sized?.isBound !== true) return undefined;
  const whole = ofSizes(sized);
  // What the sizes are of may have no row in the run, and then no element.
  return graph.cast(graph.join(first, graph.cast(whole, type, span), pick(use, 1), span), type, span);
}

/** The operand at a position, with the addresses of all operands. */
function beside(use: UseOfLambda, operands: readonly Node[], position: number): Node {
  const [left, right] = operands;
  if (left === undefined) throw new Error("a lambda is applied to nothing");
  return right === undefined ? left : use.graph.join(left, right, pick(use, position), use.span);
}

/** A value that may be a scalar, with a cell at each address of the tensors. */
function withAddresses(use: UseOfLambda, value: Node, [tensor]: readonly Node[]): Node {
  if (tensor === undefined || tensor.type.isScalar || !value.type.isScalar) return value;
  return use.graph.join(tensor, value, pick(use, 1), use.span);
}

/** The lambda's body for each index of dense tensors. */
function generated(use: UseOfLambda, values: readonly Node[], lambda: Lambda, type: TensorType): Node {
  const { graph, span } = use;
  const level = use.level + 1;
  const body = relevelled(lambda.body, use.level, cellsAt(use, values, lambda, level), graph);
  return graph.generate(type, level, body, span);
}

/** The lambda's body for each block that the values make together, and in it for each index. */
function inSubspaces(use: UseOfLambda, values: readonly Node[], lambda: Lambda, type: TensorType): Node {
  const { graph, span } = use;
  const { packed, along } = stacked(use, values);
  const block = subspaceType(packed.type);
  const parameter = graph.parameter(1, 0, block, span);
  const inBlock = values.map((_, position) =>
    graph.slice(parameter, [{ dimension: along, label: `${position}` }], span),
  );
  const cells = subspaceType(type).withCells("double");
  const replacements = cellsAt(use, inBlock, lambda, 2);
  const isBlock = cells.rank > 0;
  const body = relevelled(lambda.body, isBlock ? 1 : 0, replacements, graph);
  const all = isBlock ? graph.generate(cells, 2, body, span) : body;
  return graph.cast(graph.mapSubspaces(packed, { parameters: [block], body: all }, span), type, span);
}

/** For each parameter the cell of its value at the indexes of a binder. */
function cellsAt(
  use: UseOfLambda,
  values: readonly Node[],
  lambda: Lambda,
  level: number,
): ReadonlyMap<Node, Node> {
  const { graph, span } = use;
  const parameters = parametersOf(use, lambda);
  return new Map(
    values.map((value, position): [Node, Node] => {
      const at = value.type.names.map((dimension, axis) => ({
        dimension,
        label: graph.parameter(level, axis, scalar, span),
      }));
      return [parameters[position] ?? value, at.length === 0 ? value : graph.slice(value, at, value.span)];
    }),
  );
}

/** Values beside each other along a dimension that none of them has; scalars are at each address of the first. */
function stacked(
  use: UseOfLambda,
  values: readonly Node[],
): { readonly packed: Node; readonly along: string } {
  const { graph, span } = use;
  const [first, ...rest] = values;
  if (first === undefined) throw new Error("nothing is stacked");
  let along = "arguments";
  while (first.type.dimension(along) !== undefined) along += "_";
  const packed = rest.reduce(
    (all, each) => graph.concat(all, withAddresses(use, each, [first]), along, true, span),
    first,
  );
  return { packed, along };
}

const asDoubles = ({ graph }: UseOfLambda, tensor: Node): Node =>
  graph.cast(tensor, tensor.type.withCells("double"), tensor.span);

const parametersOf = ({ graph, span }: UseOfLambda, { parameters }: Lambda): readonly Node[] =>
  parameters.map((type, position) => graph.parameter(1, position, type, span));

/** The function of two cells that is one of them. */
const pick = ({ graph, span }: UseOfLambda, position: number): Lambda => ({
  parameters: [scalar, scalar],
  body: graph.parameter(1, position, scalar, span),
});

/** What is made of scalar functions, as operations on tensors that have the same addresses, or are scalars. */
class CellwiseLowering {
  /** The values that a node of the body is computed from; all that are more than two are alike. */
  private readonly sources = new Map<Node, ReadonlySet<Node>>();
  private readonly results = new Map<Node, Node>();
  private readonly values: ReadonlyMap<Node, Node>;

  constructor(
    private readonly use: UseOfLambda,
    private readonly lambda: Lambda,
    values: readonly Node[],
    private readonly operands: readonly Node[],
  ) {
    const parameters = parametersOf(use, lambda);
    this.values = new Map(parameters.flatMap((each, at) => (values[at] ? [[each, values[at]]] : [])));
  }

  /** Nothing where the body, or what it is made of, needs more than two values at once for what is no scalar function. */
  node(body: Node): Node | undefined {
    for (const each of inputsFirst(body, (node) => visit(inputsOf, node))) {
      const sources = this.values.has(each)
        ? new Set([each])
        : new Set(visit(inputsOf, each).flatMap((input) => [...(this.sources.get(input) ?? [])].slice(0, 3)));
      this.sources.set(each, sources);
    }
    const parts = (node: Node): readonly Node[] => (this.isSmall(node) ? [] : visit(inputsOf, node));
    for (const each of inputsFirst(body, parts)) {
      const result = this.isSmall(each) ? this.small(each) : this.composed(each);
      if (result === undefined) return undefined;
      this.results.set(each, result);
    }
    return this.results.get(body);
  }

  private isSmall(node: Node): boolean {
    return (this.sources.get(node)?.size ?? 0) <= 2;
  }

  /** What is computed from two values at most: one operation, with its own lambda. */
  private small(node: Node): Node {
    const { graph } = this.use;
    const own = this.values.get(node);
    if (own !== undefined) return own;
    const { span } = node;
    const sources = this.sources.get(node);
    const all = [...this.values.keys()];
    const read = all.filter((each) => sources?.has(each));
    // Of the operands alone it is what the lambda is written for.
    const isOwn = read.length > 0 && read.every((each) => all.indexOf(each) < this.operands.length);
    const parameters = isOwn ? all.slice(0, this.operands.length) : read;
    const [left, right] = isOwn ? this.operands : parameters.map((each) => this.values.get(each));
    const names = parameters.map((each) => this.lambda.names?.[all.indexOf(each)] ?? "");
    if (left === undefined) return this.unread(node);
    const replacements = new Map(
      parameters.map((each, at): [Node, Node] => [each, graph.parameter(1, at, scalar, each.span)]),
    );
    const body = substituted(node, replacements, graph);
    return right === undefined
      ? graph.map(left, { parameters: [scalar], names, body }, span)
      : graph.join(left, right, { parameters: [scalar, scalar], names, body }, span);
  }

  /** What no value has a part in, as the lambda has it: its binders are those of a lambda. */
  private unread(node: Node): Node {
    const { graph, span } = this.use;
    if (node.op === "constant") return node;
    const [[, any] = []] = this.values;
    return graph.map(any ?? node, { parameters: [scalar], body: node }, span);
  }

  private composed(node: Node): Node | undefined {
    const inputs = visit(inputsOf, node).map((each) => this.results.get(each) ?? each);
    if (inputs.every(({ type }) => type.isScalar) && (node.op === "apply" || node.op === "select"))
      return this.ofScalars(node, inputs);
    if (node.op === "apply") return this.applied(node.function, inputs, node.span);
    if (node.op !== "select") return undefined;
    const [condition, yes, no] = inputs;
    if (condition === undefined || yes === undefined || no === undefined) return undefined;
    return chosen({ ...this.use, span: node.span }, condition, yes, no);
  }

  private ofScalars(node: Node, [first, second, third]: readonly Node[]): Node | undefined {
    const { graph } = this.use;
    if (node.op === "apply")
      return graph.apply(
        node.function,
        [first, second].flatMap((each) => each ?? []),
        node.span,
      );
    return first && second && third && graph.select(first, second, third, node.span);
  }

  private applied(name: ScalarName, [left, right]: readonly Node[], span: Span): Node | undefined {
    const { graph } = this.use;
    if (left === undefined) return undefined;
    const parameters = [scalar, scalar].slice(0, right === undefined ? 1 : 2);
    const body = graph.apply(
      name,
      parameters.map((type, at) => graph.parameter(1, at, type, span)),
      span,
    );
    return right === undefined
      ? graph.map(left, { parameters, body }, span)
      : graph.join(left, right, { parameters, body }, span);
  }
}
