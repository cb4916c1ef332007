import { requireObject, requireText } from "../../language/source/arguments.js";
import { unquote } from "../../language/source/escapes.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import type { Address, TextAddress } from "../../language/values/address.js";
import { problem as valueProblem } from "../../language/values/messages.js";
import { indexOf } from "./cells.js";
import { problem } from "./messages.js";

/** Addresses as text. */

/** A dimension, and its label, which may be in quotes. */
const dimensionPart = /\s*([^\s:,'"{}]+)\s*:\s*/y;
const labelPart = /("(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*')\s*(?:,|$)|([^:,'"{}]*)(?:,|$)/y;

/**
 * An address from its text: `x:0,k:'a label'`, in braces or not.
 * @throws SphexError where it is none.
 */
export function parseAddress(text: string): TextAddress {
  requireText("parseAddress", text);
  const trimmed = text.trim();
  const isInBraces = trimmed.startsWith("{") && trimmed.endsWith("}");
  const inner = (isInBraces ? trimmed.slice(1, -1) : trimmed).trim();
  const entries: [string, string][] = [];
  for (let at = 0; at < inner.length; at = labelPart.lastIndex) {
    dimensionPart.lastIndex = at;
    const name = dimensionPart.exec(inner)?.[1];
    labelPart.lastIndex = dimensionPart.lastIndex;
    const label = name === undefined ? null : labelPart.exec(inner);
    if (name === undefined || label === null)
      throw refusal(problem("value/shape", spanOf("cell", text), { text }));
    const [, quoted, bare = ""] = label;
    entries.push([name, quoted === undefined ? bare.trim() : unquote(quoted).text]);
  }
  return Object.fromEntries(entries);
}

/**
 * An address that names each dimension of a type, and no other, with labels that the type can have.
 * @throws SphexError for any other.
 */
export function addressOf(type: TensorType, address: Address): TextAddress {
  requireObject("why", address);
  const span = spanOf("tensor", `${type}`);
  const wrong = [
    ...type.names.filter((name) => !Object.hasOwn(address, name)),
    ...Object.keys(address).filter((name) => type.dimension(name) === undefined),
  ];
  if (wrong.length > 0)
    throw new SphexError(wrong.map((dimension) => valueProblem("value/address", span, { type, dimension })));
  const labels = type.dimensions.map(({ name, kind, size }): [string, string] => {
    const label = `${address[name]}`;
    const index = indexOf(label);
    const isFine = kind === "mapped" || (index >= 0 && index < (size ?? Number.POSITIVE_INFINITY));
    if (!isFine) throw refusal(valueProblem("value/index", span, { type, dimension: name, label }));
    return [name, label];
  });
  return Object.fromEntries(labels);
}

const refusal = (only: Problem): SphexError => new SphexError([only]);

/** A span of a text that is not part of the program. */
function spanOf(name: string, text: string): Span {
  return { source: { name, text }, start: 0, end: text.length };
}
