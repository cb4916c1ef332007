import { type CheckContext, Checker } from "../../../language/check/checker.js";
import { bareWord, Names } from "../../../language/check/names.js";
import { preludeNames } from "../../../language/check/prelude-names.js";
import { rules } from "../../../language/check/rules/rules.js";
import { Frame, Scope } from "../../../language/check/scope.js";
import { Graph } from "../../../language/core/graph.js";
import type { Problem } from "../../../language/source/problem.js";
import { textIn } from "../../../language/source/span.js";
import type { Reference } from "../../../language/syntax/tree.js";
import type { Profile, RankFunction } from "../model/model.js";
import { rankFeatures } from "../rank-features/rank-features.js";

/**
 * Functions with parameters have types where they are called. Of one that is never called only this can be checked: that
 * the names in it mean something, whatever its parameters are.
 */
export function uncalled(profile: Profile, context: Omit<CheckContext, "names">): readonly Problem[] {
  const functions = [...profile.functions.values()];
  const texts = functions.map((each) => textIn(each.expression.span));
  const others = [...phasesOf(profile), ...featuresOf(profile)].map((each) => textIn(each));
  const words = new Set([...texts, ...others].flatMap((text) => text.match(/[\w$]+/g) ?? []));
  const alone = functions.filter(({ name, parameters }) => parameters.length > 0 && !words.has(name.text));
  if (alone.length === 0) return [];
  const names = new Names(preludeNames());
  // Calls of other functions are looked at where these are.
  for (const { name } of functions)
    for (const alias of [name.text, `rankingExpression(${name.text})`])
      names.define(alias, { kind: "value", node: () => undefined });
  const found = alone.flatMap((each) => {
    const { features } = context;
    const checker = new Checker(
      new Graph(),
      {
        ...{ ...context, names },
        features: (asking, feature, scope) =>
          isOfParameter(feature, each) ? "untyped" : features?.(asking, feature, scope),
      },
      rules,
    );
    checkFunction(each, checker);
    return checker.problems;
  });
  return found.filter(({ code }) =>
    /^(?:feature|query)\/|^portability\/(?:captured|function|lambda)$/.test(code),
  );
}

/** Whether a feature is one of a parameter: `bm25(field)` may be of any field. */
function isOfParameter({ name, arguments: list = [] }: Reference, { parameters }: RankFunction): boolean {
  const words = new Set(list.map((each) => bareWord(each)?.text));
  return Object.hasOwn(rankFeatures, name.text) && parameters.some(({ text }) => words.has(text));
}

function checkFunction({ parameters, expression: { tree } }: RankFunction, checker: Checker): void {
  if (tree === undefined) return;
  const frame = Frame.outermost();
  const scope = new Scope(frame, 0);
  // The caller's scope, in which nothing is bound: a parameter that stood for itself would be looked up for ever.
  const caller = new Scope(frame, 0);
  for (const each of parameters) {
    const argument = { kind: "reference", name: each, outputs: [], span: each.span } as const;
    scope.bind(each.text, { kind: "argument", argument, scope: caller, elaborated: { node: undefined } });
  }
  checker.withSite(scope, () => checker.node(tree, scope));
}

const phasesOf = ({ phases }: Profile) =>
  Object.values(phases).flatMap((each) => (each?.expression === undefined ? [] : [each.expression.span]));

const featuresOf = ({ features }: Profile) =>
  Object.values(features).flatMap((list) => (list ?? []).map((each) => each.expression.span));
