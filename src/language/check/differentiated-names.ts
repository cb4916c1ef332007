import type { Source } from "../source/span.js";
import type { Argument, Definition, Expression, Reference } from "../syntax/tree.js";
import { bareWord, type Names } from "./names.js";

/** The functions that differentiate, and which argument of each names what in. */
const differentiating: ReadonlyMap<string, ReadonlySet<number>> = new Map([
  ["gradient", new Set([1])],
  ["jvp", new Set([1])],
]);

/** Which parameters a function differentiates in, itself or by functions that it calls. */
const positionsOf = new WeakMap<Definition, ReadonlySet<number>>();

/**
 * The words that stand where `gradient` or `jvp` takes a variable, or where a function does that hands it on. Such a name is a value
 * of its own while a derivative is taken: `3 * c` depends on `c = 3` by its second factor alone.
 */
export function differentiatedNames(tree: Expression, names: Names): ReadonlySet<string> {
  const found = new Set<string>();
  if (!mayDifferentiate(tree.span.source)) return found;
  for (const call of callsIn(tree)) {
    for (const at of variablesOf(call, names)) {
      const argument = call.arguments?.[at];
      const word = argument && bareWord(argument);
      if (word !== undefined) found.add(word.text);
    }
  }
  return found;
}

/** Whether a text has the name of a function that differentiates. */
const mentioning = new WeakMap<Source, boolean>();

/** Most programs take no derivative, and their trees need no walk. Each text is looked through once, for all of its expressions. */
function mayDifferentiate(source: Source): boolean {
  let mentions = mentioning.get(source);
  if (mentions === undefined) {
    mentions = [...differentiating.keys()].some((name) => source.text.includes(name));
    mentioning.set(source, mentions);
  }
  return mentions;
}

/** The positions of the parameters that a function differentiates in. */
export function differentiatedParameters(definition: Definition, names: Names): ReadonlySet<number> {
  const existing = positionsOf.get(definition);
  if (existing !== undefined) return existing;
  positionsOf.set(definition, new Set()); // for functions that call themselves, which is a problem of its own
  const words = differentiatedNames(definition.body, names);
  const positions = (definition.parameters ?? []).flatMap(({ text }, at) => (words.has(text) ? [at] : []));
  const result = new Set(positions);
  positionsOf.set(definition, result);
  return result;
}

function variablesOf(call: Reference, names: Names): ReadonlySet<number> {
  const own = names.own(call.name.text) ?? names.outer?.own(call.name.text);
  if (own?.kind === "function") return differentiatedParameters(own.tree, own.names);
  return (own === undefined ? differentiating.get(call.name.text) : undefined) ?? new Set();
}

/** All references in an expression that have arguments. No recursion: a tree may be as deep as its text. */
function* callsIn(tree: Expression): Generator<Reference> {
  const open: unknown[] = [tree];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== "object" || part === null) continue;
    if (isCall(part)) yield part;
    for (const [key, value] of Object.entries(part))
      if (key !== "span" && value !== undefined) open.push(value);
  }
}

const isCall = (part: object): part is Reference & { readonly arguments: readonly Argument[] } =>
  "kind" in part && part.kind === "reference" && "arguments" in part;
