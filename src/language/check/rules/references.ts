import type { Node } from "../../core/operations.js";
import { textAsNumber } from "../../scalar/hash.js";
import type { Span } from "../../source/span.js";
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
import { featureHeads } from "../functions/feature-heads.js";
import { problem } from "../messages.js";
import { bareWord, featureName, type NameDefinition, type Names } from "../names.js";
import type { ArgumentBinding, Scope } from "../scope.js";
import { foreignAssignment, foreignName, foreignNumber } from "./foreign-names.js";

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

  if (tree.outputs.length === 0) {
    if (tree.arguments === undefined && tree.name.text === "true") return checker.graph.number(1, tree.span);
    if (tree.arguments === undefined && tree.name.text === "false") return checker.graph.number(0, tree.span);
    const builtin = tree.arguments === undefined ? undefined : builtins.get(tree.name.text);
    const composite = names.outer?.own(tree.name.text);
    const ofHost =
      scope.origin?.inPrelude === true ? undefined : checker.context.functions.get(tree.name.text);
    if (ofHost !== undefined && tree.arguments !== undefined)
      return new Call(checker, tree, scope, hostBuiltin(ofHost)).node();
    const isFunction =
      builtin !== undefined || (composite?.kind === "function" && tree.arguments !== undefined);
    if (isFunction && hasSwappedArguments(checker, tree, scope)) return undefined;
    if (builtin !== undefined) return new Call(checker, tree, scope, builtin).node();
    if (composite?.kind === "function" && tree.arguments !== undefined)
      return expand(checker, tree, composite, scope);
  }
  return unknown(checker, tree, scope, names);
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
  if (scope.origin?.inPrelude === true) return undefined;
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

/** A feature in a function, with what the caller wrote in place of parameters: `bm25(f)` may be `bm25(title)`. */
function withArguments(checker: Checker, tree: Reference, scope: Scope): Reference {
  if (scope.origin === undefined || tree.arguments === undefined) return tree;
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

const heads: ReadonlySet<string> = new Set(featureHeads);

/** Whether a word begins the names of features. */
export const isFeatureHead = (checker: Checker, text: string): boolean =>
  heads.has(text) || checker.context.inputs.hasCalled(text);

const isWithin = (inner: Span, outer: Span): boolean =>
  inner.source === outer.source && outer.start < inner.start && inner.end <= outer.end;

/** Reports a name, or a call, that refers to nothing. */
export function unknown(checker: Checker, tree: Reference, scope: Scope, names: Names): undefined {
  const { text, span } = tree.name;
  const report = checker.report(scope);
  const suffix = /^(?:0[xX][0-9a-fA-F]+|\d+(?:[eE][+-]?\d+)?([lLfFdD]))$/.exec(text);
  const letter = suffix?.[1];
  // `2d` may be two of what is called d.
  const isFactor = letter !== undefined && (names.has(letter) || checker.context.inputs.has(letter));
  if (suffix !== null && !isFactor && tree.arguments === undefined)
    return void report(problem("syntax/number", span, { text }));
  const name = featureName(tree);
  const called = tree.arguments !== undefined;
  const bare = tree.grouped ?? tree.span;
  const textOf = ({ source, start, end }: Span): string => source.text.slice(start, end);
  const written = textOf(bare);
  const isFree = !names.has(text) && !checker.context.inputs.hasCalled(text);
  const assigned = called ? undefined : foreignAssignment(bare);
  if (assigned !== undefined)
    return void report(problem("name/foreign", assigned.span, { text: textOf(assigned.span), ...assigned }));
  const foreign =
    foreignNumber(bare) ??
    (called || isFree || tree.outputs.length > 0 ? foreignName(tree, bare) : undefined);
  if (foreign !== undefined) {
    // What is written instead of a whole statement has this mended.
    const last = checker.problems.at(-1);
    if (last?.code !== "name/foreign" || !isWithin(bare, last.span))
      report(problem("name/foreign", bare, { text: written, ...foreign }));
    return undefined;
  }
  const [output] = tree.outputs;
  if (output !== undefined && (names.own(text) ?? names.outer?.own(text) ?? builtins.get(text)) !== undefined)
    return void report(problem("name/output", output.span, { name: text, output: output.text }));
  const { inputs } = checker.context;
  const isFeature = isFeatureHead(checker, text);
  const ofHost = checker.context.functions;
  const functions = () => [
    ...names.functions,
    ...checker.models.keys(),
    ...ofHost.keys(),
    ...builtins.keys(),
  ];
  if (called && !isFeature) {
    const binding = scope.find(text);
    // A definition that is checked by itself has its parameters for arguments.
    const mayBeLambda = ({ argument }: ArgumentBinding): boolean =>
      argument.kind === "lambda" || bareWord(argument)?.text === text;
    const isLambda = binding?.kind === "argument" && mayBeLambda(binding);
    const isValue = binding !== undefined || names.own(text)?.kind === "value" || inputs.has(text);
    const nearest = isLambda ? undefined : checker.guess(text, functions);
    const values = { name: text, nearest, isValue, isLambda };
    return void report(problem("name/unknown-function", span, values));
  }
  const isFunction =
    !called && (builtins.has(text) || ofHost.has(text) || names.outer?.own(text) !== undefined);
  const values = () => (isFunction ? [] : [...scope.names, ...names.values, ...inputs.keys()]);
  const isLambda = !scope.isOutermostFrame;
  const local = [...new Set(scope.localNames)];
  // A lambda sees scalars of the program besides, but not in Vespa.
  const scalars = () =>
    checker.isVespa ? [] : [...inputs].flatMap(([each, type]) => (type.isScalar ? [each] : []));
  const inLambda = () => [...local, ...scalars()];
  const nearest = checker.guess(name, isLambda && !isFunction ? inLambda : values);
  const isUnlike = nearest === undefined && !isFunction && !called;
  const nearestFunction = isUnlike ? checker.guess(name, functions) : undefined;
  const found = {
    ...{ name, nearest, nearestFunction, isFunction, local },
    isLambda: isLambda && local.length > 0,
  };
  report(problem("name/unknown", tree.span, found));
}
