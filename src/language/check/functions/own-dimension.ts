import type { Reference } from "../../syntax/tree.js";
import type { Checker } from "../checker.js";
import type { Scope } from "../scope.js";
import { argumentValue, argumentWord } from "./guards.js";

/** The functions of the prelude that have a dimension of their own within them, and what it is called there. */
const ownDimensions: ReadonlyMap<string, string> = new Map([
  ["descending_rank", "_o"],
  ["discount", "_o"],
  ["tied_sum", "_o"],
]);

/**
 * Lets such a dimension have a name that no argument has: another one where a tensor, or the dimension that is the last argument, is
 * called so. The scope is that of the expansion.
 */
export function bindOwnDimension(checker: Checker, tree: Reference, scope: Scope): void {
  const own = ownDimensions.get(tree.name.text);
  if (own === undefined) return;
  const last = (tree.arguments?.length ?? 0) - 1;
  const tensors = Array.from({ length: last }, (_, at) => argumentValue(checker, tree, at, scope));
  const taken = new Set([
    argumentWord(checker, tree, last, scope),
    ...tensors.flatMap((each) => each?.type.names ?? []),
  ]);
  let [name, number] = [own, 0];
  while (taken.has(name)) name = `${own}${++number}`;
  if (name === own) return;
  const { span } = tree;
  const argument = { kind: "reference", name: { text: name, span }, outputs: [], span } as const;
  scope.bind(own, { kind: "argument", argument, scope });
}
