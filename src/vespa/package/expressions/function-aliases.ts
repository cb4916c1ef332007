import { bareWord } from "../../../language/check/names.js";
import type { Problem } from "../../../language/source/problem.js";
import { treesIn } from "../../../language/syntax/parts.js";
import type { TensorType } from "../../../language/types/type.js";
import { problem } from "../model/messages.js";
import type { Profile } from "../model/model.js";
import { bodiesOf } from "./bodies.js";

/** `rankingExpression(f)` in expressions where f is a tensor: Vespa takes the feature for a number, so that it refuses slices of it, and types are others. */
export function* tensorAliases(
  profile: Profile,
  typeOf: (name: string) => TensorType | undefined,
): Iterable<Problem> {
  for (const { tree: body } of bodiesOf(profile))
    for (const tree of treesIn(body)) {
      if (tree.kind !== "reference" || tree.name.text !== "rankingExpression") continue;
      const [only] = tree.arguments ?? [];
      const name = only === undefined ? undefined : bareWord(only)?.text;
      const type = name === undefined || !profile.functions.has(name) ? undefined : typeOf(name);
      if (name !== undefined && type !== undefined && !type.isScalar)
        yield problem("portability/alias", tree.span, { name, type });
    }
}
