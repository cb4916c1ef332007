import type { Graph } from "../language/core/graph.js";
import type { Node, NodeOf } from "../language/core/operations.js";
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
  return within(
    cells,
    (part) => {
      if (part.op !== "reduce" || part.over.some((name) => !isIndexed(part.tensor, name))) return undefined;
      if (!hasAll(part, pairs)) return undefined;
      const found = within(
        part.tensor,
        (each) => (each.op === "join" ? looked(each, pairs, graph) : undefined),
        graph,
      );
      return found && graph.reduce(found, part.aggregator, part.over, part.span);
    },
    graph,
  );
}

/** A node whose part that is found first is another, by way of operations that make a cell of the cells at its labels. */
function within(
  node: Node,
  replaced: (part: Node) => Node | undefined,
  graph: Graph,
  depth = 0,
): Node | undefined {
  const found = replaced(node);
  if (found !== undefined || depth === mostBetween) return found;
  const inside = (part: Node): Node | undefined => within(part, replaced, graph, depth + 1);
  if (node.op === "map") {
    const tensor = inside(node.tensor);
    return tensor && graph.map(tensor, node.lambda, node.span);
  }
  if (node.op === "cast") {
    const tensor = inside(node.tensor);
    return tensor && graph.cast(tensor, node.type, node.span);
  }
  if (node.op !== "join") return undefined;
  const left = inside(node.left);
  if (left !== undefined) return graph.join(left, node.right, node.lambda, node.span);
  const right = inside(node.right);
  return right && graph.join(node.left, right, node.lambda, node.span);
}

/** A join of all pairs as one of those that there are: the cells of one side are those at each pair. */
function looked({ left, right, lambda, span }: NodeOf<"join">, pairs: Node, graph: Graph): Node | undefined {
  if (hasAll(left, pairs) || hasAll(right, pairs)) return undefined;
  const all = new Set([...left.type.names, ...right.type.names]);
  if (!pairs.type.names.every((name) => all.has(name))) return undefined;
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

const isIndexed = (node: Node, name: string): boolean => node.type.indexed.some((each) => each.name === name);

const hasAll = (node: Node, pairs: Node): boolean =>
  pairs.type.mapped.every(({ name }) => node.type.mapped.some((each) => each.name === name));
