import { inputsOf, type Lambda, lambdaOf, type Node, type NodeOf, visit } from "../core/operations.js";
import { isZero } from "../core/patterns.js";
import { substituted } from "../core/rebuild.js";
import { mapType } from "../types/algebra.js";
import { TensorType } from "../types/type.js";
import { Adjoints } from "./adjoints.js";
import { Calculus, hasAllCells, NotDifferentiable, type Surroundings } from "./calculus.js";
import { CellChoices } from "./cell-choices.js";
import { derivativeText } from "./derivatives.js";
import { dependents, inputsFirst } from "./node-order.js";
import { type PullBackContext, pullBack } from "./pull-back.js";
import { redrawnIn } from "./redrawn.js";
import { vectorised } from "./vectorise.js";

/** A gradient, and whether the value depends on the variable at all: if not, it is 0 everywhere. */
export interface Gradient {
  readonly node: Node;
  readonly isDependent: boolean;
}

/**
 * The derivative of each cell of `y` in each cell of `x`: a tensor with the addresses of `x`, and those of `y` before them.
 * A dimension of `y` that `x` has too is renamed: `x` to `x1`, or to the next number that neither has. What is retained, a part of `y`
 * that has no derivative in `x`, stays the node that it is.
 * @throws NotDifferentiable
 */
export function gradient(y: Node, x: Node, surroundings: Surroundings, retained?: Node): Gradient {
  const calculus = new Calculus(surroundings, namesIn([y, x]));
  const ofY = y.type.names.map((name) => calculus.freshName(name));
  const { root, originals } = vectorised(y, x, calculus, retained);
  const walked = adjointOf(root, x, ofY, calculus, surroundings);
  // Whatever values it takes of the graph without binders are those of the program's own nodes.
  const adjoint = walked && substituted(walked, originals, surroundings.graph);
  const drawn = adjoint && redrawnIn(adjoint, y);
  if (drawn !== undefined) throw new NotDifferentiable(drawn.op === "host" ? "host" : "random", drawn);
  const complete = completed(adjoint, x, calculus.renamed(y, y.type.names, ofY), calculus);
  const names = apart(y.type, x.type);
  const dimensions = [
    ...x.type.dimensions,
    ...y.type.dimensions.map((each, at) => ({ ...each, name: names[at] ?? each.name })),
  ];
  const type = TensorType.of(mapType(x.type).cellType, dimensions);
  const renamed = calculus.renamed(complete, ofY, names);
  return {
    node: surroundings.graph.cast(renamed, type, surroundings.span),
    isDependent: adjoint !== undefined,
  };
}

/**
 * The derivative of `y` as `x` changes in a direction, a tensor with the dimensions of `x`: a tensor with the addresses of `y`. It is
 * forward mode by two walks back. The gradient of `y` weighted by a tensor is linear in the weights, so that its product with the
 * direction has in each of them just the derivative of that cell of `y`, and no Jacobian is ever computed.
 * @throws NotDifferentiable
 */
export function directionalDerivative(
  y: Node,
  x: Node,
  direction: Node,
  surroundings: Surroundings,
): Gradient {
  const calculus = new Calculus(surroundings, namesIn([y, x, direction]));
  const dotted = (left: Node, right: Node): Node => {
    const product = calculus.both(left, right, "x * y");
    return calculus.reduced(product, "sum", product.type.names);
  };
  if (y.type.isScalar) {
    const { node, isDependent } = gradient(y, x, surroundings);
    return { node: dotted(node, direction), isDependent };
  }
  const weights = calculus.filled(y, weight);
  const inDirection = gradient(dotted(y, weights), x, surroundings, weights);
  const { node } = gradient(dotted(inDirection.node, direction), weights, surroundings);
  return { node, isDependent: inDirection.isDependent };
}

/** Any number that no other tensor of a program is filled with: the derivative in it does not depend on it. */
const weight = 0.7310585786300049;

/** The names of `y`'s dimensions besides those of `x`. */
function apart(y: TensorType, x: TensorType): string[] {
  const taken = new Set([...y.names, ...x.names]);
  return y.names.map((name) => {
    if (x.dimension(name) === undefined) return name;
    let number = 1;
    while (taken.has(`${name}${number}`)) number++;
    taken.add(`${name}${number}`);
    return `${name}${number}`;
  });
}

/** Walks from the result back to `x`, and sums up for each value what flows back from all that use it. */
function adjointOf(
  root: Node,
  x: Node,
  ofY: readonly string[],
  calculus: Calculus,
  surroundings: Surroundings,
): Node | undefined {
  const order = dependents(root, x);
  const active = new Set(order);
  const choices = new CellChoices(order, x, calculus);
  const context: PullBackContext = {
    calculus,
    guarded: (node, factor) => choices.guarded(node, factor),
    partial: (lambda, position) => partial(lambda, position, surroundings),
    applied: (node, position) => appliedDerivative(node, position, calculus),
  };
  const adjoints = new Adjoints(order, x, calculus);
  if (active.has(root)) adjoints.add(identity(root, ofY, calculus), root);
  for (const node of [...order].reverse()) {
    const adjoint = node === x ? undefined : adjoints.of(node);
    if (adjoint === undefined) continue;
    for (const [position, [input, pulled]] of visit(pullBack, node, adjoint, context).entries()) {
      const part = active.has(input) ? pulled() : undefined;
      if (part !== undefined) adjoints.add(part, input, node, position);
    }
  }
  return adjoints.of(x);
}

