import type { Lambda, LiteralCell, Node, NodeOf, Table } from "../core/operations.js";
import { isZero } from "../core/patterns.js";
import { mapTuple } from "../source/lists.js";
import type { Dimension, TensorType } from "../types/type.js";
import { element } from "../values/element.js";
import { indexesAt } from "../values/shape.js";
import { aggregatorDerivatives } from "./aggregator-derivatives.js";
import { type Calculus, NotDifferentiable } from "./calculus.js";
import { cellChoice } from "./cell-choices.js";

/** What is needed besides the graph: the derivative of a lambda in one of its parameters. */
export interface PullBackContext {
  readonly calculus: Calculus;
  readonly partial: (lambda: Lambda, position: number) => Lambda;
  readonly applied: (node: NodeOf<"apply">, position: number) => Node;
  /** A factor of what flows back from a node, and 0 where nothing does. */
  readonly guarded: (node: Node, factor: Node) => Node;
}

/** An input of an operation, and how its adjoint follows from that of the value; nothing where it is 0. */
export type Pulled = readonly [input: Node, adjoint: () => Node | undefined];

/**
 * How the adjoint of each operation's value flows back to its inputs: the derivative of the result in each cell of the
 * value becomes that in each cell of an input. An adjoint has the dimensions of its value, the same sizes, no address that the
 * value lacks, and further dimensions of the result: where the result is a tensor, each of its cells has a derivative.
 */
export const pullBack: Table<[adjoint: Node, context: PullBackContext], readonly Pulled[]> = {
  constant: () => [],
  input: () => [],
  parameter: () => [],
  random: () => [],
  host: (node) =>
    node.arguments.map(
      (input): Pulled => [
        input,
        () => {
          throw new NotDifferentiable("host", node);
        },
      ],
    ),
  apply: (node, adjoint, { calculus, applied }) =>
    node.arguments.map((input, at): Pulled => [input, () => scaled(calculus, adjoint, applied(node, at))]),
  // What flows out of a branch is chosen where it leaves it (`adjoints.ts`).
  select: ({ yes, no }, adjoint) => [
    [yes, () => adjoint],
    [no, () => adjoint],
  ],
  map: (node, adjoint, context) => [[node.tensor, () => chained(node, adjoint, context)]],
  reduce: (node, adjoint, { calculus, guarded }) => {
    const over = node.over.length === 0 ? node.tensor.type.names : node.over;
    return [
      [
        node.tensor,
        () =>
          aggregatorDerivatives[node.aggregator]({
            tensor: node.tensor,
            over,
            value: node,
            adjoint,
            calculus,
            guarded: (factor) => guarded(node, factor),
          }),
      ],
    ];
  },
  join: (node, adjoint, context) => [
    [node.left, () => joined(node, 0, adjoint, context)],
    [node.right, () => joined(node, 1, adjoint, context)],
  ],
  merge: (node, adjoint, context) => [
    [node.left, () => merged(node, 0, adjoint, context)],
    [node.right, () => merged(node, 1, adjoint, context)],
  ],
  rename: ({ tensor, from, to }, adjoint, { calculus }) => [
    [tensor, () => calculus.renamed(adjoint, to, from)],
  ],
  concat: (node, adjoint, { calculus }) => [
    [node.left, () => partOf(node, node.left, 0, adjoint, calculus)],
    [node.right, () => partOf(node, node.right, startOf(node, calculus), adjoint, calculus)],
  ],
  generate: () => {
    throw new Error("a generator has an adjoint only as the operations of its body"); // vectorise has replaced it
  },
  slice: (node, adjoint, { calculus }) => [[node.tensor, () => sliced(node, adjoint, calculus)]],
  literal: (node, adjoint, { calculus }) =>
    node.cells.map((cell): Pulled => [cell.value, () => cellOf(node.type, cell, adjoint, calculus)]),
  cast: (node, adjoint, { calculus }) => [
    [node.tensor, () => calculus.resized(adjoint, node.tensor, node.type)],
  ],
  order: () => [],
  // What is left of them computes from its blocks what has no derivative in them, such as the ranks of their cells.
  mapSubspaces: () => [],
  filterSubspaces: ({ tensor }, adjoint) => [[tensor, () => adjoint]],
};

