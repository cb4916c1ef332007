import type { Problem } from "../../source/problem.js";
import { type Span, textIn } from "../../source/span.js";
import type { Reference } from "../../syntax/tree.js";
import { builtins } from "../calls/builtins.js";
import type { Checker } from "../checker.js";
import { featureHeads } from "../functions/feature-heads.js";
import { problem } from "../messages.js";
import { bareWord, featureName, type Names } from "../names.js";
import type { ArgumentBinding, Scope } from "../scope.js";
import { foreignAssignment, foreignName, foreignNumber } from "./foreign-names.js";

const heads: ReadonlySet<string> = new Set(featureHeads);

/** Whether a word begins the names of features. */
export const isFeatureHead = (checker: Checker, text: string): boolean =>
  heads.has(text) || checker.context.inputs.hasCalled(text);

/** Reports a name, or a call, that refers to nothing. */
export function reportUnknown(checker: Checker, tree: Reference, scope: Scope, names: Names): undefined {
  if (reportForeign(checker, tree, scope, names)) return undefined;
  const report = checker.report(scope);
  const { text } = tree.name;
  const [output] = tree.outputs;
  if (output !== undefined && (names.own(text) ?? names.outer?.own(text) ?? builtins.get(text)) !== undefined)
    return void report(problem("name/output", output.span, { name: text, output: output.text }));
  const isFunction = tree.arguments !== undefined && !isFeatureHead(checker, text);
  report(
    isFunction ? unknownFunction(checker, tree, scope, names) : unknownName(checker, tree, scope, names),
  );
}

/** Reports what another language has so, and what stands for it here; whether this is such a form. */
export function reportForeign(checker: Checker, tree: Reference, scope: Scope, names: Names): boolean {
  const { text, span } = tree.name;
  const report = checker.report(scope);
  const isCall = tree.arguments !== undefined;
  if (!isCall && isNumber(checker, text, names)) {
    report(problem("syntax/number", span, { text }));
    return true;
  }
  const written = tree.grouped ?? tree.span;
  const assigned = isCall ? undefined : foreignAssignment(written);
  if (assigned !== undefined) {
    report(problem("name/foreign", assigned.span, { text: textIn(assigned.span), ...assigned }));
    return true;
  }
  const isFree = !names.has(text) && !checker.context.inputs.hasCalled(text);
  const foreign =
    foreignNumber(written) ??
    (isCall || isFree || tree.outputs.length > 0 ? foreignName(tree, written) : undefined);
  if (foreign === undefined) return false;
  // What is written instead of a whole statement has this mended.
  const last = checker.problems.at(-1);
  if (last?.code !== "name/foreign" || !isWithin(written, last.span))
    report(problem("name/foreign", written, { text: textIn(written), ...foreign }));
  return true;
}

/** Whether a word is a number of another language: `0xff` or `2f`. `2d` may be two of what is called d. */
function isNumber(checker: Checker, text: string, names: Names): boolean {
  const suffix = /^(?:0[xX][0-9a-fA-F]+|\d+(?:[eE][+-]?\d+)?([lLfFdD]))$/.exec(text);
  const letter = suffix?.[1];
  const isFactor = letter !== undefined && (names.has(letter) || checker.context.inputs.has(letter));
  return suffix !== null && !isFactor;
}

const isWithin = (inner: Span, outer: Span): boolean =>
  inner.source === outer.source && outer.start < inner.start && inner.end <= outer.end;

function unknownFunction(checker: Checker, { name }: Reference, scope: Scope, names: Names): Problem {
  const { text, span } = name;
  const binding = scope.find(text);
  // A definition that is checked by itself has its parameters for arguments.
  const mayBeLambda = ({ argument }: ArgumentBinding): boolean =>
    argument.kind === "lambda" || bareWord(argument)?.text === text;
  const isLambda = binding?.kind === "argument" && mayBeLambda(binding);
  const isValue =
    binding !== undefined || names.own(text)?.kind === "value" || checker.context.inputs.has(text);
  const nearest = isLambda ? undefined : checker.guess(text, () => functionNames(checker, names));
  return problem("name/unknown-function", span, { name: text, nearest, isValue, isLambda });
}

function unknownName(checker: Checker, tree: Reference, scope: Scope, names: Names): Problem {
  const { inputs, functions } = checker.context;
  const { text } = tree.name;
  const name = featureName(tree);
  const isCall = tree.arguments !== undefined;
  const isFunction =
    !isCall && (builtins.has(text) || functions.has(text) || names.outer?.own(text) !== undefined);
  const values = () => (isFunction ? [] : [...scope.names, ...names.values, ...inputs.keys()]);
  const isLambda = !scope.isOutermostFrame;
  const local = [...new Set(scope.localNames)];
  // A lambda sees scalars of the program besides, but not in Vespa.
  const scalars = () =>
    checker.isVespa ? [] : [...inputs].flatMap(([each, type]) => (type.isScalar ? [each] : []));
  const inLambda = () => [...local, ...scalars()];
  const nearest = checker.guess(name, isLambda && !isFunction ? inLambda : values);
  const isUnlike = nearest === undefined && !isFunction && !isCall;
  const nearestFunction = isUnlike ? checker.guess(name, () => functionNames(checker, names)) : undefined;
  return problem("name/unknown", tree.span, {
    ...{ name, nearest, nearestFunction, isFunction, local },
    isLambda: isLambda && local.length > 0,
  });
}

const functionNames = (checker: Checker, names: Names): readonly string[] => [
  ...names.functions,
  ...checker.models.keys(),
  ...checker.context.functions.keys(),
  ...builtins.keys(),
];
