import type { Node } from "../../core/operations.js";
import { textAsNumber } from "../../scalar/hash.js";
import {
  type Argument,
  isExpression,
  type NumberLiteral,
  type Reference,
  type TextLiteral,
} from "../../syntax/tree.js";
import { TensorType } from "../../types/type.js";
import { builtins } from "../calls/builtins.js";
import { Call } from "../calls/call.js";
import { hostBuiltin } from "../calls/host-functions.js";
import { hasSwappedArguments } from "../calls/misplaced-arguments.js";
import type { Checker } from "../checker.js";
import { deployedInline } from "../deployment/chains.js";
import { deploymentIn, isReplaced } from "../deployment/deployment.js";
import { warnOfInfinity } from "../deployment/numbers.js";
import { boundValue } from "../functions/bindings.js";
import { capturedScalar, capturedValue } from "../functions/captured.js";
import { expand } from "../functions/expansion.js";
import { bareWord, featureName, type NameDefinition, type Names } from "../names.js";
import { preludeNames } from "../prelude-names.js";
import type { Scope } from "../scope.js";
import { reportForeign, reportUnknown } from "./unknown-names.js";

export function numberLiteral(checker: Checker, tree: NumberLiteral, scope: Scope): Node {
  warnOfInfinity(checker, tree, tree.value, scope);
  return checker.graph.number(tree.value, tree.span);
}

/** A text is the number that its hash spells. */
export function textLiteral(checker: Checker, tree: TextLiteral): Node {
  return checker.graph.number(textAsNumber(tree.value), tree.span);
}

/**
 * What a name, a call or a feature refers to: a parameter, a name of the program, a declared input, a function of the
 * language, in this order. Anything else is an error, never a silent zero.
 */
export function reference(checker: Checker, tree: Reference, scope: Scope): Node | undefined {
  const plain = tree.arguments === undefined && tree.outputs.length === 0;
  const binding = plain ? scope.find(tree.name.text) : undefined;
  if (binding !== undefined && !isReplaced(checker, tree.name.text, binding, scope))
    return boundValue(checker, tree, binding, scope);

  const names = scope.origin?.names ?? checker.context.names;
  const model = names === checker.context.names ? checker.models.get(tree.name.text) : undefined;
  if (model !== undefined) return model(tree, scope);
  const own = tree.outputs.length === 0 ? ownName(names, tree) : undefined;
  if (own?.kind === "value")
    return inlined(checker, tree, own, scope) ?? namedValue(checker, tree, own, scope);
  if (own?.kind === "function") return expand(checker, tree, own, scope);

  const input = inputNamed(checker, tree, scope);
  if (input === "untyped") return undefined;
  if (input !== undefined && "op" in input) return input;
  if (input !== undefined) {
    const node = checker.graph.input(input.name, input.type, tree.span);
    if (scope.isOutermostFrame) return node;
    return capturedScalar(checker, tree, node, scope.frame.outermost, scope);
  }

  if (tree.arguments !== undefined && tree.outputs.length === 0)
    return providedCall(checker, tree, scope, names);
  const truth = plain ? truths.get(tree.name.text) : undefined;
  return truth === undefined
    ? reportUnknown(checker, tree, scope, names)
    : checker.graph.number(truth, tree.span);
}

const truths: ReadonlyMap<string, number> = new Map([
  ["true", 1],
  ["false", 0],
]);

/** A call of a function of the host, or of the language. The prelude sees none of the host. */
function providedCall(checker: Checker, tree: Reference, scope: Scope, names: Names): Node | undefined {
  const { text } = tree.name;
  const ofHost = scope.origin?.inPrelude === true ? undefined : checker.context.functions.get(text);
  if (ofHost !== undefined) return new Call(checker, tree, scope, hostBuiltin(ofHost)).node();
  const builtin = builtins.get(text);
  const composite = names.outer?.own(text);
  if (builtin === undefined && composite?.kind !== "function")
    return reportUnknown(checker, tree, scope, names);
  if (hasSwappedArguments(checker, tree, scope)) return undefined;
  const isMore = builtin !== undefined && (tree.arguments?.length ?? 0) > builtin.most;
  if (isMore && reportForeign(checker, tree, scope, names)) return undefined;
  if (builtin !== undefined) return new Call(checker, tree, scope, builtin).node();
  return composite?.kind === "function" ? expand(checker, tree, composite, scope) : undefined;
}

