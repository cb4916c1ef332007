import type { Node, NodeOf, Table } from "../../../language/core/operations.js";
import { visit } from "../../../language/core/operations.js";
import type { AggregatorName } from "../../../language/scalar/aggregators.js";
import { renaming } from "../../../language/types/algebra.js";
import type { TensorType } from "../../../language/types/type.js";
import { element } from "../../../language/values/element.js";
import { binderOf, type LoweringContext, lambdaScope, type SqlScope } from "../context.js";
import type { ArrayFunctions } from "../dialect.js";
import { arrayText } from "../expressions/array-expression.js";
import { type ExpressionSource, expressionOf, storedAs } from "../expressions/expressions.js";
import { isPlain } from "../expressions/lookups.js";
import { column, type ScalarExpression, type Template } from "../expressions/scalar-expression.js";
import {
  cellColumns,
  columnsAt,
  dimensionColumns,
  joinText,
  keyNamedColumns,
  keyTextsOf,
  onShared,
} from "../joins.js";
import { labelText } from "../label-text.js";
import type { NamedColumn } from "../query.js";
import { type BlockRelation, keyColumns, type Relation, unionOfKeys } from "../relation.js";
import { withoutCalls } from "./calls.js";

/**
 * Dense blocks as arrays: a row for each mapped address, and the engine's functions of arrays for what happens within a block. It
 * begins where a binding says that a column has such arrays, and goes on as long as an operation leaves blocks as they are. What
 * reduces a whole block is computed from these; for all else there are the cells.
 */
export const blocksOf = (run: LoweringContext, node: Node, scope: SqlScope): BlockRelation | undefined =>
  isWhole(node.type) ? visit(rules, node, run, scope) : undefined;

const isWhole = ({ indexed, isBound }: TensorType): boolean => indexed.length > 0 && isBound;

const none = (): undefined => undefined;

const rules: Table<[run: LoweringContext, scope: SqlScope], BlockRelation | undefined> = {
  // A tensor that is written out has arrays where it meets others that do.
  constant: none,
  input: (node, run) => run.inputBlocks(node.name, node),
  parameter: (node, _, scope) => binderOf(scope, node.level)?.blocks?.(node.position),
  random: none,
  host: none,
  apply: none,
  select: none,
  map: (node, run, scope) => map(run, node, scope),
  reduce: (node, run, scope) => partsReduced(run, node, scope),
  join: (node, run, scope) => join(run, node, scope),
  merge: none,
  rename: (node, run, scope) => rename(run, node, scope),
  concat: none,
  generate: none,
  slice: (node, run, scope) => slice(run, node, scope),
  literal: none,
  cast: (node, run, scope) => {
    const blocks = run.blocks(node.tensor, scope);
    const isSame = blocks !== undefined && shapeOf(blocks.type) === shapeOf(node.type);
    return isSame ? storedBlocks(run, node, { ...blocks, type: node.type }) : undefined;
  },
  order: none,
  mapSubspaces: none,
  filterSubspaces: none,
};

const shapeOf = ({ indexed }: TensorType): string =>
  indexed.map(({ name, size }) => `${name} ${size}`).join();

/** Blocks with the cells stored as the cell type of a node. */
export function storedBlocks(
  run: LoweringContext,
  node: Node,
  blocks: BlockRelation,
): BlockRelation | undefined {
  if (node.type.cellType === "double") return blocks;
  const array = `a.${run.names.value}`;
  return emitted(run, node, ofBlocks(run, blocks), [array], column(array));
}

/** All blocks of a relation, as `a`. */
const ofBlocks = (run: LoweringContext, blocks: Relation): ExpressionSource => ({
  from: `${blocks.name} AS a`,
  columns: dimensionColumns(run, blocks.type.mapped, "a"),
  keys: blocks.keys,
  keyTexts: keyTextsOf([blocks, "a"]),
  parameters: [`a.${run.names.value}`],
});

