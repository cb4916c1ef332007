import { bitsOf, type Node, reaches } from "../../core/operations.js";
import { shortened } from "../../source/message.js";
import { textIn } from "../../source/span.js";
import type { Reference } from "../../syntax/tree.js";
import type { Checker } from "../checker.js";
import { problem } from "../messages.js";
import { readsNames } from "../name-reads.js";
import { featureName } from "../names.js";
import type { ArgumentBinding, Frame, Scope } from "../scope.js";
import { type ClosedGraph, capturingCopy, constantCopy } from "./closed-copy.js";

/**
 * A value of the program in a lambda, whose graph is closed. A number that is the same in all runs is there as if it were
 * written: `c = 3; map(t, f(x)(pow(x, c)))`, as the Paper's Table 1 has it. Any other scalar becomes a parameter of the lambda.
 */
export function capturedValue(
  checker: Checker,
  tree: Reference,
  node: Node | undefined,
  scope: Scope,
): Node | undefined {
  if (node === undefined) return undefined;
  if (!node.type.isScalar || varies(node))
    return capturedScalar(checker, tree, node, scope.frame.outermost, scope);
  notePortability(checker, tree, scope);
  return constantCopy(node, closedGraphOf(checker, scope, scope.frame.outermost));
}

/**
 * An argument in a lambda of the function. Its value may be a tensor, if that is made of scalars alone: the function has no other
 * way to name what the caller might have written in the lambda itself.
 */
export function capturedArgument(
  checker: Checker,
  tree: Reference,
  node: Node,
  binding: ArgumentBinding,
  scope: Scope,
): Node | undefined {
  const { frame } = binding.scope;
  const closed = closedGraphOf(checker, scope, frame);
  if (!varies(node)) {
    if (readsNames(binding.argument, binding.scope, checker.context.names))
      notePortability(checker, tree, scope);
    return constantCopy(node, closed);
  }
  if (node.type.isScalar) return capturedScalar(checker, tree, node, frame, scope);
  const copy = capturingCopy(node, closed);
  if (copy === undefined) return reportCaptured(checker, tree, node, scope);
  notePortability(checker, tree, scope);
  return copy;
}

const closedGraphOf = ({ graph }: Checker, { frame, level }: Scope, around: Frame): ClosedGraph => ({
  graph,
  level,
  capture: (scalar) => frame.capture(scalar, scalarName(scalar), around, graph),
});

/** What a scalar is called that has no name of its own: the text that it is. */
const scalarName = ({ span, definition }: Node): string =>
  shortened(textIn(definition?.span ?? span).replace(/\s+/g, " "));

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
const varies = (node: Node): boolean => node.depends !== 0 || reaches(node, varying);

const varying = bitsOf(["input", "random", "host"]);

function notePortability(checker: Checker, tree: Reference, scope: Scope): void {
  checker.report(scope)(problem("portability/captured", tree.span, { name: featureName(tree) }));
}

/** Reports a value of the program that a lambda cannot see. */
function reportCaptured(checker: Checker, tree: Reference, node: Node, scope: Scope): undefined {
  const isTensor = !node.type.isScalar && !checker.isVespa;
  const values = { name: featureName(tree), type: isTensor ? node.type : undefined };
  checker.report(scope)(problem("name/captured", tree.span, values));
}
