import { partsOf } from "../../syntax/parts.js";
import type { Argument, Definition } from "../../syntax/tree.js";
import { bareWord, type NameDefinition } from "../names.js";
import { preludeNames } from "../prelude-names.js";
import { builtins } from "./builtins.js";

/**
 * Whether an argument of a function of the language is a tensor whatever the call, so that a bare name there is a value; elsewhere it may be
 * a dimension, a size, a cell type or an aggregator.
 */
export function isTensorArgument(name: string, at: number): boolean {
  const builtin = builtins.get(name);
  if (builtin !== undefined) return builtin.tensors.includes(at);
  const composite = preludeNames().own(name);
  if (composite?.kind !== "function") return false;
  const parameter = composite.parameters[at]?.text;
  return parameter !== undefined && valuesOf(composite).has(parameter);
}

type Composite = Extract<NameDefinition, { kind: "function" }>;

const values = new Map<Definition, ReadonlySet<string>>();

/** The names that stand for values somewhere in the text of a function. */
function valuesOf({ tree }: Composite): ReadonlySet<string> {
  const cached = values.get(tree);
  if (cached !== undefined) return cached;
  const found = new Set<string>();
  const open: Argument[] = [tree.body];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind !== "reference") for (const part of partsOf(next)) open.push(part.tree);
    else if (next.arguments === undefined) found.add(next.name.text);
    else
      for (const [at, argument] of next.arguments.entries())
        if (bareWord(argument) === undefined || isTensorArgument(next.name.text, at)) open.push(argument);
  }
  values.set(tree, found);
  return found;
}
