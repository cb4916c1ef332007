import type {
  Argument,
  Expression,
  LiteralBody,
  LiteralItem,
  Slice,
  Statement,
  Supplied,
  TypeText,
  Word,
} from "./tree.js";

/** An expression or argument right below another one, with the names that it sees and the outer one does not. */
export interface TreePart {
  readonly tree: Argument;
  /** Parameters of a lambda, dimensions of a generator. */
  readonly binds: readonly Word[];
}

type PartsByKind = {
  readonly [Kind in Argument["kind"]]: (tree: Extract<Argument, { kind: Kind }>) => readonly TreePart[];
};

const plain = (tree: Argument): TreePart => ({ tree, binds: [] });
const plainAll = (trees: readonly Argument[]): readonly TreePart[] => trees.map(plain);

const parts: PartsByKind = {
  number: () => [],
  text: () => [],
  names: () => [],
  named: (tree) => [plain(tree.value)],
  shape: () => [],
  reference: (tree) => plainAll(tree.arguments ?? []),
  lambda: (tree) => [{ tree: tree.body, binds: tree.parameters }],
  prefixed: (tree) => [plain(tree.operand)],
  chain: (tree) => plainAll(operandsOf(tree)),
  sliced: (tree) => plainAll([tree.tensor, ...tree.slices.flatMap(indexesOf)]),
  switch: (tree) =>
    plainAll([tree.value, ...tree.cases.flatMap(({ when, result }) => [when, result]), tree.otherwise]),
  generate: (tree) => [{ tree: tree.body, binds: tree.type.dimensions.map(({ name }) => name) }],
  literal: (tree) => plainAll(leavesOf(tree.body)),
};

/** The expressions and arguments right below one, in the order of the text. */
export function partsOf(tree: Argument): readonly TreePart[] {
  // The row under a tree's own kind takes that tree; TypeScript cannot see this of a union.
  return (parts[tree.kind] as (tree: Argument) => readonly TreePart[])(tree);
}

/** An expression or argument, and all those in it: each before its own parts, and those from the end of the text. */
export function* treesIn(tree: Argument): Iterable<Argument> {
  const open = [tree];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    for (const part of partsOf(next)) open.push(part.tree);
  }
}

/** The expression of a statement that has one. */
export function rootOf(statement: Statement): Expression | undefined {
  if (statement.kind === "result") return statement.expression;
  return statement.kind === "definition" ? statement.body : statement.value;
}

type WordsByKind = {
  readonly [Kind in Argument["kind"]]: (tree: Extract<Argument, { kind: Kind }>) => readonly Word[];
};

const none = (): readonly Word[] => [];

const words: WordsByKind = {
  number: none,
  text: none,
  reference: none,
  named: none,
  lambda: none,
  prefixed: none,
  chain: none,
  switch: none,
  names: (tree) => tree.names,
  shape: (tree) => [...cellTypeOf(tree.type), ...dimensionsOf(tree.type)],
  generate: (tree) => cellTypeOf(tree.type),
  sliced: (tree) =>
    tree.slices.flatMap((each) => (each.kind === "address" ? each.bindings.map((one) => one.dimension) : [])),
  literal: (tree) => [
    ...(tree.isTyped ? [...cellTypeOf(tree.type), ...dimensionsOf(tree.type)] : []),
    ...addressesOf(tree.body),
  ],
};

/**
 * The names of dimensions and cell types that stand in a tree itself, for which the parameters of a function may stand: without the
 * dimensions that a generator binds, and without labels.
 */
export function wordsOf(tree: Argument): readonly Word[] {
  // As above.
  return (words[tree.kind] as (tree: Argument) => readonly Word[])(tree);
}

const dimensionsOf = ({ dimensions }: TypeText): readonly Word[] => dimensions.map(({ name }) => name);

const cellTypeOf = ({ cellType }: TypeText): readonly Word[] => (cellType === undefined ? [] : [cellType]);

/** The sizes that stand in a tree itself: numbers, parameters of a function, and values. */
export function sizesOf(tree: Argument): readonly Word[] {
  const isTyped =
    tree.kind === "shape" || tree.kind === "generate" || (tree.kind === "literal" && tree.isTyped);
  return isTyped ? tree.type.dimensions.flatMap(({ size }) => size ?? []) : [];
}

/** The dimensions of the addresses that a literal's cells have. */
function addressesOf(body: LiteralBody<Supplied>): readonly Word[] {
  if (body.kind !== "cells") return [];
  return body.cells.flatMap(({ address }) => address.map(({ dimension }) => dimension));
}

/** The operands of a chain of operators, and the items that memberships compare with. */
function operandsOf({ first, rest }: Extract<Argument, { kind: "chain" }>): readonly Argument[] {
  const operands = [first];
  for (const link of rest)
    if (link.kind === "operation") operands.push(link.operand);
    else for (const item of link.items) operands.push(item);
  return operands;
}

function indexesOf(slice: Slice): readonly Supplied[] {
  if (slice.kind === "index") return [slice.index];
  const selectors = slice.kind === "short" ? [slice.selector] : slice.bindings.map((each) => each.selector);
  return selectors.flatMap((each) => (each.kind === "value" ? [each.value] : []));
}

/** What the cells of a literal are computed by. */
function leavesOf(body: LiteralBody<Supplied>): readonly Supplied[] {
  const leaves: Supplied[] = [];
  const open: LiteralItem<Supplied>[] = [body];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item.kind === "scalar") leaves.push(item.value);
    else if (item.kind === "cells") for (const { value } of item.cells) leaves.push(value);
    else if (item.kind === "nested") for (const each of item.items.toReversed()) open.push(each);
    else if (item.kind === "entries") for (const { value } of item.entries.toReversed()) open.push(value);
    else leaves.push(item);
  }
  return leaves;
}
