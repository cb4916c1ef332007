import { bareWord, featureName } from "../../../language/check/names.js";
import type { Problem } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import { partsOf } from "../../../language/syntax/parts.js";
import type { Argument, Reference, Word } from "../../../language/syntax/tree.js";
import { type Body, bodiesOf } from "../expressions/bodies.js";
import { problem } from "../model/messages.js";
import type { Profile } from "../model/model.js";
import { rankFeatures } from "./rank-features.js";

/**
 * Arguments of features that are no fields any more when Vespa deploys them: where a function without parameters, or a constant, has
 * the name, it is put in there, `bm25(rankingExpression(title))`, which its content nodes do not know; and a function that has
 * such a feature of its own name is a cycle. Of `attribute(price)` and `query(price)`, and of lists of features, the names are as they are written.
 */
export function replacedArguments(profile: Profile): Problem[] {
  return bodiesOf(profile).flatMap((body) => [...replacedIn(body, profile)]);
}

function* replacedIn({ tree: body, parameters }: Body, profile: Profile): Iterable<Problem> {
  const open: { readonly tree: Argument; readonly bound: readonly Word[] }[] = [
    { tree: body, bound: parameters },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { tree, bound } = next;
    if (tree.kind === "reference")
      for (const word of namesIn(tree, profile)) {
        const by = bound.some(({ text }) => text === word.text) ? undefined : namesake(word.text, profile);
        if (by === undefined) continue;
        const values = { name: word.text, feature: featureName(tree), what: by.what };
        const related = [{ span: by.span, label: "defined here" }];
        yield problem("feature/replaced-argument", word.span, values, related);
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
  if (functions.has(name.text) || !Object.hasOwn(rankFeatures, name.text)) return [];
  if (read.has(name.text) && list.length === 1 && outputs.length === 0) return [];
  const kinds = rankFeatures[name.text]?.arguments ?? [];
  return list.flatMap((each, at) => {
    const isFeature = kinds[Math.min(at, kinds.length - 1)] === "feature";
    const word = isFeature || each.kind !== "reference" ? undefined : bareWord(each);
    return word ?? [];
  });
}

function namesake(
  name: string,
  { functions, constants }: Profile,
): { readonly what: "function" | "constant"; readonly span: Span } | undefined {
  const own = functions.get(name);
  if (own !== undefined)
    return own.parameters.length === 0 ? { what: "function", span: own.name.span } : undefined;
  const constant = constants.get(name);
  return constant && { what: "constant", span: constant.span };
}
