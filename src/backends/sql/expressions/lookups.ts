import { levelBit } from "../../../language/core/graph.js";
import { inputsOf, type Node, type NodeOf, visit } from "../../../language/core/operations.js";
import { indexIn } from "../../../language/values/address.js";
import { element } from "../../../language/values/element.js";
import type { SqlDialect } from "../dialect.js";
import { repeatsOf } from "./scalar-expression.js";

/**
 * Cells that the parameters of a body pick, as in `t{x:(i + 1)}`. A tensor has one row at most for each address, so that they are
 * found by a join of the query that uses them.
 */
export type Lookup = NodeOf<"slice">;

/** Whether a node is such a cell for the parameters of a level. */
export function isLookup(dialect: SqlDialect, node: Node, level: number): node is Lookup {
  const bit = levelBit(level);
  if (node.op !== "slice" || !node.type.isScalar) return false;
  if ((node.depends & bit) === 0 || (node.tensor.depends & bit) !== 0) return false;
  return node.at.every(({ dimension, label }) =>
    typeof label === "string"
      ? node.tensor.type.dimension(dimension)?.kind === "mapped" || indexIn(label) !== undefined
      : lengthOf(dialect, label, longestLabel) <= longestLabel,
  );
}

/** How many parts a label may have: its text stands in the condition of a join, more than once. */
const longestLabel = 24;

/** The parts of the text of a scalar; more than `most` where there are more. */
function lengthOf(dialect: SqlDialect, node: Node, most: number): number {
  if (most <= 0 || node.op !== "apply") return 1;
  const repeats = repeatsOf(dialect.scalars[node.function], node.arguments.length);
  let length = 1;
  for (const [at, each] of node.arguments.entries())
    length += element(repeats, at) * lengthOf(dialect, each, most - length);
  return length;
}

/** What the labels of lookups are computed from within the same expression. */
export const labelsIn = ({ at }: Lookup): readonly Node[] =>
  at.flatMap(({ label }) => (typeof label === "string" ? [] : [label]));

/** Whether all that depends on the parameters of a body is scalar functions of them. */
export const isPlain = (body: Node, level: number): boolean =>
  scalarsOf(body, level, () => false) !== undefined;

/** Whether all that depends on the parameters of a body is scalar functions of them, and cells that they pick. */
export const isJoinable = (dialect: SqlDialect, body: Node, level: number): boolean =>
  lookupsIn(dialect, body, level) !== undefined;

/** The cells that the parameters of a body pick; nothing where it is more than scalar functions of these and of them. */
const lookupsIn = (dialect: SqlDialect, body: Node, level: number): readonly Lookup[] | undefined =>
  scalarsOf(body, level, (node) => isLookup(dialect, node, level));

function scalarsOf(
  body: Node,
  level: number,
  isPicked: (node: NodeOf<"slice">) => boolean,
): readonly Lookup[] | undefined {
  const bit = levelBit(level);
  const picked: Lookup[] = [];
  const reached = new Set([body]);
  for (const node of reached) {
    if ((node.depends & bit) === 0) continue;
    if (node.op === "parameter") {
      if (node.level !== level || !node.type.isScalar) return undefined;
    } else if (node.op === "slice") {
      if (!isPicked(node)) return undefined;
      picked.push(node);
    } else if (node.op !== "apply" && !(node.op === "select" && node.type.isScalar)) return undefined;
    for (const input of visit(inputsOf, node)) reached.add(input);
  }
  return picked;
}

/** The dimensions of a tensor whose rows are those of a generator, by the positions of its parameters, and the cell that each is. */
export interface OwnRows {
  readonly cell: Lookup;
  readonly dimensions: readonly string[];
}

/** A lookup of a generator's body whose tensor has a cell for each of its cells, as `t{x:(i)}` of as many `x` as there are `i`. */
export function ownRows(dialect: SqlDialect, { body, level, type }: NodeOf<"generate">): OwnRows | undefined {
  for (const cell of lookupsIn(dialect, body, level) ?? []) {
    const { tensor, at } = cell;
    const dimensions = type.dimensions.map(({ size = 0 }, position) => {
      const found = at.find(
        ({ label }) =>
          typeof label !== "string" &&
          label.op === "parameter" &&
          label.level === level &&
          label.position === position,
      );
      const { kind, size: own = 0 } = tensor.type.dimension(found?.dimension ?? "") ?? {};
      return kind === "indexed" && own >= size ? found?.dimension : undefined;
    });
    const found = dimensions.filter((each) => each !== undefined);
    const isWhole = found.length === dimensions.length && new Set(found).size === at.length;
    if (isWhole && tensor.type.isDense && tensor.type.isBound) return { cell, dimensions: found };
  }
  return undefined;
}

/** An index as a whole number of the engine, and what its size does not exceed. */
export interface WholeIndex {
  readonly text: string;
  readonly most: number;
}

/** No generator counts so far. */
const mostIndexes = 2 ** 45;

/** A label that is a sum of indexes and whole numbers, as it is without doubles; nothing where it is anything else. */
export function wholeIndex(
  label: Node,
  dialect: SqlDialect,
  index: (parameter: NodeOf<"parameter">) => string | undefined,
): WholeIndex | undefined {
  if (label.op === "parameter") {
    const text = index(label);
    return text === undefined ? undefined : { text, most: mostIndexes };
  }
  if (label.op === "constant" && label.type.isScalar) {
    const value = label.value.at(0);
    return Number.isInteger(value) && value >= 0
      ? { text: dialect.integer(value), most: value + 1 }
      : undefined;
  }
  if (label.op !== "apply" || (label.function !== "add" && label.function !== "subtract")) return undefined;
  const [left, right] = label.arguments.map((each) => wholeIndex(each, dialect, index));
  if (left === undefined || right === undefined || left.most + right.most > 2 ** 52) return undefined;
  const text = `(${left.text} ${label.function === "add" ? "+" : "-"} ${right.text})`;
  return { text, most: left.most + right.most };
}