function emitted(
  run: LoweringContext,
  node: Node,
  source: ExpressionSource,
  arrays: readonly [string, ...string[]],
  value: ScalarExpression,
): BlockRelation | undefined {
  const { arrays: functions } = run.dialect;
  const { from, joins = [], where = [], keys, keyTexts } = source;
  const text = functions && arrayText(storedAs(run, node.type.cellType, value), arrays, functions);
  if (text === undefined) return undefined;
  const keyed = columnsAt(keyColumns(keys), keyTexts);
  const columns = [...keyed, ...source.columns, [text, run.names.value] as const];
  const query = { columns, ...(from === undefined ? {} : { from }), joins, where };
  return { ...run.emit(`${node.op}_blocks`, query, node.type, keys, node), hasBlocks: true };
}

function map(run: LoweringContext, node: NodeOf<"map">, scope: SqlScope): BlockRelation | undefined {
  const blocks = isPlain(node.lambda.body, 1) ? run.blocks(node.tensor, scope) : undefined;
  if (blocks === undefined) return undefined;
  const inner = lambdaScope(scope, withoutCalls);
  const { value, source } = expressionOf(run, node.lambda.body, inner, ofBlocks(run, blocks));
  return emitted(run, node, source, [`a.${run.names.value}`], value);
}

/** Two sides of a join of which at least one has arrays, and the other has alike ones, or none for it has no blocks. */
export interface ArrayPair {
  readonly source: ExpressionSource;
  readonly arrays: readonly [string, ...string[]];
}

export function arrayPair(
  run: LoweringContext,
  { left, right, type }: NodeOf<"join">,
  scope: SqlScope,
): ArrayPair | undefined {
  const own = [run.blocks(left, scope), run.blocks(right, scope)] as const;
  if (own[0] === undefined && own[1] === undefined) return undefined;
  const side = (node: Node, blocks: BlockRelation | undefined): Relation | undefined => {
    if (blocks !== undefined) return blocks;
    if (node.type.indexed.length === 0) return run.relation(node, scope);
    const written = isWhole(node.type) ? run.written(node) : undefined;
    return written && constantBlocks(run, written);
  };
  const [a, b] = [side(left, own[0]), side(right, own[1])];
  if (a === undefined || b === undefined) return undefined;
  const hasBoth = left.type.indexed.length > 0 && right.type.indexed.length > 0;
  if (hasBoth && shapeOf(left.type) !== shapeOf(right.type)) return undefined;
  const { names } = run;
  const isSame = a.name === b.name;
  const [fromLeft, fromRight] = [`a.${names.value}`, `${isSame ? "a" : "b"}.${names.value}`];
  const isMapped = (name: string): boolean => type.dimension(name)?.kind === "mapped";
  const columns = type.mapped.map(({ name }): NamedColumn => {
    const text = names.dimension(name);
    return [`${left.type.dimension(name) === undefined ? "b" : "a"}.${text}`, text];
  });
  return {
    source: {
      from: `${a.name} AS a`,
      joins: isSame ? [] : [joinText(`${b.name} AS b`, onShared(run, a, b, isMapped))],
      columns,
      keys: unionOfKeys(a.keys, b.keys),
      keyTexts: keyTextsOf([a, "a"], [b, "b"]),
      parameters: [fromLeft, fromRight],
    },
    arrays: hasBoth ? [fromLeft, fromRight] : left.type.indexed.length > 0 ? [fromLeft] : [fromRight],
  };
}

function join(run: LoweringContext, node: NodeOf<"join">, scope: SqlScope): BlockRelation | undefined {
  const pair = isPlain(node.lambda.body, 1) ? arrayPair(run, node, scope) : undefined;
  if (pair === undefined) return undefined;
  const inner = lambdaScope(scope, withoutCalls);
  const { value, source } = expressionOf(run, node.lambda.body, inner, pair.source);
  return emitted(run, node, source, pair.arrays, value);
}

/** A tensor written out, a row with an array for each block. */
function constantBlocks(run: LoweringContext, node: NodeOf<"constant">): BlockRelation | undefined {
  const { dialect, names } = run;
  const { arrays, types } = dialect;
  if (arrays === undefined) return undefined;
  const { type, labels, blockCells, rows: count } = node.value;
  const rows = Array.from({ length: count }, (_, row) => {
    const cells = Array.from({ length: blockCells }, (_, at) =>
      dialect.number(node.value.at(row * blockCells + at)),
    );
    return [...element(labels, row).map((label) => labelText(run, node, label)), arrays.literal(cells)];
  });
  const columns = type.mapped.map(({ name }) => ({ name: names.dimension(name), type: types.label }));
  const text = dialect.rows([...columns, { name: names.value, type: arrays.type }], rows);
  return { ...run.emit("constant_blocks", { text }, type, [], node), hasBlocks: true };
}

