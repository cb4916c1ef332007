import type { Node } from "../../core/operations.js";
import { isExpression, type Reference } from "../../syntax/tree.js";
import type { Checker } from "../checker.js";
import { problem } from "../messages.js";
import type { Binding, Scope } from "../scope.js";
import { capturedArgument, capturedScalar } from "./captured.js";

/** A parameter: a value of this frame or of one around, or an argument as the caller wrote it. */
export function boundValue(
  checker: Checker,
  tree: Reference,
  binding: Binding,
  scope: Scope,
): Node | undefined {
  if (binding.kind === "node") {
    return binding.frame === scope.frame
      ? binding.node
      : capturedScalar(checker, tree, binding.node, binding.frame, scope);
  }
  const { argument } = binding;
  if (!isExpression(argument)) {
    const values = { expected: "tensor", found: argument.kind } as const;
    checker.report(binding.scope)(problem("call/argument", argument.span, values));
    return undefined;
  }
  const isCaptured = binding.scope.frame !== scope.frame;
  if (isCaptured && checker.isVespa) {
    // There an argument stands in a lambda as if it were written there, and may not reach out either.
    binding.isText = true;
    return checker.node(argument, binding.scope.inFrameOf(scope));
  }
  binding.elaborated ??= {
    node: checker.withSite(binding.scope, () => checker.node(argument, binding.scope)),
  };
  const { node } = binding.elaborated;
  return isCaptured && node !== undefined ? capturedArgument(checker, tree, node, binding, scope) : node;
}
