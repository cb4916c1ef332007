import { inputsOf, lambdaOf, type Node, type OperationName, visit } from "../core/operations.js";
import type { Reference } from "../syntax/tree.js";
import { reportCaptured } from "./bindings.js";
import type { Checker } from "./checker.js";
import { problem } from "./messages.js";
import { featureName, type NameDefinition } from "./names.js";
import { Scope } from "./scope.js";

/**
 * A value of the program in a lambda, whose graph is closed. A number that depends on no input is there as if it were
 * written: `c = 3; map(t, f(x)(pow(x, c)))`, as the Paper's Table 1 has it.
 */
export function capturedValue(
  checker: Checker,
  tree: Reference,
  own: Extract<NameDefinition, { kind: "value" }>,
  scope: Scope,
): Node | undefined {
  const node = own.node();
  if (node === undefined) return undefined;
  const isFixed = node.type.isScalar && !reaches(node, varying);
  if (!isFixed) return reportCaptured(checker, tree, scope);
  if (!scope.frame.isCapturing)
    checker.report(scope)(problem("portability/captured", tree.span, { name: featureName(tree) }));
  if (!reaches(node, binding)) return node;
  // Generators in it are nested in the lambda, and have other levels there.
  if (own.expression === undefined) return reportCaptured(checker, tree, scope);
  return scope.frame.captured(own.expression, scope.level, () =>
    checker.node(own.expression ?? tree, new Scope(scope.frame, scope.level)),
  );
}

/** What differs from run to run, or from use to use. */
const varying: ReadonlySet<OperationName> = new Set<OperationName>(["input", "random"]);
const binding: ReadonlySet<OperationName> = new Set<OperationName>(["generate"]);

/** Whether a value is computed by one of these operations; lambdas count. */
function reaches(node: Node, operations: ReadonlySet<OperationName>): boolean {
  const visited = new Set<Node>();
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (operations.has(next.op)) return true;
    if (visited.has(next)) continue;
    visited.add(next);
    for (const input of visit(inputsOf, next)) open.push(input);
    const lambda = lambdaOf(next);
    if (lambda !== undefined) open.push(lambda.body);
  }
  return false;
}
