import { levelBit } from "../../language/core/graph.js";
import type { Node, NodeOf, Table } from "../../language/core/operations.js";
import { scalarFunctions } from "../../language/scalar/functions.js";
import { renaming } from "../../language/types/algebra.js";
import type { TextAddress } from "../../language/values/address.js";
import { element } from "../../language/values/element.js";
import { stridesOf } from "../../language/values/shape.js";
import { wholeLabel } from "../../language/values/text.js";
import { addressAt, addressWithin, firstOfBlock, indexOf, labelAt, positionsAt, rowsAt } from "./cells.js";
import { type Cell, isVolatileBody, type Scope } from "./scope.js";

/**
 * For each operation, the cells that a cell of its value is computed from: enough of them to compute it again, in
 * canonical order. An absent cell is listed too, where it would have been needed.
 */
export interface ContributingCell extends Cell {
  /** What the cell is to the operation: `left`, `condition`, the name of a parameter. */
  readonly role: string;
  /** Whether the cell matters only by its rank among others, so that its own provenance is not followed. */
  readonly aside?: true;
}

type ContributingCells = Iterable<ContributingCell>;

export const contributions: Table<[Scope, TextAddress], ContributingCells> = {
  constant: () => [],
  input: ({ name }, scope, address) => {
    const value = scope.defaultOf(name);
    return value === undefined ? [] : [contributor(scope, value, address, "default")];
  },
  random: () => [],
  parameter: (node, scope, address) => {
    const cell = scope.source(node, address);
    return cell === undefined ? [] : [{ ...cell, role: "argument" }];
  },
  apply: (node, scope) => {
    const { parameters } = scalarFunctions[node.function];
    return node.arguments.map((each, at) => contributor(scope, each, {}, element(parameters, at)));
  },
  select: ({ condition, yes, no }, scope, address) => {
    const chosen = scope.scalar(condition) !== 0 ? yes : no;
    return [contributor(scope, condition, {}, "condition"), contributor(scope, chosen, address, "branch")];
  },
  map: ({ tensor }, scope, address) => [contributor(scope, tensor, address, "cell")],
  reduce: ({ tensor, type }, scope, address) => cells(scope, tensor, addressWithin(address, type), "cell"),
  join: pair,
  merge: pair,
  rename: ({ tensor, from, to }, scope, address) => {
    const newName = renaming(from, to);
    const labels = tensor.type.names.map((name) => [name, labelAt(address, newName(name))]);
    return [contributor(scope, tensor, Object.fromEntries(labels), "cell")];
  },
  concat,
  generate: (node, scope, address) => {
    if (scope.value(node, address) === undefined || isVolatileBody(node.body)) return [];
    const indexes = node.type.indexed.map(({ name }) => indexOf(labelAt(address, name)));
    return [contributor(scope.iteration(node, indexes), node.body, {}, "body")];
  },
  slice: ({ tensor, at }, scope, address) => {
    const computed = at.flatMap(({ dimension, label }) =>
      typeof label === "string" ? [] : [contributor(scope, label, {}, `index of ${dimension}`)],
    );
    const labels = at.map(({ dimension, label }): [string, string] => [
      dimension,
      typeof label === "string" ? label : wholeLabel(scope.scalar(label)),
    ]);
    const source = Object.fromEntries([...Object.entries(address), ...labels]);
    return [contributor(scope, tensor, source, "cell"), ...computed];
  },
  literal: ({ type, cells }, scope, address) => {
    const strides = stridesOf(type.declaredSizes);
    const offset = type.indexed.reduce(
      (sum, { name }, at) => sum + indexOf(labelAt(address, name)) * element(strides, at),
      0,
    );
    const labels = type.mapped.map(({ name }) => labelAt(address, name));
    const cell = cells.findLast(
      (each) => each.offset === offset && each.labels.every((label, at) => label === labels[at]),
    );
    return cell === undefined ? [] : [contributor(scope, cell.value, {}, "value")];
  },
  cast: ({ tensor }, scope, address) => [contributor(scope, tensor, address, "cell")],
  order: ({ tensor }, scope, address) => {
    const cell = contributor(scope, tensor, address, "cell");
    // A cell that is absent has no rank among others.
    const isAbsent = scope.value(tensor, address) === undefined;
    return isAbsent ? [cell] : chained([cell], cells(scope, tensor, {}, "other"));
  },
  mapSubspaces: (node, scope, address) => {
    const row = rowOf(scope, node, address);
    if (row === undefined) return blockOf(scope, node.tensor, address);
    const { body } = node.lambda;
    if (isVolatileBody(body)) return cells(scope, node.tensor, mappedLabels(node, address), "block");
    const cell = contributor(scope.block(node, row), body, addressWithin(address, body.type), "body");
    // A body that reads nothing of its block is there for each block that is.
    const isRead = (body.depends & levelBit(1)) !== 0;
    return isRead ? [cell] : [cell, ...presence(scope, node.tensor, address)];
  },
  filterSubspaces: (node, scope, address) => {
    const row = rowOf(scope, node, address);
    const cell = contributor(scope, node.tensor, address, "cell");
    if (row === undefined || isVolatileBody(node.lambda.body)) return [cell];
    return chained([cell], cells(scope.block(node, row), node.lambda.body, {}, "keeps its block unless 0"));
  },
  host: (node, scope) => allArguments(node, scope),
};