/** The derivative of a tensor in itself: 1 where its address is that under the other names, otherwise 0. */
function identity(y: Node, other: readonly string[], calculus: Calculus): Node {
  if (y.type.isScalar) return calculus.number(1);
  const { names } = y.type;
  if (hasAllCells(y.type)) {
    const pairs = names.map((name, at) => {
      const indexes = calculus.indexes(y, name);
      return calculus.both(indexes, calculus.renamed(indexes, [name], [other[at] ?? name]), "x == y");
    });
    return pairs.reduce((left, right) => calculus.both(left, right, "x * y"));
  }
  // Labels cannot be compared with labels, but the ranks of equal cells are different for all addresses.
  const ranks = calculus.graph.order(calculus.filled(y, 0), false, calculus.span);
  return calculus.both(ranks, calculus.renamed(ranks, names, other), "x == y");
}

/** An adjoint at all addresses of `x` and of `y`, with zeros where nothing flowed back. */
function completed(adjoint: Node | undefined, x: Node, y: Node, calculus: Calculus): Node {
  if (adjoint !== undefined && [x, y, adjoint].every(({ type }) => hasAllCells(type))) {
    const isSized = x.type.indexed.every(({ name, size }) => adjoint.type.dimension(name)?.size === size);
    return isSized ? adjoint : calculus.spread(adjoint, x);
  }
  const ofX = calculus.filled(x, 0);
  const zeros = y.type.isScalar ? ofX : calculus.both(calculus.filled(y, 0), ofX, "x");
  if (adjoint === undefined) return zeros;
  return calculus.graph.merge(zeros, adjoint, calculus.lambda("y"), calculus.span);
}

/** The derivative of a lambda in one of its parameters, as a lambda on the same parameters. */
function partial({ parameters, body }: Lambda, position: number, outer: Surroundings): Lambda {
  const surroundings = { ...outer, level: 1 };
  const parameter = outer.graph.parameter(1, position, parameters[position] ?? TensorType.scalar, outer.span);
  return { parameters, body: scalarDerivative(body, parameter, surroundings) };
}

/** The derivative of a scalar in a scalar: forwards, where all between them are scalar functions and choices. */
function scalarDerivative(y: Node, x: Node, surroundings: Surroundings): Node {
  const order = dependents(y, x);
  const { graph, span } = surroundings;
  if (order.length === 0) return graph.number(0, span);
  if (order.some((each) => each !== x && each.op !== "apply" && each.op !== "select"))
    return gradient(y, x, surroundings).node;
  const calculus = new Calculus(surroundings, new Set());
  const zero = graph.number(0, span);
  const derivatives = new Map<Node, Node>([[x, graph.number(1, span)]]);
  const of = (node: Node): Node => derivatives.get(node) ?? zero;
  for (const node of order) {
    if (node.op === "select")
      derivatives.set(node, chosen(node.condition, of(node.yes), of(node.no), surroundings));
    if (node.op !== "apply") continue;
    const parts = node.arguments.flatMap((argument, at) => {
      const inner = of(argument);
      if (isZero(inner)) return [];
      const outer = appliedDerivative(node, at, calculus);
      return isZero(outer) ? [] : [calculus.times(outer, inner)];
    });
    if (parts.length > 0)
      derivatives.set(
        node,
        parts.reduce((sum, part) => calculus.plus(sum, part)),
      );
  }
  return of(y);
}

const chosen = (condition: Node, yes: Node, no: Node, { graph, span }: Surroundings): Node =>
  yes === no ? yes : graph.select(condition, yes, no, span);

function appliedDerivative(node: NodeOf<"apply">, position: number, calculus: Calculus): Node {
  return calculus.applied(calculus.lambda(derivativeText(node.function, position)), node.arguments);
}

/** The names of all dimensions in a graph and in its lambdas. */
function namesIn(roots: readonly Node[]): Set<string> {
  const names = new Set<string>();
  const open = [...roots];
  const visited = new Set<Node>();
  for (let root = open.pop(); root !== undefined; root = open.pop()) {
    if (visited.has(root)) continue;
    for (const node of inputsFirst(root, (each) => (visited.has(each) ? [] : visit(inputsOf, each)))) {
      visited.add(node);
      for (const name of node.type.names) names.add(name);
      const lambda = lambdaOf(node);
      if (lambda !== undefined) open.push(lambda.body);
    }
  }
  return names;
}
