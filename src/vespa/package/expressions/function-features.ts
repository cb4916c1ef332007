import type { Checker } from "../../../language/check/checker.js";
import { bareWord } from "../../../language/check/names.js";
import { Frame, Scope } from "../../../language/check/scope.js";
import type { Node } from "../../../language/core/operations.js";
import { append } from "../../../language/source/lists.js";
import { partsOf } from "../../../language/syntax/parts.js";
import {
  type Argument,
  type Expression,
  isExpression,
  type Reference,
  type Word,
} from "../../../language/syntax/tree.js";
import { problem } from "../model/messages.js";
import { type Profile, phaseNames } from "../model/model.js";

interface Functions {
  readonly profile: Profile;
  readonly computing: Set<Expression>;
}

/**
 * `rankingExpression(f)` of a function with parameters: what it computes although nothing is handed over. A parameter that it
 * reads is a feature for Vespa's engines, and one that there is not. Of anything else it is the value of that.
 */
export function functionFeature(
  { profile, computing }: Functions,
  checker: Checker,
  feature: Reference,
  scope: Scope,
): Node | "untyped" {
  const [argument, ...others] = feature.arguments ?? [];
  if (argument === undefined || others.length > 0) return "untyped";
  const name = argument.kind === "text" ? argument.value : bareWord(argument)?.text;
  const called = name === undefined ? undefined : profile.functions.get(name);
  const phase = called === undefined ? phaseTree(name, profile) : undefined;
  if (called === undefined && phase === undefined) return namedValue(argument, profile, checker, scope);
  const tree = called === undefined ? phase : called.expression.tree;
  if (tree === undefined) return "untyped";
  if (!scope.isOutermostFrame || computing.has(tree)) return "untyped";
  const { constants, functions } = profile;
  const names = new Set([...constants.keys(), ...functions.keys()]);
  const read = called && freeParameter(tree, called.parameters, names);
  if (called !== undefined && read !== undefined) {
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

/** The expression of the phase `firstphase`, say, which is a function of that name for engines unless it is a feature. */
function phaseTree(name: string | undefined, { phases }: Profile): Expression | undefined {
  const phase = phaseNames.find((each) => each.replace("-", "") === name);
  const tree = phase && phases[phase]?.expression?.tree;
  return tree?.kind === "reference" ? undefined : tree;
}

/** The value of a feature, a call or a constant. Vespa puts no parameter in by its name alone, and its content nodes read no other expression there. */
function namedValue(argument: Argument, profile: Profile, checker: Checker, scope: Scope): Node | "untyped" {
  if (argument.kind === "text" || profile.isOpen) return "untyped";
  const word = argument.kind === "reference" ? bareWord(argument) : undefined;
  const isParameter = word !== undefined && scope.find(word.text) !== undefined;
  if (isExpression(argument) && isNamed(argument, profile) && !isParameter)
    return checker.node(argument, scope) ?? "untyped";
  const found = isParameter ? ({ kind: "text", text: word.text } as const) : "expression";
  const values = { expected: "feature or function", found } as const;
  checker.report(scope)(problem("feature/argument", argument.span, values));
  return "untyped";
}

/** Whether content nodes read an argument: what is written like a feature, and calls of functions, which have names there. */
function isNamed(argument: Argument, { functions }: Profile): boolean {
  const open = [argument];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind !== "reference" && next.kind !== "number" && next.kind !== "text") return false;
    if (next.kind === "reference" && !functions.has(next.name.text)) append(open, next.arguments ?? []);
  }
  return true;
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
