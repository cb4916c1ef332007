import type { ScalarName } from "../scalar/functions.js";
import { operatorSymbols, operators } from "../scalar/operators.js";
import { labelText } from "../source/escapes.js";
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

/** How a node writes what is around it. */
export interface Surroundings {
  /** A parameter of the lambda that the graph is, where it is one: those are of level 1. */
  readonly parameter?: (position: number) => string;
  /** A node that has a line of its own. */
  readonly numbered: (node: Node) => string;
  /** A lambda that is no small expression. */
  readonly function: (lambda: Lambda) => string;
}

/** The operation of a node and what it computes from: `join %0, %1 (a, b) -> a * b`. */
export const operationText = (node: Node, around: Surroundings): string =>
  `${node.op} ${visit(texts, node, around)}`.trimEnd();

const texts: Table<[Surroundings], string> = {
  constant: ({ value }) => constantText(value),
  input: ({ name }) => (/^[\w@$(),.:-]+$/.test(name) ? name : labelText(name)),
  parameter: (node, around) => parameterText(node, around),
  random: () => "",
  apply: (node, around) => expressionText(node, (each) => each === node, around),
  select: ({ condition, yes, no }, around) => operands([condition, yes, no], around),
  map: ({ tensor, lambda }, around) => `${operand(tensor, around)} ${lambdaText(lambda, around)}`,
  reduce: ({ tensor, aggregator, over }, around) =>
    `${operand(tensor, around)} ${aggregator}${over.length === 0 ? "" : ` over ${names(over)}`}`,
  join: (node, around) => `${sides(node, around)} ${lambdaText(node.lambda, around)}`,
  merge: (node, around) => `${sides(node, around)} ${lambdaText(node.lambda, around)}`,
  rename: ({ tensor, from, to }, around) => {
    const changes = from.map((name, at) => `${labelText(name)} -> ${labelText(to[at] ?? "")}`);
    return `${operand(tensor, around)} ${changes.join(", ")}`;
  },
  concat: (node, around) =>
    `${sides(node, around)} along ${labelText(node.along)}, ${node.pad ? "padded" : "cut"}`,
  generate: (node, around) => generatorText(node, around),
  slice: (node, around) => expressionText(node, (each) => each === node, around),
  literal: ({ cells, type }, around) => {
    const sizes = type.indexed.map(({ size }) => size ?? 0);
    const text = (cell: LiteralCell): string =>
      `{${addressText(cell, type.dimensions, sizes)}}:${operand(cell.value, around)}`;
    return cells.map(text).join(", ");
  },
  cast: ({ tensor }, around) => operand(tensor, around),
  order: ({ tensor, descending }, around) =>
    `${operand(tensor, around)} ${descending ? "descending" : "ascending"}`,
  mapSubspaces: ({ tensor, lambda }, around) => `${operand(tensor, around)} ${lambdaText(lambda, around)}`,
  filterSubspaces: ({ tensor, lambda }, around) => `${operand(tensor, around)} ${lambdaText(lambda, around)}`,
};

/** What stands wherever it is used, and has no line of its own: a parameter, or a number. */
export const isAtom = (node: Node): boolean =>
  node.op === "parameter" || (node.op === "constant" && node.type.isScalar);

export function operand(node: Node, around: Surroundings): string {
  if (node.op === "parameter") return parameterText(node, around);
  return node.op === "constant" && node.type.isScalar ? numberText(node.value.at(0)) : around.numbered(node);
}

const operands = (nodes: readonly Node[], around: Surroundings): string =>
  nodes.map((each) => operand(each, around)).join(", ");

const sides = ({ left, right }: NodeOf<"join" | "merge" | "concat">, around: Surroundings): string =>
  operands([left, right], around);

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

function parameterText({ level, position }: NodeOf<"parameter">, around: Surroundings): string {
  return level === 1 && around.parameter !== undefined
    ? around.parameter(position)
    : indexText(level, position, around);
}

/** `i0` and `i1` of a generator, `j0` and `j1` of one inside it. */
function indexText(level: number, position: number, { parameter }: Surroundings): string {
  const depth = parameter === undefined ? level : level - 1;
  return `${"ijklmn"[depth - 1] ?? `i${depth}_`}${position}`;
}

/** A parameter of a small lambda. */
const letter = (position: number): string => "abcdefgh"[position] ?? `a${position}`;

/** `(a, b) -> a * b`, or the function that the lambda is. */
function lambdaText(lambda: Lambda, around: Surroundings): string {
  if (!isSmall(lambda)) return around.function(lambda);
  const parameters = lambda.parameters.map((type, at) => letter(at) + (type.isScalar ? "" : ` : ${type}`));
  const body = expressionText(lambda.body, () => true, { ...around, parameter: letter });
  return `(${parameters.join(", ")}) -> ${body}`;
}

/** Whether a lambda is written in the line of its node. */
const isSmall = ({ body }: Lambda): boolean => partsOfExpression(body, () => true) !== undefined;

/** `(i0, i1) -> i0 + i1`; or the number of a body that has lines of its own. */
function generatorText(node: NodeOf<"generate">, around: Surroundings): string {
  const indexes = node.type.dimensions.map((_, at) => indexText(node.level, at, around));
  const isInside = partsOfGenerator(node) === undefined ? () => false : within(node);
  return `(${indexes.join(", ")}) -> ${expressionText(node.body, isInside, around)}`;
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
    open.push(...[...visit(inputsOf, node)].reverse());
  }
  return outside;
}

/** A small expression; the rest of the graph is outside, and has lines of its own. */
function expressionText(node: Node, isInside: (node: Node) => boolean, around: Surroundings): string {
  const text = (each: Node): string => expressionText(each, isInside, around);
  if (isAtom(node) || !isInside(node)) return operand(node, around);
  if (node.op === "select") return `select(${[node.condition, node.yes, node.no].map(text).join(", ")})`;
  if (node.op === "slice") {
    const at = node.at.map(
      ({ dimension, label }) =>
        `${labelText(dimension)}:${typeof label === "string" ? labelText(label) : `(${text(label)})`}`,
    );
    return `${text(node.tensor)}{${at.join(", ")}}`;
  }
  if (node.op !== "apply") return operand(node, around);
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
    kind === "mapped" ? labelText(labels[mapped++] ?? "") : `${indexes[indexed++]}`;
  return dimensions.map(({ name, kind }) => `${labelText(name)}:${label(kind)}`).join(",");
}
