import type { Node } from "../core/operations.js";
import type { Reference } from "../syntax/tree.js";
import type { Checker } from "./checker.js";
import { problem } from "./messages.js";
import { featureName } from "./names.js";
import type { Binding, Scope } from "./scope.js";

/** A parameter: a value of this frame, or an argument as the caller wrote it. */
export function boundValue(
  checker: Checker,
  tree: Reference,
  binding: Binding,
  scope: Scope,
): Node | undefined {
  if (binding.kind === "node") {
    return binding.frame === scope.frame ? binding.node : reportCaptured(checker, tree, scope);
  }
  const { argument } = binding;
  if (argument.kind === "lambda" || argument.kind === "names" || argument.kind === "named") {
    const values = { expected: "tensor", found: argument.kind } as const;
    checker.report(binding.scope)(problem("call/argument", argument.span, values));
    return undefined;
  }
  // In a lambda the argument stands as if it were written there, and may not reach out either.
  if (binding.scope.frame !== scope.frame) {
    binding.isText = true;
    return checker.node(argument, binding.scope.inFrameOf(scope));
  }
  binding.elaborated ??= {
    node: checker.withSite(binding.scope, () => checker.node(argument, binding.scope)),
  };
  return binding.elaborated.node;
}

/** Reports a value of the program that a lambda, whose graph is closed, reaches for. */
export function reportCaptured(checker: Checker, tree: Reference, scope: Scope): undefined {
  checker.report(scope)(problem("name/captured", tree.span, { name: featureName(tree) }));
}
