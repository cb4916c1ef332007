import { type Lambda, type Node, type Site, type Table, visit } from "../../language/core/operations.js";
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

/** An expression as it is written. */
export interface ExpressionText {
  /** In one line, cut where it is long. */
  readonly text: string;
  /** The function that it is written in; undefined where that is the program. */
  readonly within?: string;
}

/**
 * The text of the expression that became a node; for a tensor that is just data, the name that it is defined with. What a
 * function comes to as a whole is the call. A parameter is one node, whatever it is called in each lambda.
 */
export function textOf(node: Node, name?: string): ExpressionText {
  if (node.op === "parameter") return { text: name || `parameter ${node.position + 1}` };
  const { span, site } = writtenAt(node);
  const isData = (node.op === "constant" || node.op === "literal") && !node.type.isScalar;
  const before = span.source.text.slice(Math.max(0, span.start - longest), span.start);
  const text = (isData ? definition.exec(before)?.[1] : undefined) ?? textIn(span);
  return site === undefined ? { text } : { text, within: site.name };
}

/** Where a node is written, and in which function. */
function writtenAt({ span, definition }: Node): { span: Span; site: Site | undefined } {
  if (definition === undefined) return { span, site: undefined };
  let [written, site]: [Span, Site | undefined] = [definition.span, definition.site];
  while (site?.body !== undefined && isSame(written, site.body)) [written, site] = [site.call, site.outer];
  return { span: written, site };
}

const isSame = (one: Span, other: Span): boolean =>
  one.source === other.source && one.start === other.start && one.end === other.end;

/** An expression with the function that it is written in. */
export const qualifiedText = ({ text, within }: ExpressionText): string =>
  within === undefined ? text : `${within}: ${text}`;

/** The text of a span, in one line. */
export function textIn({ source, start, end }: Span): string {
  const text = source.text.slice(start, Math.min(end, start + longest)).replace(/\s+/g, " ");
  return end - start > longest ? `${text}…` : text;
}
