import { preludeText } from "../../prelude/prelude.js";
import { builtins } from "../calls/builtins.js";
import { preludeNames } from "../prelude-names.js";

/** A function of the language as its users know it. */
export interface FunctionDescription {
  readonly name: string;
  /** How it is called: `softmax(t, d)`. */
  readonly signature: string;
  /** What it is, in a sentence. */
  readonly description: string;
  /** A call and its value, of those that are written in the language. */
  readonly example?: { readonly call: string; readonly value: string };
}

let cached: ReadonlyMap<string, FunctionDescription> | undefined;

/** All functions of the language by name, in alphabetical order: each has its sentence where it is defined. */
export function functionDescriptions(): ReadonlyMap<string, FunctionDescription> {
  if (cached !== undefined) return cached;
  const described = [...preludeNames().all].map(ofPrelude);
  const named = new Map(described.map((each) => [each.name, each]));
  for (const [name, { signature, description }] of builtins)
    if (!named.has(name)) named.set(name, { name, signature, description });
  cached = new Map([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
  return cached;
}

/** A definition of the prelude has a sentence and an example in the comment before it. */
function ofPrelude(name: string): FunctionDescription {
  const block = preludeText.split(/\n\s*\n/).find((each) => each.includes(`\n${name}(`)) ?? "";
  const comment = [...block.matchAll(/^# (.*)$/gm)].map(([, line = ""]) => line);
  const [, call, value] = /^ {2}(.+?) {2}> {2}(.+)$/m.exec(comment.join("\n")) ?? [];
  return {
    name,
    signature: /^(\w+\(.*?\)) =/m.exec(block)?.[1] ?? name,
    description: comment.filter((line) => !line.startsWith(" ")).join(" "),
    ...(call === undefined || value === undefined ? {} : { example: { call, value } }),
  };
}
