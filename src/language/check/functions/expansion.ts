import type { Node } from "../../core/operations.js";
import { substituted } from "../../core/rebuild.js";
import type { Problem } from "../../source/problem.js";
import type { Span } from "../../source/span.js";
import { type Argument, isExpression, type Reference } from "../../syntax/tree.js";
import { withDimension } from "../calls/misplaced-arguments.js";
import type { Checker } from "../checker.js";
import { differentiatedParameters } from "../differentiated-names.js";
import { problem } from "../messages.js";
import { bareWord, type NameDefinition, type Names } from "../names.js";
import { type Origin, originIn, type Scope } from "../scope.js";
import { boundValue } from "./bindings.js";
import { guards } from "./guards.js";
import { bindOwnDimension } from "./own-dimension.js";

/** A function of the program or of the prelude that is called. */
type CalledFunction = Extract<NameDefinition, { kind: "function" }>;

/** How many calls deep a function may be expanded. */
const deepest = 1000;

/**
 * A call of a function, expanded where it stands: its body with its parameters bound to the arguments as they were
 * written, each understood in the caller's scope. So a parameter may be a tensor here and a dimension there, and the
 * types of a function are found anew for each call.
 */
export function expand(
  checker: Checker,
  tree: Reference,
  called: CalledFunction,
  scope: Scope,
): Node | undefined {
  if (!isExpandable(checker, tree, called, scope)) return undefined;
  const { parameters, names } = called;
  const definedAt = called.tree.name.span;
  const args = tree.arguments ?? [];
  const name = tree.name.text;
  const report = checker.report(scope);
  const expanded = { name, call: tree.span, inPrelude: names.isPrelude, names, definedAt };
  const origin = originIn(scope, expanded, called.tree.body.span);
  const inner = scope.expansion(origin);
  const ofArguments =
    (checker.context.deployment?.inline.size ?? 0) > 0 && !names.isPrelude ? scope.arguments : scope;
  for (const [at, { text }] of parameters.entries()) {
    const argument = args[at];
    if (argument !== undefined) inner.bind(text, { kind: "argument", argument, scope: ofArguments });
  }
  const { expansions, graph } = checker;
  const key = expansions.keyOf(called.tree, args, ofArguments, inner);
  const existing = expansions.find(key);
  if (existing !== undefined) return existing.node;
  if (!checker.countExpansion()) {
    const limit = checker.context.expansions;
    return void report(problem("limit/expansions", tree.span, { limit }));
  }
  const elaborate = (): Node | undefined => {
    const { draws } = graph;
    if (names.isPrelude && guards.get(name)?.(checker, tree, inner, report) === false) return undefined;
    if (names.isPrelude) bindOwnDimension(checker, tree, inner);
    const standIns = variablesOf(checker, called, inner);
    const body = checker.withSite(inner, () => checker.node(called.tree.body, inner));
    const result = body && (standIns.size === 0 ? body : substituted(body, standIns, graph));
    for (const [at, { text }] of parameters.entries())
      checkUnused(checker, args[at], inner, text, ofArguments, names);
    expansions.add(key, result, inner, graph.draws > draws);
    return result;
  };
  if (key !== undefined) checker.deferral.call(called.tree.body, elaborate);
  return elaborate();
}

/** Whether a call has an expansion: with as many arguments as parameters, not within itself, and not too deep. Otherwise that is reported. */
function isExpandable(checker: Checker, tree: Reference, called: CalledFunction, scope: Scope): boolean {
  const { text: name } = tree.name;
  const report = checker.report(scope);
  const refuse = (found: Problem): false => {
    report(found);
    return false;
  };
  if ((tree.arguments?.length ?? 0) !== called.parameters.length)
    return refuse(arityProblem(checker, tree, called, scope));
  // Vespa deploys no lambda that calls a function of a rank profile.
  if (checker.context.deployment !== undefined && !scope.isOutermostFrame && !called.names.isPrelude)
    report(problem("portability/captured", tree.span, { name }));
  const definedAt = called.tree.name.span;
  const circle = checker.cyclic.get(definedAt);
  if (circle !== undefined) {
    checker.noteCall("name/cycle", circle, scope.origin?.site.outermost ?? tree.span);
    return false;
  }
  const cycle = cycleTo(definedAt, scope.origin);
  if (cycle !== undefined) return refuse(problem("name/cycle", tree.span, { path: [name, ...cycle] }));
  const isTooDeep = (scope.origin?.depth ?? 0) >= deepest;
  return isTooDeep ? refuse(problem("limit/expansion-depth", tree.span, { limit: deepest })) : true;
}

