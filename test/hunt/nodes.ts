import { inputsOf, lambdaOf, type Node, visit } from "../../src/language/core/operations.js";

export interface Reached {
  readonly node: Node;
  readonly inBody: boolean;
}

/** All nodes, those of the bodies of lambdas and generators too. */
export function nodesOf(roots: readonly Node[]): readonly Reached[] {
  const outside = new Set<Node>();
  const inside = new Set<Node>();
  const open: Reached[] = roots.map((node) => ({ node, inBody: false }));
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const { node, inBody } = each;
    const seen = inBody ? inside : outside;
    if (seen.has(node)) continue;
    seen.add(node);
    const body = lambdaOf(node)?.body;
    if (body !== undefined) open.push({ node: body, inBody: true });
    for (const input of visit(inputsOf, node))
      open.push({ node: input, inBody: inBody || node.op === "generate" });
  }
  const reached = (nodes: Iterable<Node>, inBody: boolean): Reached[] =>
    [...nodes].map((node) => ({ node, inBody }));
  return [...reached(outside, false), ...reached(inside, true)];
}
