import { unquote } from "../../language/source/escapes.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import type { Address, TextAddress } from "../../language/values/address.js";
import { problem as valueProblem } from "../../language/values/messages.js";
import { indexOf } from "./cells.js";
import { problem } from "./messages.js";

/** Addresses as people give them. */

/** A dimension and its label, which is a text without signs of its own, or in quotes. */
const entry =
  /\s*([^\s:,'"{}]+)\s*:\s*("(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|[^:,'"{}]*?)\s*(?:,|$)/y;

/**
 * An address from its text: `x:0,k:'a label'`, in braces or not.
 * @throws SphexError where it is none.
 */
export function parseAddress(text: string): TextAddress {
  const inner = /^\s*\{([\s\S]*)\}\s*$/.exec(text)?.[1] ?? text;
  const entries: [string, string][] = [];
  entry.lastIndex = 0;
  for (let at = 0; at < inner.trimEnd().length; at = entry.lastIndex) {
    const [, name, label] = entry.exec(inner) ?? [];
    if (name === undefined || label === undefined)
      throw refusal(problem("value/shape", placeIn("cell", text), { text }));
    entries.push([name, /^['"]/.test(label) ? unquote(label).text : label]);
  }
  return Object.fromEntries(entries);
}

/**
 * An address that names each dimension of a type, and no other, with labels that there can be.
 * @throws SphexError for any other.
 */
export function addressOf(type: TensorType, given: Address): TextAddress {
  const place = placeIn("tensor", `${type}`);
  const wrong = [
    ...type.names.filter((name) => !Object.hasOwn(given, name)),
    ...Object.keys(given).filter((name) => type.dimension(name) === undefined),
  ];
  if (wrong.length > 0)
    throw new SphexError(wrong.map((dimension) => valueProblem("value/address", place, { type, dimension })));
  const labels = type.dimensions.map(({ name, kind, size }): [string, string] => {
    const label = `${given[name]}`;
    const index = indexOf(label);
    const isFine = kind === "mapped" || (index >= 0 && index < (size ?? Number.POSITIVE_INFINITY));
    if (!isFine) throw refusal(valueProblem("value/index", place, { type, dimension: name, label }));
    return [name, label];
  });
  return Object.fromEntries(labels);
}

const refusal = (only: Problem): SphexError => new SphexError([only]);

/** A place in what was given, which is no text of the program. */
function placeIn(name: string, text: string): Span {
  return { source: { name, text }, start: 0, end: text.length };
}
