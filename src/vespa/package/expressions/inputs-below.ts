import { inputsOf, lambdaOf, type Node, visit } from "../../../language/core/operations.js";
import type { Span } from "../../../language/source/span.js";

/** The inputs that a value is made of, those in lambdas too. */
export function inputsBelow(root: Node): { readonly name: string; readonly span: Span }[] {
  const found: { readonly name: string; readonly span: Span }[] = [];
  const visited = new Set<Node>([root]);
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.op === "input") found.push({ name: node.name, span: node.span });
    const body = lambdaOf(node)?.body;
    for (const next of [...visit(inputsOf, node), ...(body === undefined ? [] : [body])])
      if (!visited.has(next)) {
        visited.add(next);
        pending.push(next);
      }
  }
  return found;
}
