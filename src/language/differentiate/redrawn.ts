import { levelBit } from "../core/graph.js";
import { inputsOf, isVolatile, lambdaOf, type Node, type NodeOf, visit } from "../core/operations.js";
import { inputsFirst } from "./node-order.js";

/**
 * What a body draws by chance, it draws for each cell or block that it is for. A derivative that has the body once more would
 * have other numbers than the value has, and be the derivative of something else.
 */

/** Random numbers, or calls of a host function that is not pure, which a derivative of `y` would draw by itself; nothing if there are none. */
export function redrawnIn(derivative: Node, y: Node): Node | undefined {
  const shared = new Set(inputsFirst(y, aroundBinders));
  const inputs = (node: Node): readonly Node[] => {
    if (shared.has(node)) return [];
    const lambda = lambdaOf(node);
    return lambda === undefined ? visit(inputsOf, node) : [...visit(inputsOf, node), lambda.body];
  };
  return inputsFirst(derivative, inputs).find((node) => isVolatile(node) && !shared.has(node));
}

/** What a node is computed from outside of its own lambda or generator: that is computed once. */
const aroundBinders = (node: Node): readonly Node[] =>
  node.op === "generate" ? aroundGenerator(node) : visit(inputsOf, node);

function aroundGenerator({ level, body }: NodeOf<"generate">): readonly Node[] {
  const isInside = (node: Node): boolean => (node.depends & levelBit(level)) !== 0;
  return inputsFirst(body, (node) => (isInside(node) ? visit(inputsOf, node) : [])).filter(
    (node) => !isInside(node),
  );
}