function scaled(calculus: Calculus, adjoint: Node, factor: Node): Node | undefined {
  return isZero(factor) ? undefined : calculus.times(adjoint, factor);
}

/** The adjoint times a function of each cell of a tensor that has the same addresses. */
function chained(
  node: NodeOf<"map">,
  adjoint: Node,
  { calculus, partial, guarded }: PullBackContext,
): Node | undefined {
  const derivative = partial(node.lambda, 0);
  return scaled(
    calculus,
    adjoint,
    constantOf(derivative) ?? guarded(node, calculus.each(node.tensor, derivative)),
  );
}

/** The number that a lambda always is. */
const constantOf = ({ body }: Lambda): Node | undefined => (body.op === "constant" ? body : undefined);

/** The adjoint of one side of a join, summed over what only the other side has. */
function joined(
  node: NodeOf<"join">,
  side: 0 | 1,
  adjoint: Node,
  context: PullBackContext,
): Node | undefined {
  const { calculus, guarded } = context;
  const own = side === 0 ? node.left : node.right;
  if (side === 1 && isQuotient(node, calculus) && !isPartlyBound(node.left, node.right)) {
    // By the quotient rather than by the square of the divisor, which may be beyond all numbers; and divided once it is summed.
    const summed = calculus.summedTo(calculus.times(adjoint, guarded(node, node)), own.type, node.type);
    return calculus.resized(guarded(node, calculus.both(summed, own, "-x / y")), own, node.type);
  }
  const product = joinedProduct(node, side, adjoint, context);
  return product && calculus.resized(calculus.summedTo(product, own.type, node.type), own, node.type);
}

function joinedProduct(
  node: NodeOf<"join">,
  side: 0 | 1,
  adjoint: Node,
  { calculus, partial, guarded }: PullBackContext,
): Node | undefined {
  // What flows to the cells that were picked is picked: a product would be NaN where 0 meets what is infinite.
  if (!isPartlyBound(node.left, node.right)) {
    if (side === 0 && calculus.isPick(node.lambda)) return calculus.picked(adjoint, node.right);
    if (side === 1 && cellChoice(node.lambda, calculus) !== undefined)
      return calculus.both(node.left, adjoint, node.lambda);
  }
  const factor = joinedPartial(node, partial(node.lambda, side), calculus);
  return scaled(calculus, adjoint, guarded(node, factor));
}

/** Whether a join divides its left side by its right one. */
const isQuotient = ({ lambda: { body } }: NodeOf<"join">, calculus: Calculus): boolean =>
  body.op === "apply" &&
  body.function === "divide" &&
  body.arguments[0] === calculus.parameter(1, 0) &&
  body.arguments[1] === calculus.parameter(1, 1);

/** A function of both sides of a join; of one of them, if it looks at no other. */
function joinedPartial({ left, right }: NodeOf<"join">, derivative: Lambda, calculus: Calculus): Node {
  // Where a result is longer than a tensor turns out to be, it ends in zeros, which depend on nothing.
  if (isPartlyBound(left, right)) return calculus.both(left, right, derivative);
  const constant = constantOf(derivative);
  if (constant !== undefined) return constant;
  if (derivative.body === calculus.parameter(1, 0)) return left;
  if (derivative.body === calculus.parameter(1, 1)) return right;
  return calculus.both(left, right, derivative);
}

/** Whether a dimension of both has a size on one side alone. */
const isPartlyBound = (left: Node, right: Node): boolean =>
  left.type.indexed.some((each) => isUnbound(each) !== isUnbound(right.type.dimension(each.name) ?? each));

const isUnbound = ({ kind, size }: Dimension): boolean => kind === "indexed" && size === undefined;

