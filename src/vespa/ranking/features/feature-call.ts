import { bareWord, featureName } from "../../../language/check/names.js";
import { parseExpression } from "../../../language/syntax/parse.js";
import { printExpression } from "../../../language/syntax/pretty-printer/print.js";
import type { Argument, Reference } from "../../../language/syntax/tree.js";

/** A feature as it is called: `attribute(a,3)` is `attribute` of `a` and `3`, `freshness(t).logscale` has an output. */
export interface FeatureCall {
  /** Canonical. */
  readonly name: string;
  readonly head: string;
  readonly arguments: readonly string[];
  readonly output: string | undefined;
}

export function callOf(tree: Reference, name: string): FeatureCall {
  const output = tree.outputs.length === 0 ? undefined : tree.outputs.map(({ text }) => text).join(".");
  return { name, head: tree.name.text, arguments: (tree.arguments ?? []).map(argumentText), output };
}

/** The feature that a text calls; nothing where it is none. */
export function callIn(text: string): FeatureCall | undefined {
  const { tree } = parseExpression({ name: "feature", text });
  return tree?.kind === "reference" ? callOf(tree, featureName(tree)) : undefined;
}

function argumentText(argument: Argument): string {
  if (argument.kind === "text") return argument.value;
  if (argument.kind === "reference") return featureName(argument);
  if (argument.kind === "named" || argument.kind === "names" || argument.kind === "lambda") return "";
  return bareWord(argument)?.text ?? printExpression(argument);
}