function rename(run: LoweringContext, node: NodeOf<"rename">, scope: SqlScope): BlockRelation | undefined {
  const { from, to, tensor, type } = node;
  const newName = renaming(from, to);
  const names = tensor.type.indexed.map(({ name }) => newName(name));
  const blocks =
    names.join() === type.indexed.map(({ name }) => name).join() ? run.blocks(tensor, scope) : undefined;
  if (blocks === undefined) return undefined;
  const columns = [
    ...keyNamedColumns(blocks, "a"),
    ...blocks.type.mapped.map(
      ({ name }): NamedColumn => [`a.${run.names.dimension(name)}`, run.names.dimension(newName(name))],
    ),
    [`a.${run.names.value}`, run.names.value] as const,
  ];
  const query = { columns, from: `${blocks.name} AS a` };
  return { ...run.emit("rename_blocks", query, type, blocks.keys, node), hasBlocks: true };
}

/** The blocks under some labels; a tensor of one block has it, whether there is a row or not, and is computed from cells. */
function slice(run: LoweringContext, node: NodeOf<"slice">, scope: SqlScope): BlockRelation | undefined {
  const { at, tensor, type } = node;
  const isSimple =
    !type.isDense &&
    at.every(
      ({ dimension, label }) =>
        typeof label === "string" && tensor.type.dimension(dimension)?.kind === "mapped",
    );
  const blocks = isSimple ? run.blocks(tensor, scope) : undefined;
  if (blocks === undefined) return undefined;
  const where = at.flatMap(({ dimension, label }) =>
    typeof label === "string" ? [`a.${run.names.dimension(dimension)} = ${labelText(run, node, label)}`] : [],
  );
  const query = { columns: cellColumns(run, blocks, type.mapped), from: `${blocks.name} AS a`, where };
  return { ...run.emit("slice_blocks", query, type, blocks.keys, node), hasBlocks: true };
}

/** The reduction of the last dimensions of each block: these cells stand together, and what remains is a block again. */
function partsReduced(
  run: LoweringContext,
  node: NodeOf<"reduce">,
  scope: SqlScope,
): BlockRelation | undefined {
  const { tensor, type } = node;
  const { arrays } = run.dialect;
  const remaining = type.indexed.length;
  const isOfParts =
    type.mapped.length === tensor.type.mapped.length &&
    remaining < tensor.type.indexed.length &&
    tensor.type.indexed.slice(0, remaining).every(({ name }, at) => type.indexed[at]?.name === name);
  if (!isOfParts || arrays?.ofParts === undefined) return undefined;
  const size = tensor.type.blockSize / type.blockSize;
  const aggregate = aggregatorOfElements(run, arrays, node.aggregator, size);
  const blocks = aggregate && run.blocks(tensor, scope);
  if (aggregate === undefined || blocks === undefined) return undefined;
  const columns = [
    ...keyNamedColumns(blocks, "a"),
    ...dimensionColumns(run, type.mapped, "a"),
    [arrays.ofParts(`a.${run.names.value}`, type.blockSize, size, aggregate), run.names.value] as const,
  ];
  const query = { columns, from: `${blocks.name} AS a` };
  const raw = {
    ...run.emit(`${node.aggregator}_blocks`, query, type, blocks.keys, node),
    hasBlocks: true as const,
  };
  return storedBlocks(run, node, raw);
}

/** What an aggregator computes of an array of so many elements; nothing where the engine has no function for it. */
export function aggregatorOfElements(
  { dialect }: LoweringContext,
  { aggregates }: ArrayFunctions,
  aggregator: AggregatorName,
  size: number,
): Template | undefined {
  if (aggregator === "count") return () => dialect.number(size);
  if (aggregator === "avg") return (array) => `${aggregates.sum?.(array)} / ${dialect.number(size)}`;
  return aggregates[aggregator];
}