/** That a call has more or fewer arguments than the function has parameters. */
function arityProblem(
  checker: Checker,
  tree: Reference,
  { parameters, names, tree: definition }: CalledFunction,
  scope: Scope,
): Problem {
  const name = tree.name.text;
  const [found, count] = [tree.arguments?.length ?? 0, parameters.length];
  const signature = `${name}(${parameters.map((each) => each.text).join(", ")})`;
  const related = names.isPrelude ? [] : [{ span: definition.name.span, label: "defined here" }];
  const lacksDimension = names.isPrelude && found === count - 1 && parameters.at(-1)?.text === "d";
  const replacement = lacksDimension ? withDimension(checker, tree, scope) : undefined;
  const values = { name, found, least: count, most: count, signature, replacement };
  return problem("call/arity", tree.span, values, related);
}

/**
 * Nodes in the place of the arguments that the function differentiates in, where those are not names: within the function
 * they are variables, and no part of what else has the same value.
 */
function variablesOf(
  checker: Checker,
  { tree, parameters, names }: CalledFunction,
  inner: Scope,
): ReadonlyMap<Node, Node> {
  const standIns = new Map<Node, Node>();
  for (const at of differentiatedParameters(tree, names)) {
    const word = parameters[at];
    const binding = word && inner.find(word.text);
    if (word === undefined || binding?.kind !== "argument") continue;
    const { argument } = binding;
    const isName = argument.kind === "reference" && bareWord(argument) !== undefined;
    if (isName || !isExpression(argument)) continue;
    const value = boundValue(
      checker,
      { kind: "reference", name: word, outputs: [], span: word.span },
      binding,
      inner,
    );
    if (value === undefined) continue;
    const standIn = checker.standIns.of(value, `${word.span.source.name} ${word.span.start}`);
    binding.elaborated = { node: standIn };
    standIns.set(standIn, value);
  }
  return standIns;
}

/** Checks an argument that the body never used as a value, unless it is a word that is no value in Vespa, or a lambda. */
function checkUnused(
  checker: Checker,
  argument: Argument | undefined,
  inner: Scope,
  parameter: string,
  scope: Scope,
  names: Names,
): void {
  const binding = inner.find(parameter);
  if (argument === undefined || binding?.kind !== "argument" || binding.elaborated !== undefined) return;
  if (
    isExpression(argument) &&
    (bareWord(argument) === undefined || isPutIn(checker, argument, scope, names))
  )
    checker.node(argument, scope);
}

/** Whether a word is a function of a rank profile without parameters: Vespa puts it in for an argument, whatever that is used as. */
function isPutIn(checker: Checker, argument: Argument, scope: Scope, names: Names): boolean {
  if (checker.context.deployment === undefined || names.isPrelude) return false;
  const written = checker.written(argument, scope);
  const word = bareWord(written.argument);
  if (word === undefined || written.scope.find(word.text) !== undefined) return false;
  return names.own(word.text)?.kind === "value";
}

/** The names from an expansion of the same function to here, if there is one. */
function cycleTo(definedAt: Span, origin: Origin | undefined): string[] | undefined {
  let first = origin;
  while (first !== undefined && first.definedAt !== definedAt) first = first.outer;
  if (first === undefined) return undefined;
  const path: string[] = [];
  for (let each = origin; each !== undefined && each !== first; each = each.outer) path.push(each.name);
  return [...path.reverse(), first.name];
}
