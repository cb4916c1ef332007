import type { ScalarName } from "../scalar/functions.js";
import { operatorSymbols, operators } from "../scalar/operators.js";
import { labelText } from "../source/escapes.js";
import { append } from "../source/lists.js";
import { element } from "../values/element.js";
import { indexesAt } from "../values/shape.js";
import type { Tensor } from "../values/tensor.js";
import { contentText, numberText } from "../values/text.js";
import { levelBit } from "./graph.js";
import {
  inputsOf,
  type Lambda,
  type LiteralCell,
  type Node,
  type NodeOf,
  type Table,
  visit,
} from "./operations.js";

/** How the text of an operation refers to parameters, other nodes and lambdas. */
export interface TextContext {
  /** A parameter of the lambda that the graph is, where it is one: those are of level 1. */
  readonly parameter?: (position: number) => string;
  /** A node that has a line of its own. */
  readonly nameOfNode: (node: Node) => string;
  /** A lambda that is no small expression. */
  readonly function: (lambda: Lambda) => string;
}

/** The operation of a node and what it computes from: `join %0, %1 (a, b) -> a * b`. */
export const operationText = (node: Node, context: TextContext): string =>
  `${node.op} ${visit(texts, node, context)}`.trimEnd();

const texts: Table<[TextContext], string> = {
  constant: ({ value }) => constantText(value),
  input: ({ name }) => (/^[\w@$(),.:-]+$/.test(name) ? name : labelText(name)),
  parameter: (node, context) => parameterText(node, context),
  random: () => "",
  apply: (node, context) => expressionText(node, (each) => each === node, context),
  select: ({ condition, yes, no }, context) => operands([condition, yes, no], context),
  map: ({ tensor, lambda }, context) => `${operand(tensor, context)} ${lambdaText(lambda, context)}`,
  reduce: ({ tensor, aggregator, over }, context) =>
    `${operand(tensor, context)} ${aggregator}${over.length === 0 ? "" : ` over ${names(over)}`}`,
  join: (node, context) => `${sides(node, context)} ${lambdaText(node.lambda, context)}`,
  merge: (node, context) => `${sides(node, context)} ${lambdaText(node.lambda, context)}`,
  rename: ({ tensor, from, to }, context) => {
    const changes = from.map((name, at) => `${labelText(name)} -> ${labelText(element(to, at))}`);
    return `${operand(tensor, context)} ${changes.join(", ")}`;
  },
  concat: (node, context) =>
    `${sides(node, context)} along ${labelText(node.along)}, ${node.pad ? "padded" : "cut"}`,
  generate: (node, context) => generatorText(node, context),
  slice: (node, context) => expressionText(node, (each) => each === node, context),
  literal: ({ cells, type }, context) => {
    const sizes = type.declaredSizes;
    const text = (cell: LiteralCell): string =>
      `{${addressText(cell, type.dimensions, sizes)}}:${operand(cell.value, context)}`;
    return cells.map(text).join(", ");
  },
  cast: ({ tensor }, context) => operand(tensor, context),
  order: ({ tensor, descending }, context) =>
    `${operand(tensor, context)} ${descending ? "descending" : "ascending"}`,
  mapSubspaces: ({ tensor, lambda }, context) => `${operand(tensor, context)} ${lambdaText(lambda, context)}`,
  filterSubspaces: ({ tensor, lambda }, context) =>
    `${operand(tensor, context)} ${lambdaText(lambda, context)}`,
  host: (node, context) => `${node.function.name}(${operands(node.arguments, context)})`,
};

/** What stands wherever it is used, and has no line of its own: a parameter, or a number. */
export const isAtom = (node: Node): boolean =>
  node.op === "parameter" || (node.op === "constant" && node.type.isScalar);

export function operand(node: Node, context: TextContext): string {
  if (node.op === "parameter") return parameterText(node, context);
  return node.op === "constant" && node.type.isScalar
    ? numberText(node.value.at(0))
    : context.nameOfNode(node);
}

const operands = (nodes: readonly Node[], context: TextContext): string =>
  nodes.map((each) => operand(each, context)).join(", ");

const sides = ({ left, right }: NodeOf<"join" | "merge" | "concat">, context: TextContext): string =>
  operands([left, right], context);

const names = (all: readonly string[]): string => all.map(labelText).join(", ");

/** Cells of a constant that are all shown, and those that are shown of a larger one. */
const mostCells = 12;
const firstCells = 4;

function constantText(value: Tensor): string {
  const { length } = value.data;
  if (length <= mostCells) return contentText(value);
  const first = Array.from({ length: firstCells }, (_, at) => numberText(value.at(at), value.type.cellType));
  return `${first.join(", ")}, … of ${length} cells`;
}

function parameterText({ level, position }: NodeOf<"parameter">, context: TextContext): string {
  return level === 1 && context.parameter !== undefined
    ? context.parameter(position)
    : indexText(level, position, context);
}

