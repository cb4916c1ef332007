import { type Lambda, type Node, type Table, visit } from "../../language/core/operations.js";
import { labelText } from "../../language/source/escapes.js";
import type { Span } from "../../language/source/span.js";

/** The description of each operation. */
const descriptions: Table<[], string> = {
  constant: () => "constant",
  input: ({ name }) => `input ${name}`,
  parameter: () => "parameter",
  random: () => "random",
  apply: (node) => node.function,
  select: () => "if",
  map: ({ lambda }) => `map${lambdaSuffix(lambda)}`,
  reduce: ({ aggregator, over }) =>
    `reduce ${aggregator} over ${over.length === 0 ? "all" : over.join(", ")}`,
  join: ({ lambda }) => `join${lambdaSuffix(lambda)}`,
  merge: ({ lambda }) => `merge${lambdaSuffix(lambda)}`,
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
  host: (node) => `${node.function.name}, a function of the host`,
};

export const operationDescription = (node: Node): string => visit(descriptions, node);

/** The function that a lambda applies to its parameters, if that is all it does. */
export function functionOf({ body, parameters }: Lambda): string | undefined {
  if (body.op !== "apply" || body.arguments.length !== parameters.length) return undefined;
  const isPlain = body.arguments.every((each, at) => each.op === "parameter" && each.position === at);
  return isPlain ? body.function : undefined;
}

function lambdaSuffix(lambda: Lambda): string {
  const name = functionOf(lambda);
  return name === undefined ? "" : ` ${name}`;
}

/** The most characters of an expression that are shown; its span has the rest. */
const longest = 200;

/** The name that a statement defines or declares, right before its value. */
const definition =
  /(?:^|[\n;])\s*(?:(?:input|constant|variable|persistent)\s+)?([\w@$]+(?:\([\w@$.,: ]*\))?)\s*(?::[^=;]*)?=\s*$/;

/**
 * The text of the expression that became a node, in one line; for a tensor that is just data, the name that it is
 * defined with. A parameter is one node, whatever its name in each lambda.
 */
export function textOf(node: Node): string {
  if (node.op === "parameter") return `parameter ${node.position + 1}`;
  const { source, start } = node.span;
  const isData = (node.op === "constant" || node.op === "literal") && !node.type.isScalar;
  const name = isData
    ? definition.exec(source.text.slice(Math.max(0, start - longest), start))?.[1]
    : undefined;
  return name ?? textIn(node.span);
}

/** The text of a span, in one line. */
export function textIn({ source, start, end }: Span): string {
  const text = source.text.slice(start, Math.min(end, start + longest)).replace(/\s+/g, " ");
  return end - start > longest ? `${text}…` : text;
}
