import { inputsOf, type Node, type NodeOf, visit } from "../../../language/core/operations.js";
import { comparisonOf } from "../../../language/scalar/comparisons.js";
import { scalarFunctions } from "../../../language/scalar/functions.js";
import { cellTypes } from "../../../language/types/cell.js";

/**
 * A sum over all pairs of a cell and the cells along a dimension, of terms that depend on nothing but which of both is larger, as
 * `sum(rename(t, d, e) > t, e)`: how often each term comes is told by the order of the cells.
 */
export interface PairSum {
  readonly tensor: Node;
  readonly dimension: string;
  /** What a pair adds, by how the other cell stands to the cell itself. */
  readonly terms: Readonly<Record<Standing, number>>;
}

/** How a number stands to another one; a NaN is unordered. */
export type Standing = "below" | "equal" | "above" | "unordered";
const standings: readonly Standing[] = ["below", "equal", "above", "unordered"];

/** Two numbers, of which the first stands so to the second. */
const examples: Readonly<Record<Standing, readonly [number, number]>> = {
  below: [0, 1],
  equal: [0, 0],
  above: [1, 0],
  unordered: [Number.NaN, 0],
};

/** What a node is such a sum of; nothing where it is none. */
export function pairSum({ tensor: pairs, aggregator, over }: NodeOf<"reduce">): PairSum | undefined {
  const [along, ...further] = over;
  if (aggregator !== "sum" || along === undefined || further.length > 0) return undefined;
  const others = renamedTo(along, pairs);
  const [dimension] = others?.from ?? [];
  if (others === undefined || dimension === undefined) return undefined;
  const own = others.tensor;
  // Of each cell with all along the dimension.
  if (pairs.type.rank !== own.type.rank + 1) return undefined;
  const [below, equal, above, unordered] = standings.map((standing) => termOf(pairs, own, others, standing));
  if (below === undefined || equal === undefined || above === undefined || unordered === undefined)
    return undefined;
  return { tensor: own, dimension, terms: { below, equal, above, unordered } };
}

/** From so many nodes a term is computed at most. */
const mostNodes = 40;

/** The tensor in what is computed cell by cell that has the dimension for another one. */
function renamedTo(name: string, node: Node): NodeOf<"rename"> | undefined {
  const reached = new Set([node]);
  for (const each of reached) {
    if (each.type.dimension(name) === undefined || reached.size > mostNodes) continue;
    if (each.op === "rename") return each.to.length === 1 ? each : undefined;
    if (each.op === "join" || each.op === "map") for (const part of visit(inputsOf, each)) reached.add(part);
  }
  return undefined;
}

/** What a node is for a pair: a number, one of both cells, or nothing that their order tells. */
type PairValue = number | "own" | "other" | undefined;

/** What a pair that stands so adds; nothing where that is not the same finite number for all of them. */
function termOf(pairs: Node, own: Node, others: Node, standing: Standing): number | undefined {
  const cellwise: ValueRule = (node, inner) => {
    if (node === own) return "own";
    if (node === others) return "other";
    if (node.op === "constant" && node.type.isScalar) return node.value.at(0);
    if (node.op !== "map" && node.op !== "join") return undefined;
    const sides = (node.op === "map" ? [node.tensor] : [node.left, node.right]).map(inner);
    const value = valueBy(node.lambda.body, scalar(sides, standing));
    return typeof value === "number" ? cellTypes[node.type.cellType].store(value) : value;
  };
  const term = valueBy(pairs, cellwise);
  return typeof term === "number" && Number.isFinite(term) ? term : undefined;
}

/** What the body of a lambda is for these parameters. */
const scalar =
  (parameters: readonly PairValue[], standing: Standing): ValueRule =>
  (node, inner) => {
    if (node.op === "parameter") return parameters[node.position];
    if (node.op === "constant" && node.type.isScalar) return node.value.at(0);
    if (node.op !== "apply") return undefined;
    // Functions of one number take another one, which they do not look at.
    const [left, right] =
      node.arguments.length === 1 ? [...node.arguments.map(inner), 0] : node.arguments.map(inner);
    if (typeof left === "number" && typeof right === "number")
      return scalarFunctions[node.function].compute(left, right);
    const isPair = left !== right && typeof left === "string" && typeof right === "string";
    if (!isPair || comparisonOf(node.function) === undefined) return undefined;
    const [other, own] = examples[standing];
    const { compute } = scalarFunctions[node.function];
    return left === "other" ? compute(other, own) : compute(own, other);
  };

/** What a node is, by what those are that it is computed from. */
type ValueRule = (node: Node, inner: (node: Node) => PairValue) => PairValue;

/** The value of a node by a rule, each of its parts once; nothing where there are too many. */
function valueBy(root: Node, rule: ValueRule): PairValue {
  const found = new Map<Node, PairValue>();
  const inner = (node: Node): PairValue => {
    if (found.has(node) || found.size > mostNodes) return found.get(node);
    found.set(node, undefined);
    const value = rule(node, inner);
    found.set(node, value);
    return value;
  };
  return inner(root);
}
