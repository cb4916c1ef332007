import { type Node, type OperationName, reaches } from "../core/operations.js";
import type { Reference } from "../syntax/tree.js";
import type { Checker } from "./checker.js";
import { problem } from "./messages.js";
import { featureName, type NameDefinition } from "./names.js";
import { type Frame, Scope } from "./scope.js";

/**
 * A value of the program in a lambda, whose graph is closed. A number that is the same in all runs is there as if it were
 * written: `c = 3; map(t, f(x)(pow(x, c)))`, as the Paper's Table 1 has it. Any other scalar becomes a parameter of the lambda.
 */
export function capturedValue(
  checker: Checker,
  tree: Reference,
  own: Extract<NameDefinition, { kind: "value" }>,
  scope: Scope,
): Node | undefined {
  const node = own.node();
  if (node === undefined) return undefined;
  if (!node.type.isScalar || varies(node))
    return capturedScalar(checker, tree, node, scope.frame.outermost, scope);
  notePortability(checker, tree, scope);
  if (!reaches(node, binding)) return node;
  // Generators in it are nested in the lambda, and have other levels there.
  if (own.expression === undefined) return reportCaptured(checker, tree, node, scope);
  return scope.frame.elaboratedOnce(own.expression, scope.level, () =>
    checker.node(own.expression ?? tree, new Scope(scope.frame, scope.level)),
  );
}

/** A value of a frame around a lambda as a parameter of it, if it is a scalar; Vespa has no such thing. */
export function capturedScalar(
  checker: Checker,
  tree: Reference,
  node: Node,
  of: Frame,
  scope: Scope,
): Node | undefined {
  const isAllowed = node.type.isScalar && !checker.isVespa;
  const parameter = isAllowed ? scope.frame.capture(node, featureName(tree), of, checker.graph) : undefined;
  if (parameter === undefined) return reportCaptured(checker, tree, node, scope);
  notePortability(checker, tree, scope);
  return parameter;
}

/** Whether a value may be another one in each run, or wherever it is computed. */
export const varies = (node: Node): boolean => node.depends !== 0 || reaches(node, varying);

const varying: ReadonlySet<OperationName> = new Set<OperationName>(["input", "random", "host"]);
const binding: ReadonlySet<OperationName> = new Set<OperationName>(["generate"]);

function notePortability(checker: Checker, tree: Reference, scope: Scope): void {
  if (scope.frame.isCapturing) return;
  checker.report(scope)(problem("portability/captured", tree.span, { name: featureName(tree) }));
}

/** Reports a value of the program that a lambda cannot see. */
function reportCaptured(checker: Checker, tree: Reference, node: Node, scope: Scope): undefined {
  const isTensor = !node.type.isScalar && !checker.isVespa;
  const values = { name: featureName(tree), type: isTensor ? node.type : undefined };
  checker.report(scope)(problem("name/captured", tree.span, values));
}