const contributor = (scope: Scope, node: Node, address: TextAddress, role: string): ContributingCell => ({
  ...{ scope: scope.home(node), node, role },
  address: addressWithin(address, node.type),
});

/** The cells that have these labels. */
function* cells(scope: Scope, node: Node, labels: TextAddress, role: string): ContributingCells {
  const tensor = scope.tensor(node);
  const home = scope.home(node);
  const aside = role === "other" ? ({ aside: true } as const) : {};
  for (const position of positionsAt(tensor, labels))
    yield { scope: home, node, role, address: addressAt(tensor, position), ...aside };
}

function* chained(first: ContributingCells, then: ContributingCells): ContributingCells {
  yield* first;
  yield* then;
}

function pair(
  { left, right }: NodeOf<"join" | "merge">,
  scope: Scope,
  address: TextAddress,
): ContributingCells {
  return [contributor(scope, left, address, "left"), contributor(scope, right, address, "right")];
}

/** A cell of a block without which there would be none; nothing of a tensor without labels, which is there in any case. */
const presence = (scope: Scope, tensor: Node, address: TextAddress): ContributingCell[] =>
  tensor.type.mapped.length === 0
    ? []
    : [contributor(scope, tensor, firstOfBlock(address, tensor.type), "is there")];

/** The cell of one side; and a cell of the row of the other side that it takes, too, or that is missing. */
function concat(node: NodeOf<"concat">, scope: Scope, address: TextAddress): ContributingCells {
  const { left, right, along } = node;
  const tensor = scope.tensor(left);
  const axis = tensor.type.indexed.findIndex(({ name }) => name === along);
  const first = axis < 0 ? 1 : element(tensor.sizes, axis);
  const index = indexOf(labelAt(address, along));
  const isLeft = index < first;
  const [source, other] = isLeft ? [left, right] : [right, left];
  const sourceAddress = { ...address, [along]: `${isLeft ? index : index - first}` };
  const cell = contributor(scope, source, sourceAddress, isLeft ? "left" : "right");
  if (scope.value(node, address) !== undefined) return [cell, ...presence(scope, other, address)];
  return [cell, contributor(scope, other, firstOfBlock(address, other.type), isLeft ? "right" : "left")];
}

/** What a function of the host does with its arguments, only the host knows. */
function* allArguments(node: NodeOf<"host">, scope: Scope): ContributingCells {
  for (const each of node.arguments) yield* cells(scope, each, {}, "argument");
}

/** The row of a tensor that a block of the result was computed from. */
function rowOf(scope: Scope, node: OfSubspaces, address: TextAddress): number | undefined {
  return rowsAt(scope.tensor(node.tensor), mappedLabels(node, address))[0];
}

type OfSubspaces = NodeOf<"mapSubspaces" | "filterSubspaces">;

const mappedLabels = ({ tensor }: OfSubspaces, address: TextAddress): TextAddress =>
  Object.fromEntries(tensor.type.mapped.map(({ name }) => [name, labelAt(address, name)]));

const blockOf = (scope: Scope, tensor: Node, address: TextAddress): ContributingCells => [
  contributor(scope, tensor, firstOfBlock(address, tensor.type), "block"),
];
