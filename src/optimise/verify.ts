import { Graph } from "../language/core/graph.js";
import { lambdaOf, type Node } from "../language/core/operations.js";
import { nodeText } from "../language/core/print.js";
import { partsOf, rebuiltIn } from "../language/core/rebuild.js";

/**
 * What is wrong with a graph, for tests between passes: every node has the type that its operation gives it, inputs have
 * smaller numbers than their users, and no parameter is free: roots depend on none, lambdas on their own only.
 */
export function complaints(roots: readonly Node[]): readonly string[] {
  const problems: string[] = [];
  const fresh = new Graph();
  const open = [...roots];
  const seen = new Set<Node>(open);
  for (const root of roots)
    if (root.depends !== 0) problems.push(`${nodeText(root)} is a root and depends on a parameter`);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const body = lambdaOf(node)?.body;
    const type = rebuiltIn(node, fresh).type;
    if (!type.equals(node.type)) problems.push(`${nodeText(node)} should be of type ${type}`);
    if (node.op === "generate" && !node.body.type.isScalar)
      problems.push(`${nodeText(node)} has a body that is no scalar`);
    if (body !== undefined && (body.depends & ~1) !== 0)
      problems.push(`${nodeText(node)} has a lambda that is not closed`);
    for (const part of partsOf(node)) {
      if (part.id >= node.id)
        problems.push(`${nodeText(node)} comes before ${nodeText(part)}, which it uses`);
      if (!seen.has(part)) open.push(part);
      seen.add(part);
    }
  }
  return problems;
}
