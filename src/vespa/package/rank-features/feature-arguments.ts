import { builtins } from "../../../language/check/calls/builtins.js";
import { isTensorArgument } from "../../../language/check/calls/tensor-arguments.js";
import { bareWord, featureName } from "../../../language/check/names.js";
import { preludeNames } from "../../../language/check/prelude-names.js";
import { append } from "../../../language/source/lists.js";
import type { Problem } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import { partsOf } from "../../../language/syntax/parts.js";
import type { Argument, Expression, Reference, Word } from "../../../language/syntax/tree.js";
import { type Body, bodiesOf } from "../expressions/bodies.js";
import { problem } from "../model/messages.js";
import { featureListNames, type Profile, type RankFunction } from "../model/model.js";
import { argumentKind, rankFeatures } from "./rank-features.js";

/**
 * Arguments of features that are no fields any more when Vespa deploys them: where a function without parameters, or a constant, has
 * the name, it is put in there, `bm25(rankingExpression(title))`, which its content nodes do not know; and a function that has
 * such a feature of its own name is a cycle. So is one in an argument of a call, where the function has a feature or a dimension of
 * that name: `f(price)` with `attribute(x)`. Of `attribute(price)` and `query(price)`, and of lists of features, the names are as they are written.
 */
export function replacedArguments(profile: Profile): Problem[] {
  const lists = featureListNames.flatMap((list) => profile.features[list] ?? []);
  // There only functions are put in, for arguments of calls.
  const ofFunctions = { ...profile, constants: new Map<string, never>() };
  const listed = lists.flatMap(({ expression: { tree } }) =>
    tree?.kind === "reference" ? [...passedIn({ call: tree, body: tree, bound: [] }, ofFunctions)] : [],
  );
  return [...bodiesOf(profile).flatMap((body) => [...replacedIn(body, profile)]), ...listed];
}

function* replacedIn({ tree: body, parameters }: Body, profile: Profile): Iterable<Problem> {
  const open: { readonly tree: Argument; readonly bound: readonly Word[] }[] = [
    { tree: body, bound: parameters },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { tree, bound } = next;
    if (tree.kind === "reference") {
      yield* passedIn({ call: tree, body, bound }, profile);
      for (const word of namesIn(tree, profile)) {
        const by = bound.some(({ text }) => text === word.text) ? undefined : namesake(word.text, profile);
        if (by === undefined) continue;
        const values = { name: word.text, feature: featureName(tree), what: by.what };
        const related = [{ span: by.span, label: "defined here" }];
        yield problem("feature/replaced-argument", word.span, values, related);
      }
    }
    for (const { tree: inner, binds } of partsOf(tree))
      open.push({ tree: inner, bound: binds.length === 0 ? bound : [...bound, ...binds] });
  }
}

/** Features of one argument that Vespa knows by name before it puts anything in. */
const read = new Set(["attribute", "query", "constant", "rankingExpression"]);

/** The arguments of a feature that are plain names, of fields and the like. */
function namesIn(tree: Reference, { functions }: Profile): readonly Word[] {
  const { name, arguments: list = [], outputs } = tree;
  const row = Object.hasOwn(rankFeatures, name.text) ? rankFeatures[name.text] : undefined;
  if (functions.has(name.text) || row === undefined) return [];
  if (read.has(name.text) && list.length === 1 && outputs.length === 0) return [];
  return list.flatMap((each, at) => {
    const isFeature = argumentKind(row, at) === "feature";
    const word = isFeature || each.kind !== "reference" ? undefined : bareWord(each);
    return word ?? [];
  });
}

interface Namesake {
  readonly what: "function" | "constant";
  readonly span: Span;
  readonly body: Expression | undefined;
}

function namesake(name: string, { functions, constants }: Profile): Namesake | undefined {
  const own = functions.get(name);
  const body = own?.expression.tree;
  if (own !== undefined)
    return own.parameters.length === 0 ? { what: "function", span: own.name.span, body } : undefined;
  const constant = constants.get(name);
  // Of a constant in a file Vespa knows no value when it deploys.
  if (constant?.value === undefined || "file" in constant.value) return undefined;
  return { what: "constant", span: constant.span, body };
}

/** The arguments of a call that are put in where the function has a parameter for the name of a field, or of a dimension. */
function* passedIn(
  {
    call,
    body,
    bound,
  }: { readonly call: Reference; readonly body: Argument; readonly bound: readonly Word[] },
  profile: Profile,
): Iterable<Problem> {
  const called = profile.functions.get(call.name.text);
  if (called === undefined || called.parameters.length === 0) return;
  for (const [at, argument] of (call.arguments ?? []).entries()) {
    const word = argument.kind === "reference" ? bareWord(argument) : undefined;
    const by = word && namesake(word.text, profile);
    if (word === undefined || by === undefined) continue;
    // A constant is put in for a parameter of its name, too. What a function passes itself to is told to be a cycle.
    const isOther = bound.some(({ text }) => text === word.text) || by.body === body;
    if (by.what === "function" && isOther) continue;
    const use = nameUse({ called, at }, profile);
    if (use === undefined) continue;
    const values = { name: word.text, feature: featureName(use), what: by.what };
    const related = [
      { span: by.span, label: "defined here" },
      { span: use.span, label: "used as a name here" },
    ];
    yield problem("feature/replaced-argument", word.span, values, related);
  }
}

/** A parameter of a function, by its position. */
interface ParameterOf {
  readonly called: RankFunction;
  readonly at: number;
}

/** Where a function needs the name that is passed for a parameter, itself or in what it passes it on to. */
function nameUse(parameter: ParameterOf, profile: Profile): Reference | undefined {
  const open = [parameter];
  const visited = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { called, at } = next;
    const [name, body] = [called.parameters[at]?.text, called.expression.tree];
    if (name === undefined || body === undefined || visited.has(`${called.name.text} ${at}`)) continue;
    visited.add(`${called.name.text} ${at}`);
    for (const tree of referencesTo(body, name)) {
      const position = (tree.arguments ?? []).findIndex(
        (each) => each.kind === "reference" && bareWord(each)?.text === name,
      );
      if (position < 0) continue;
      const inner = profile.functions.get(tree.name.text);
      if (inner !== undefined) append(open, [{ called: inner, at: position }]);
      else if (isNameOf(tree, position)) return tree;
    }
  }
  return undefined;
}

/** The calls in an expression where a parameter means what is passed. */
function* referencesTo(body: Argument, parameter: string): Iterable<Reference> {
  const open = [body];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === "reference") yield next;
    for (const { tree, binds } of partsOf(next))
      if (binds.every(({ text }) => text !== parameter)) open.push(tree);
  }
}

/** Whether an argument is the name of a field, an input or a constant, or that of a dimension. */
function isNameOf({ name: { text } }: Reference, at: number): boolean {
  if (text === "rankingExpression" || text === "max" || text === "min") return false;
  if (builtins.has(text) || preludeNames().own(text) !== undefined) return !isTensorArgument(text, at);
  return Object.hasOwn(rankFeatures, text);
}
