import { bareWord } from "../../../language/check/names.js";
import { treesIn } from "../../../language/syntax/parts.js";
import type { Argument, Expression } from "../../../language/syntax/tree.js";
import { featureListNames, type Profile } from "../model/model.js";

/**
 * The expressions of a rank profile that content nodes read: those of all but the global phase, which is computed in containers, and
 * of the functions that these call, through others too. A function that nothing calls is deployed, and read by no engine.
 */
export function contentBodies({ phases, functions, features }: Profile): ReadonlySet<Expression> {
  const roots = [
    phases["first-phase"]?.expression,
    phases["second-phase"]?.expression,
    ...featureListNames.flatMap((list) => (features[list] ?? []).map((each) => each.expression)),
  ];
  const bodies = new Set(roots.flatMap((each) => each?.tree ?? []));
  for (const body of bodies)
    for (const tree of treesIn(body)) {
      const called = functions.get(functionNamed(tree))?.expression.tree;
      if (called !== undefined) bodies.add(called);
    }
  return bodies;
}

/** `f` of `f`, `f(a)` and `rankingExpression(f)`; empty for anything else. */
function functionNamed(tree: Argument): string {
  if (tree.kind !== "reference") return "";
  const [first] = tree.name.text === "rankingExpression" ? (tree.arguments ?? []) : [];
  return (first && bareWord(first)?.text) ?? tree.name.text;
}