/** `i0` and `i1` of a generator, `j0` and `j1` of one inside it. */
function indexText(level: number, position: number, { parameter }: TextContext): string {
  const depth = parameter === undefined ? level : level - 1;
  return `${"ijklmn"[depth - 1] ?? `i${depth}_`}${position}`;
}

/** A parameter of a small lambda. */
const letter = (position: number): string => "abcdefgh"[position] ?? `a${position}`;

/** `(a, b) -> a * b`, or the function that the lambda is. */
function lambdaText(lambda: Lambda, context: TextContext): string {
  if (!isSmall(lambda)) return context.function(lambda);
  const parameters = lambda.parameters.map((type, at) => letter(at) + (type.isScalar ? "" : ` : ${type}`));
  const body = expressionText(lambda.body, () => true, { ...context, parameter: letter });
  return `(${parameters.join(", ")}) -> ${body}`;
}

/** Whether a lambda is written in the line of its node. */
const isSmall = ({ body }: Lambda): boolean => partsOfExpression(body, () => true) !== undefined;

/** `(i0, i1) -> i0 + i1`; or the number of a body that has lines of its own. */
function generatorText(node: NodeOf<"generate">, context: TextContext): string {
  const indexes = node.type.dimensions.map((_, at) => indexText(node.level, at, context));
  const isInside = partsOfGenerator(node) === undefined ? () => false : within(node);
  return `(${indexes.join(", ")}) -> ${expressionText(node.body, isInside, context)}`;
}

/** What a generator's body computes from that does not depend on its indexes, if the body is a small expression. */
export const partsOfGenerator = (node: NodeOf<"generate">): readonly Node[] | undefined =>
  partsOfExpression(node.body, within(node));

const within =
  ({ level }: NodeOf<"generate">) =>
  (node: Node): boolean =>
    (node.depends & levelBit(level)) !== 0;

/** Operations of a body that is written in the line of its node: more are hard to read there. */
const mostOperations = 12;

/**
 * The nodes outside that a body refers to, if what is inside is a small expression: a tree of scalar functions, choices and
 * slices, each used once.
 */
function partsOfExpression(body: Node, isInside: (node: Node) => boolean): readonly Node[] | undefined {
  const inside = new Set<Node>();
  const outside: Node[] = [];
  const open = [body];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isAtom(node)) continue;
    if (!isInside(node)) {
      outside.push(node);
      continue;
    }
    const isPart = node.op === "apply" || node.op === "select" || node.op === "slice";
    if (!isPart || inside.has(node) || inside.size === mostOperations) return undefined;
    inside.add(node);
    append(open, [...visit(inputsOf, node)].reverse());
  }
  return outside;
}

/** A small expression; the rest of the graph is outside, and has lines of its own. */
function expressionText(node: Node, isInside: (node: Node) => boolean, context: TextContext): string {
  const text = (each: Node): string => expressionText(each, isInside, context);
  if (isAtom(node) || !isInside(node)) return operand(node, context);
  if (node.op === "select") return `select(${[node.condition, node.yes, node.no].map(text).join(", ")})`;
  if (node.op === "slice") {
    const at = node.at.map(
      ({ dimension, label }) =>
        `${labelText(dimension)}:${typeof label === "string" ? labelText(label) : `(${text(label)})`}`,
    );
    return `${text(node.tensor)}{${at.join(", ")}}`;
  }
  if (node.op !== "apply") return operand(node, context);
  const [left, right] = node.arguments;
  const symbol = symbols.get(node.function);
  if (symbol === undefined || left === undefined || right === undefined)
    return `${node.function}(${node.arguments.map(text).join(", ")})`;
  const side = (each: Node): string => (isGrouped(each, isInside) ? `(${text(each)})` : text(each));
  return `${side(left)} ${symbol} ${side(right)}`;
}

/** Whether an operand of an operator stands in parentheses: another operation, and a number with a sign. */
function isGrouped(node: Node, isInside: (node: Node) => boolean): boolean {
  if (node.op === "apply") return isInside(node) && symbols.has(node.function);
  return isAtom(node) && node.op === "constant" && (node.value.at(0) < 0 || Object.is(node.value.at(0), -0));
}

const symbols: ReadonlyMap<ScalarName, string> = new Map(
  operatorSymbols.map((symbol) => [operators[symbol].function, symbol]),
);

/** `k:foo,x:0` */
function addressText(
  { labels, offset }: LiteralCell,
  dimensions: NodeOf<"literal">["type"]["dimensions"],
  sizes: readonly number[],
): string {
  const indexes = indexesAt(offset, sizes);
  let [mapped, indexed] = [0, 0];
  const label = (kind: "mapped" | "indexed"): string =>
    kind === "mapped" ? labelText(element(labels, mapped++)) : `${indexes[indexed++]}`;
  return dimensions.map(({ name, kind }) => `${labelText(name)}:${label(kind)}`).join(",");
}
