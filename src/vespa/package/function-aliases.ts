import { bareWord } from "../../language/check/names.js";
import { append } from "../../language/source/lists.js";
import type { Problem } from "../../language/source/problem.js";
import { partsOf } from "../../language/syntax/parts.js";
import type { Argument } from "../../language/syntax/tree.js";
import type { TensorType } from "../../language/types/type.js";
import { problem } from "./messages.js";
import { type Profile, phaseNames } from "./model.js";

/** `rankingExpression(f)` in expressions where f is a tensor: Vespa takes the feature for a number, so that it refuses slices of it, and types are others. */
export function tensorAliases(
  { phases, functions }: Profile,
  typeOf: (name: string) => TensorType | undefined,
): readonly Problem[] {
  const trees = [
    ...phaseNames.map((each) => phases[each]?.expression?.tree),
    ...[...functions.values()].map(({ expression }) => expression.tree),
  ];
  const problems: Problem[] = [];
  const open: Argument[] = trees.flatMap((tree) => tree ?? []);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    append(
      open,
      partsOf(next).map(({ tree }) => tree),
    );
    if (next.kind !== "reference" || next.name.text !== "rankingExpression") continue;
    const [only] = next.arguments ?? [];
    const name = only === undefined ? undefined : bareWord(only)?.text;
    const type = name === undefined || !functions.has(name) ? undefined : typeOf(name);
    if (name !== undefined && type !== undefined && !type.isScalar)
      problems.push(problem("portability/alias", next.span, { name, type }));
  }
  return problems;
}
