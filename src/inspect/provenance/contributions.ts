import type { Node, NodeOf, Table } from "../../language/core/operations.js";
import { scalarFunctions } from "../../language/scalar/functions.js";
import { renamed } from "../../language/types/algebra.js";
import type { TextAddress } from "../../language/values/address.js";
import { stridesOf } from "../../language/values/shape.js";
import { wholeLabel } from "../../language/values/text.js";
import { addressAt, firstOfBlock, indexOf, labelAt, positionsAt, rowsAt, within } from "./cells.js";
import { type Cell, drawsAnew, type Scope } from "./scope.js";

/**
 * For each operation, the cells that a cell of its value is made of: enough of them to compute it again, in canonical
 * order. A cell that is not there is told of too, where it would have been needed.
 */
export interface Part extends Cell {
  /** What the cell is to the operation: `left`, `condition`, the name of a parameter. */
  readonly role: string;
  /** Whether the cell matters only by its rank among others: nobody asks how it was made. */
  readonly aside?: true;
}

type Parts = Iterable<Part>;

export const contributions: Table<[Scope, TextAddress], Parts> = {
  constant: () => [],
  input: () => [],
  random: () => [],
  parameter: (node, scope, address) => {
    const cell = scope.source(node, address);
    return cell === undefined ? [] : [{ ...cell, role: "argument" }];
  },
  apply: (node, scope) => {
    const { parameters } = scalarFunctions[node.function];
    return node.arguments.map((each, at) => part(scope, each, {}, parameters[at] ?? ""));
  },
  select: ({ condition, yes, no }, scope, address) => {
    const chosen = scope.scalar(condition) !== 0 ? yes : no;
    return [part(scope, condition, {}, "condition"), part(scope, chosen, address, "branch")];
  },
  map: ({ tensor }, scope, address) => [part(scope, tensor, address, "cell")],
  reduce: ({ tensor, type }, scope, address) => cells(scope, tensor, within(address, type), "cell"),
  join: pair,
  merge: pair,
  rename: ({ tensor, from, to }, scope, address) => {
    const labels = tensor.type.names.map((name) => [name, labelAt(address, renamed(name, from, to))]);
    return [part(scope, tensor, Object.fromEntries(labels), "cell")];
  },
  concat,
  generate: (node, scope, address) => {
    if (scope.value(node, address) === undefined || drawsAnew(node.body)) return [];
    const indexes = node.type.indexed.map(({ name }) => indexOf(labelAt(address, name)));
    return [part(scope.turn(node, indexes), node.body, {}, "body")];
  },
  slice: ({ tensor, at }, scope, address) => {
    const computed = at.flatMap(({ dimension, label }) =>
      typeof label === "string" ? [] : [part(scope, label, {}, `index of ${dimension}`)],
    );
    const labels = at.map(({ dimension, label }): [string, string] => [
      dimension,
      typeof label === "string" ? label : wholeLabel(scope.scalar(label)),
    ]);
    const source = Object.fromEntries([...Object.entries(address), ...labels]);
    return [part(scope, tensor, source, "cell"), ...computed];
  },
  literal: ({ type, cells }, scope, address) => {
    const strides = stridesOf(type.indexed.map(({ size }) => size ?? 0));
    const offset = type.indexed.reduce(
      (sum, { name }, at) => sum + indexOf(labelAt(address, name)) * (strides[at] ?? 1),
      0,
    );
    const labels = type.mapped.map(({ name }) => labelAt(address, name));
    const cell = cells.findLast(
      (each) => each.offset === offset && each.labels.every((label, at) => label === labels[at]),
    );
    return cell === undefined ? [] : [part(scope, cell.value, {}, "value")];
  },
  cast: ({ tensor }, scope, address) => [part(scope, tensor, address, "cell")],
  order: ({ tensor }, scope, address) => {
    const others = cells(scope, tensor, {}, "other", scope.value(tensor, address) === undefined);
    return chained([part(scope, tensor, address, "cell")], others);
  },
  mapSubspaces: (node, scope, address) => {
    const row = rowOf(scope, node, address);
    if (row === undefined) return blockOf(scope, node.tensor, address);
    const { body } = node.lambda;
    return drawsAnew(body) ? [] : [part(scope.block(node, row), body, within(address, body.type), "body")];
  },
  filterSubspaces: (node, scope, address) => {
    const row = rowOf(scope, node, address);
    const cell = part(scope, node.tensor, address, "cell");
    if (row === undefined || drawsAnew(node.lambda.body)) return [cell];
    return chained([cell], cells(scope.block(node, row), node.lambda.body, {}, "keeps its block unless 0"));
  },
};

const part = (scope: Scope, node: Node, address: TextAddress, role: string): Part => ({
  ...{ scope: scope.home(node), node, role },
  address: within(address, node.type),
});

/** The cells that have these labels. */
function* cells(scope: Scope, node: Node, labels: TextAddress, role: string, isNone = false): Parts {
  if (isNone) return;
  const tensor = scope.tensor(node);
  const home = scope.home(node);
  const aside = role === "other" ? ({ aside: true } as const) : {};
  for (const position of positionsAt(tensor, labels))
    yield { scope: home, node, role, address: addressAt(tensor, position), ...aside };
}

function* chained(first: Parts, then: Parts): Parts {
  yield* first;
  yield* then;
}

function pair({ left, right }: NodeOf<"join" | "merge">, scope: Scope, address: TextAddress): Parts {
  return [part(scope, left, address, "left"), part(scope, right, address, "right")];
}

/** The cell of one side; and where it takes a row of the other side too, and that is missing, a cell of this. */
function concat(node: NodeOf<"concat">, scope: Scope, address: TextAddress): Parts {
  const { left, right, along } = node;
  const tensor = scope.tensor(left);
  const place = tensor.type.indexed.findIndex(({ name }) => name === along);
  const first = place < 0 ? 1 : (tensor.sizes[place] ?? 0);
  const index = indexOf(labelAt(address, along));
  const isLeft = index < first;
  const [source, other] = isLeft ? [left, right] : [right, left];
  const there = { ...address, [along]: `${isLeft ? index : index - first}` };
  const cell = part(scope, source, there, isLeft ? "left" : "right");
  if (scope.value(node, address) !== undefined) return [cell];
  return [cell, part(scope, other, firstOfBlock(address, other.type), isLeft ? "right" : "left")];
}

/** The row of a tensor that a block of the result was made from. */
function rowOf(
  scope: Scope,
  { tensor }: NodeOf<"mapSubspaces" | "filterSubspaces">,
  address: TextAddress,
): number | undefined {
  const labels = tensor.type.mapped.map(({ name }) => [name, labelAt(address, name)]);
  return rowsAt(scope.tensor(tensor), Object.fromEntries(labels))[0];
}

const blockOf = (scope: Scope, tensor: Node, address: TextAddress): Parts => [
  part(scope, tensor, firstOfBlock(address, tensor.type), "block"),
];
