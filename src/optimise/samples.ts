import type { Graph } from "../language/core/graph.js";
import { inputsOf, type Node, type NodeOf, type OperationName, visit } from "../language/core/operations.js";
import { rebuilt } from "../language/core/rebuild.js";
import { TensorType } from "../language/types/type.js";
import { type Pass, rule } from "./rewrite-rule.js";

/**
 * Reductions of all pairs of two tensors' labels, of which a join takes few: `r - sum(p * q, f)` of ratings, which few pairs of users
 * and items have, the products of whose features are of all. So the pairs are looked up before they are multiplied.
 */

export const samples: Pass = {
  name: "samples",
  description: "reductions of all pairs, of which a join takes few",
  rules: [
    rule(
      "join",
      "join(r, sum(p * q, f), …) = join(r, sum(join(r, p, f(a,b)(b)) * q, f), …), where p and q have different labels of r",
      (node, graph) => {
        const { left, right, lambda, span } = node;
        const sampledRight = sampled(right, left, graph);
        if (sampledRight !== undefined) return graph.join(left, sampledRight, lambda, span);
        const sampledLeft = sampled(left, right, graph);
        return sampledLeft === undefined ? undefined : graph.join(sampledLeft, right, lambda, span);
      },
    ),
  ],
};

/** How many operations may be between a join and a reduction, and between that and the pairs. */
const mostBetween = 4;

/** Cells of which a join with these pairs takes those that it has, and no others, if that saves a reduction of the others. */
function sampled(cells: Node, pairs: Node, graph: Graph): Node | undefined {
  const { indexed, mapped } = pairs.type;
  if (indexed.length > 0 || mapped.length < 2 || areAllPairs(pairs)) return undefined;
  const inReduction = (part: Node): Node | undefined =>
    part.op === "reduce" ? sampledReduction(part, pairs, graph) : undefined;
  return within(cells, inReduction, graph);
}

function sampledReduction(node: NodeOf<"reduce">, pairs: Node, graph: Graph): Node | undefined {
  const { tensor, aggregator, over, span } = node;
  if (!hasAll(node, pairs) || over.some((name) => !isIndexed(tensor, name))) return undefined;
  const inJoin = (part: Node): Node | undefined =>
    part.op === "join" ? looked(part, pairs, graph) : undefined;
  const found = within(tensor, inJoin, graph);
  return found && graph.reduce(found, aggregator, over, span);
}

/** Operations that make a cell of the cells at its labels. */
const cellByCell: ReadonlySet<OperationName> = new Set(["map", "cast", "join"]);

/** A node whose part that is found first is another, by way of such operations. */
function within(
  node: Node,
  replaced: (part: Node) => Node | undefined,
  graph: Graph,
  depth = 0,
): Node | undefined {
  const found = replaced(node);
  if (found !== undefined || depth === mostBetween) return found;
  if (!cellByCell.has(node.op)) return undefined;
  const parts = visit(inputsOf, node);
  for (const part of parts) {
    const inside = within(part, replaced, graph, depth + 1);
    if (inside !== undefined) return rebuilt(node, parts, (each) => (each === part ? inside : each), graph);
  }
  return undefined;
}

/** A join of all pairs as one of those that there are: the cells of one side are those at each pair. */
function looked(join: NodeOf<"join">, pairs: Node, graph: Graph): Node | undefined {
  const { left, right, lambda, span } = join;
  if (!hasAll(join, pairs) || hasAll(left, pairs) || hasAll(right, pairs)) return undefined;
  const second = {
    parameters: [TensorType.scalar, TensorType.scalar],
    body: graph.parameter(1, 1, TensorType.scalar, span),
  };
  const at = graph.join(pairs, left, second, span);
  return graph.join(graph.cast(at, at.type.withCells(left.type.cellType), span), right, lambda, span);
}

/** Whether cells are themselves at all pairs of the labels of two tensors. */
function areAllPairs(node: Node, depth = 0): boolean {
  if (depth === mostBetween) return false;
  if (node.op === "map" || node.op === "cast") return areAllPairs(node.tensor, depth + 1);
  if (node.op !== "join") return false;
  return [node.left, node.right].every((side) => !hasAll(side, node) || areAllPairs(side, depth + 1));
}

const isIndexed = ({ type }: Node, name: string): boolean => type.dimension(name)?.kind === "indexed";

const hasAll = ({ type }: Node, pairs: Node): boolean =>
  pairs.type.names.every((name) => type.dimension(name) !== undefined);
