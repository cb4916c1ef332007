import { partsOf } from "../syntax/parts.js";
import type { Argument } from "../syntax/tree.js";
import type { Names } from "./names.js";
import type { Scope } from "./scope.js";

interface Reading {
  readonly tree: Argument;
  /** The names that are bound in the text itself. */
  readonly bound: ReadonlySet<string>;
  /** The names of the text that it stands in. */
  readonly names: Names;
  /** Where it stands; nothing in the body of a function. */
  readonly scope?: Scope;
}

/** Whether an argument reads values of the program by their names, itself or in a function that it calls. */
export function readsNames(argument: Argument, scope: Scope, names: Names): boolean {
  const ofScope = ({ origin }: Scope): Names => origin?.names ?? names;
  const functions = new Set<object>();
  const open: Reading[] = [{ tree: argument, bound: new Set(), names: ofScope(scope), scope }];
  for (let reading = open.pop(); reading !== undefined; reading = open.pop()) {
    const { tree, bound } = reading;
    for (const part of partsOf(tree))
      open.push({ ...reading, tree: part.tree, bound: withBound(bound, part.binds) });
    if (tree.kind !== "reference" || bound.has(tree.name.text)) continue;
    const isPlain = tree.arguments === undefined && tree.outputs.length === 0;
    const binding = isPlain ? reading.scope?.find(tree.name.text) : undefined;
    if (binding?.kind === "argument")
      open.push({
        tree: binding.argument,
        bound: new Set(),
        names: ofScope(binding.scope),
        scope: binding.scope,
      });
    if (binding !== undefined) continue;
    const own = reading.names.own(tree.name.text);
    if (own?.kind === "value") return true;
    if (own?.kind !== "function" || functions.has(own)) continue;
    functions.add(own);
    open.push({ tree: own.tree.body, bound: withBound(new Set(), own.parameters), names: own.names });
  }
  return false;
}

const withBound = (
  bound: ReadonlySet<string>,
  words: readonly { readonly text: string }[],
): ReadonlySet<string> => {
  if (words.length === 0) return bound;
  const all = new Set(bound);
  for (const { text } of words) all.add(text);
  return all;
};
