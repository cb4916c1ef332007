import type { Checker } from "../../../language/check/checker.js";
import { Frame, Scope } from "../../../language/check/scope.js";
import type { Node } from "../../../language/core/operations.js";
import { partsOf } from "../../../language/syntax/parts.js";
import type { Argument, Expression, Reference, Word } from "../../../language/syntax/tree.js";
import { problem } from "../model/messages.js";
import type { Profile } from "../model/model.js";

/**
 * `rankingExpression(f)` of a function with parameters: what it computes although nothing is handed over. A parameter that it
 * reads is a feature for Vespa's engines, and one that there is not.
 */
export function functionFeature(
  { profile, computing }: { readonly profile: Profile; readonly computing: Set<Expression> },
  checker: Checker,
  feature: Reference,
  scope: Scope,
  name: string | undefined,
): Node | "untyped" {
  const called = name === undefined ? undefined : profile.functions.get(name);
  const { tree } = called?.expression ?? {};
  if (called === undefined || tree === undefined || feature.arguments?.length !== 1) return "untyped";
  if (!scope.isOutermostFrame || computing.has(tree)) return "untyped";
  const { constants, functions } = profile;
  const read = freeParameter(tree, called.parameters, new Set([...constants.keys(), ...functions.keys()]));
  if (read !== undefined) {
    const related = [{ span: read.span, label: "the parameter" }];
    const values = { name: called.name.text, parameter: read.text };
    checker.report(scope)(problem("feature/parameter", feature.span, values, related));
    return "untyped";
  }
  computing.add(tree);
  try {
    return checker.node(tree, new Scope(Frame.outermost(), 0)) ?? "untyped";
  } finally {
    computing.delete(tree);
  }
}

/** The first parameter that an expression reads, unless the name means something anyway. */
export function freeParameter(
  tree: Argument,
  parameters: readonly Word[],
  names: ReadonlySet<string>,
): Word | undefined {
  const open = [{ tree, parameters: parameters.filter(({ text }) => !names.has(text)) }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { tree: part, parameters: free } = next;
    const isPlain = part.kind === "reference" && part.arguments === undefined && part.outputs.length === 0;
    const found = isPlain ? free.find(({ text }) => text === part.name.text) : undefined;
    if (found !== undefined) return found;
    for (const { tree: inner, binds } of partsOf(part))
      open.push({
        tree: inner,
        parameters: free.filter(({ text }) => binds.every((each) => each.text !== text)),
      });
  }
  return undefined;
}
