import { inputsOf, isVolatile, lambdaOf, type Node, visit } from "../../../language/core/operations.js";

const cache = new WeakMap<Node, boolean>();

/** Whether a node draws random numbers, or calls a function that is not pure, so that it is another one each time. */
export function drawsRandom(root: Node): boolean {
  const cached = cache.get(root);
  if (cached !== undefined) return cached;
  const open = [root];
  const seen = new Set<Node>(open);
  let isRandom = false;
  for (let node = open.pop(); node !== undefined && !isRandom; node = open.pop()) {
    isRandom = cache.get(node) ?? isVolatile(node);
    const lambda = lambdaOf(node);
    for (const part of [...visit(inputsOf, node), ...(lambda === undefined ? [] : [lambda.body])]) {
      if (!seen.has(part) && cache.get(part) !== false) open.push(part);
      seen.add(part);
    }
  }
  // Of a graph that draws none no part does: each is visited once, however many of them are asked about.
  if (!isRandom) for (const node of seen) cache.set(node, false);
  cache.set(root, isRandom);
  return isRandom;
}
