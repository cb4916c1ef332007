import { type Lambda, type Node, type Table, visit } from "../core/operations.js";
import { derivativeText } from "./derivatives.js";
import { differentiable } from "./node-order.js";

/**
 * The inputs of an operation that a change flows from by more than steps: as `differentiable`, without those of functions
 * whose derivative is 0 everywhere, such as comparisons, and of lambdas that are made of such functions.
 */
const steep: Table<[], readonly Node[]> = {
  ...differentiable,
  apply: (node) => node.arguments.filter((_, at) => derivativeText(node.function, at) !== "0"),
  map: ({ tensor, lambda }) => (hasSlope(lambda, 0) ? [tensor] : []),
  join: ({ left, right, lambda }) => [left, right].filter((_, side) => hasSlope(lambda, side)),
  mapSubspaces: ({ tensor, lambda }) => (hasSlope(lambda, 0) ? [tensor] : []),
};

const hasSlope = ({ body }: Lambda, position: number): boolean =>
  [...steepBelow(body)].some((node) => node.op === "parameter" && node.position === position);

/** All nodes that a value depends on by ways that have slopes. */
export function steepBelow(root: Node): ReadonlySet<Node> {
  const found = new Set([root]);
  for (const node of found) for (const input of visit(steep, node)) found.add(input);
  return found;
}