/** The program's own name that a reference is: `k`, `k()`, or `constant(k)`. */
function ownName(names: Names, tree: Reference): NameDefinition | undefined {
  const feature = names.feature(tree);
  if (feature !== undefined) return feature;
  const own = names.own(tree.name.text);
  return own?.kind === "value" && (tree.arguments?.length ?? 0) > 0 ? undefined : own;
}

/** An inline function in another one: there it is text, which may name the parameters of that. */
function inlined(
  checker: Checker,
  { name, arguments: list = [] }: Reference,
  own: Extract<NameDefinition, { kind: "value" }>,
  scope: Scope,
): Node | undefined {
  const body = scope.origin === undefined ? undefined : deploymentIn(checker, scope)?.inline.get(name.text);
  if (body === undefined || list.length > 0 || own.node() === undefined) return undefined;
  return checker.node(body, scope);
}

function namedValue(
  checker: Checker,
  tree: Reference,
  own: Extract<NameDefinition, { kind: "value" }>,
  scope: Scope,
): Node | undefined {
  const body = deploymentIn(checker, scope)?.inline.get(tree.name.text);
  const deployed =
    body === undefined || (tree.arguments?.length ?? 0) > 0
      ? undefined
      : deployedInline(checker, body, scope);
  if (deployed !== undefined && own.node() !== undefined) return checker.node(deployed, scope);
  return scope.isOutermostFrame ? own.node() : capturedValue(checker, tree, own.node(), scope);
}

/** The declared input that a reference names; a bare name may be a constant's. The prelude sees none. */
function inputNamed(
  checker: Checker,
  tree: Reference,
  scope: Scope,
): { name: string; type: TensorType } | Node | "untyped" | undefined {
  if (scope.origin?.inPrelude === true || isPlainCall(checker, tree)) return undefined;
  const { inputs, features } = checker.context;
  const resolved = withArguments(checker, tree, scope);
  const type = inputs.lookup(resolved);
  if (type !== undefined) return { name: featureName(resolved), type };
  if ((resolved.arguments?.length ?? 0) === 0) {
    const name = `constant(${featureName(resolved)})`;
    const constant = inputs.get(name);
    if (constant !== undefined) return { name, type: constant };
  }
  const featureType = features?.(checker, resolved, scope);
  return featureType instanceof TensorType ? { name: featureName(resolved), type: featureType } : featureType;
}

/**
 * Whether a call can be no feature, whatever its arguments are: what these are called by the caller of a function is not looked at then, so that the
 * function has the same value for other arguments of the same value.
 */
function isPlainCall(
  { context }: Checker,
  { name: { text }, arguments: list = [], outputs }: Reference,
): boolean {
  if (list.length === 0 || outputs.length > 0 || context.inputs.hasCalled(text)) return false;
  if (context.features === undefined) return true;
  // `random(seed)` is a feature.
  return text !== "random" && (builtins.has(text) || preludeNames().own(text) !== undefined);
}

/** A feature in a function, with what the caller wrote in place of parameters: `bm25(f)` may be `bm25(title)`. */
function withArguments(checker: Checker, tree: Reference, scope: Scope): Reference {
  if (scope.origin === undefined || tree.arguments === undefined) return tree;
  // It is of an expression, which sees the parameters itself.
  if (tree.name.text === "rankingExpression") return tree;
  return { ...tree, arguments: tree.arguments.map((each) => resolvedArgument(checker, each, scope)) };
}

function resolvedArgument(checker: Checker, argument: Argument, scope: Scope): Argument {
  if (argument.kind === "named") {
    const { argument: value } = checker.resolve(argument.value, scope);
    return bareWord(value) === undefined || !isExpression(value) ? argument : { ...argument, value };
  }
  if (argument.kind !== "reference" || argument.grouped !== undefined) return argument;
  const { argument: written, scope: from } = checker.resolve(argument, scope);
  return written.kind === "reference" ? withArguments(checker, written, from) : written;
}
