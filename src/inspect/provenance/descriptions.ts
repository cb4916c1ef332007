import { type Lambda, type Node, type Table, visit } from "../../language/core/operations.js";
import { labelText } from "../../language/source/escapes.js";
import type { Span } from "../../language/source/span.js";

/** What each operation is called where people read of it. */
const words: Table<[], string> = {
  constant: () => "constant",
  input: ({ name }) => `input ${name}`,
  parameter: () => "parameter",
  random: () => "random",
  apply: (node) => node.function,
  select: () => "if",
  map: ({ lambda }) => `map${lambdaWords(lambda)}`,
  reduce: ({ aggregator, over }) =>
    `reduce ${aggregator} over ${over.length === 0 ? "all" : over.join(", ")}`,
  join: ({ lambda }) => `join${lambdaWords(lambda)}`,
  merge: ({ lambda }) => `merge${lambdaWords(lambda)}`,
  rename: ({ from, to }) => `rename ${from.map((name, at) => `${name} to ${to[at]}`).join(", ")}`,
  concat: ({ along }) => `concat along ${along}`,
  generate: () => "generate",
  slice: ({ at }) =>
    `slice ${at.map(({ dimension, label }) => `${dimension}:${typeof label === "string" ? labelText(label) : "…"}`).join(", ")}`,
  literal: () => "literal",
  cast: ({ type }) => `cast to ${type.cellType}`,
  order: ({ descending }) => `order ${descending ? "descending" : "ascending"}`,
  mapSubspaces: () => "map subspaces",
  filterSubspaces: () => "filter subspaces",
};

export const operationWords = (node: Node): string => visit(words, node);

/** The function that a lambda only hands its parameters to, if it does nothing else. */
export function functionOf({ body, parameters }: Lambda): string | undefined {
  if (body.op !== "apply" || body.arguments.length !== parameters.length) return undefined;
  const isPlain = body.arguments.every((each, at) => each.op === "parameter" && each.position === at);
  return isPlain ? body.function : undefined;
}

function lambdaWords(lambda: Lambda): string {
  const name = functionOf(lambda);
  return name === undefined ? "" : ` ${name}`;
}

/** More of an expression than this nobody reads; its span leads to the rest. */
const longest = 200;

/** What a statement defines or declares, right before its value. */
const defined =
  /(?:^|[\n;])\s*(?:(?:input|constant|variable|persistent)\s+)?([\w@$]+(?:\([\w@$.,: ]*\))?)\s*(?::[^=;]*)?=\s*$/;

/**
 * The expression that became a node, as it is written, in one line; of a tensor that is just data, the name that it has
 * been given. A parameter is one node, whatever lambdas call it.
 */
export function textOf(node: Node): string {
  if (node.op === "parameter") return `parameter ${node.position + 1}`;
  const { source, start } = node.span;
  const isData = (node.op === "constant" || node.op === "literal") && !node.type.isScalar;
  const name = isData ? defined.exec(source.text.slice(Math.max(0, start - longest), start))?.[1] : undefined;
  return name ?? textIn(node.span);
}

/** What is written at a place, in one line. */
export function textIn({ source, start, end }: Span): string {
  const text = source.text.slice(start, Math.min(end, start + longest)).replace(/\s+/g, " ");
  return end - start > longest ? `${text}…` : text;
}