/** Where only one side has a cell, the value is that cell. */
function merged(
  node: NodeOf<"merge">,
  side: 0 | 1,
  adjoint: Node,
  { calculus, partial, guarded }: PullBackContext,
): Node {
  // As far as both reach, and no further: a bound on the result would fill it up with zeros.
  const isMixed = isPartlyBound(node.left, node.right);
  const [left, right, outer] = mapTuple([node.left, node.right, adjoint], (each) =>
    isMixed ? calculus.unbound(each, node.type) : each,
  );
  const own = side === 0 ? left : right;
  const shared = calculus.both(
    outer,
    guarded(node, calculus.both(left, right, partial(node.lambda, side))),
    "x * y",
  );
  const isEverywhere = node.type.isDense && node.left.type.isBound && node.right.type.isBound;
  if (isEverywhere) return shared;
  const all = calculus.both(outer, calculus.filled(own, 1), "x");
  const either = calculus.graph.merge(shared, all, calculus.lambda("x"), calculus.span);
  return calculus.resized(either, side === 0 ? node.left : node.right, node.type);
}

/** The part of a concatenation's adjoint that belongs to one side, summed over what only the other side has. */
function partOf(
  node: NodeOf<"concat">,
  own: Node,
  start: number | Node,
  adjoint: Node,
  calculus: Calculus,
): Node {
  const { along, type } = node;
  const others = type.withDimensions(type.dimensions.filter(({ name }) => name !== along));
  const part = cutOut(node, own, start, adjoint, calculus);
  return calculus.resized(calculus.summedTo(part, own.type, others), own, others);
}

function cutOut(
  node: NodeOf<"concat">,
  own: Node,
  start: number | Node,
  adjoint: Node,
  calculus: Calculus,
): Node {
  const { along } = node;
  const { graph, span } = calculus;
  const extent = own.type.dimension(along);
  if (extent === undefined) {
    const label = typeof start === "number" ? `${start}` : start;
    return graph.slice(adjoint, [{ dimension: along, label }], span);
  }
  // A join with a shorter tensor leaves out what is beyond it.
  if (start === 0) return calculus.both(adjoint, ones(own, along, calculus), "x");
  if (typeof start === "number" && extent.size !== undefined && adjoint.type.isBound)
    return calculus.part(adjoint, along, start, extent.size);
  const side = calculus.freshName(along);
  const own1 = calculus.renamed(calculus.indexes(own, along), [along], [side]);
  const moved = calculus.both(own1, typeof start === "number" ? calculus.number(start) : start, "x + y");
  const isSame = calculus.both(calculus.indexes(node, along), moved, "x == y");
  const cells = calculus.picked(adjoint, isSame);
  return calculus.renamed(calculus.reduced(cells, "sum", [along]), [side], [along]);
}

/** Ones along one dimension of a tensor. */
const ones = (tensor: Node, name: string, calculus: Calculus): Node =>
  calculus.each(calculus.indexes(tensor, name), "1");

/** Where the right side of a concatenation begins. */
function startOf({ left, along }: NodeOf<"concat">, calculus: Calculus): number | Node {
  const extent = left.type.dimension(along);
  if (extent === undefined) return 1;
  return extent.size ?? calculus.reduced(calculus.indexes(left, along), "count", [along]);
}

/** The cells of a slice stand where they were taken from; where the tensor has mapped dimensions, only at its addresses. */
function sliced({ tensor, at }: NodeOf<"slice">, adjoint: Node, calculus: Calculus): Node {
  const summed = at.reduce((cells, each) => {
    const ones = calculus.labelled(tensor, each);
    return calculus.picked(cells, ones);
  }, adjoint);
  const isMapped = at.some(({ dimension }) => tensor.type.dimension(dimension)?.kind === "mapped");
  return isMapped ? calculus.spread(summed, tensor) : summed;
}

/** The cell of an adjoint at the address of a literal's. */
function cellOf(
  type: TensorType,
  { labels, offset }: LiteralCell,
  adjoint: Node,
  { graph, span }: Calculus,
): Node {
  const indexes = indexesAt(offset, type.declaredSizes);
  const mapped = type.mapped.map(({ name }, at) => ({ dimension: name, label: element(labels, at) }));
  const indexed = type.indexed.map(({ name }, at) => ({ dimension: name, label: `${indexes[at]}` }));
  return type.isScalar ? adjoint : graph.slice(adjoint, [...mapped, ...indexed], span);
}
