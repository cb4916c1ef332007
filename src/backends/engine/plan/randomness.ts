import { inputsOf, lambdaOf, type Node, visit } from "../../../language/core/operations.js";
import type { ReferenceCall } from "../values/value.js";

const cache = new WeakMap<Node, boolean>();

/** Whether a node draws random numbers, so that it is another one each time. */
export function drawsRandom(root: Node): boolean {
  const cached = cache.get(root);
  if (cached !== undefined) return cached;
  const open = [root];
  const seen = new Set<Node>(open);
  let isRandom = false;
  for (let node = open.pop(); node !== undefined && !isRandom; node = open.pop()) {
    isRandom = node.op === "random";
    const lambda = lambdaOf(node);
    for (const part of [...visit(inputsOf, node), ...(lambda === undefined ? [] : [lambda.body])]) {
      if (!seen.has(part)) open.push(part);
      seen.add(part);
    }
  }
  cache.set(root, isRandom);
  return isRandom;
}

/** Whether a call may find something else in each run, whatever its operands are. */
export const isVarying = ({ node, readsInputs }: ReferenceCall): boolean => readsInputs || drawsRandom(node);
