import type { NodeOf } from "../../../language/core/operations.js";
import { subspaceType } from "../../../language/types/algebra.js";
import { TensorType } from "../../../language/types/type.js";
import { element } from "../../../language/values/element.js";
import { completed, widened } from "../blocks.js";
import { type LoweringContext, lambdaScope, type SqlBinder, type SqlScope } from "../context.js";
import { isJoinable } from "../expressions/lookups.js";
import { columnsAt, dimensionColumns, joinText, keyNamedColumns, keyTextsOf, onKeys } from "../joins.js";
import type { NamedColumn } from "../query.js";
import { type BlockRelation, type KeyFrame, keyColumns, type Relation } from "../relation.js";
import { called, lambdaCalls } from "./calls.js";
import { mapped, storedCells } from "./making.js";

/** The calls of a lambda on the blocks of a tensor: the mapped dimensions are keys meanwhile. */
interface SubspaceCalls {
  /** What the lambda computes, for each block. */
  readonly result: Relation;
  /** The frames of the result that are not that of the blocks. */
  readonly keys: readonly KeyFrame[];
  /** The frame's columns, by mapped dimension. */
  readonly columns: ReadonlyMap<string, string>;
}

function callsOfSubspaces(
  run: LoweringContext,
  node: NodeOf<"mapSubspaces" | "filterSubspaces">,
  tensor: Relation,
  scope: SqlScope,
): SubspaceCalls {
  const { names } = run;
  const { body } = node.lambda;
  const { mapped: outer, isDense } = tensor.type;
  const arrays = run.blocks(node.tensor, scope);
  if (isDense) {
    const binder: SqlBinder = { parameter: () => tensor, blocks: () => arrays };
    const result = run.relation(body, lambdaScope(scope, binder));
    return { result, keys: result.keys, columns: new Map() };
  }
  const columns = outer.map(({ name }) => names.fresh(`of_${name}`));
  const keyed = [
    ...keyNamedColumns(tensor, "a"),
    ...outer.map(({ name }, at): NamedColumn => [`a.${names.dimension(name)}`, element(columns, at)]),
  ];
  const from = `${tensor.name} AS a`;
  const each = arrays === undefined ? { isDistinct: true, from } : { from: `${arrays.name} AS a` };
  const blocks = run.emit("blocks", { columns: keyed, ...each }, TensorType.scalar, tensor.keys, node);
  const frame: KeyFrame = { id: run.nextFrame(), columns, outer: tensor.keys, relation: () => blocks.name };
  const keys = [...tensor.keys, frame];
  const type = subspaceType(tensor.type);
  const cells = {
    columns: [
      ...keyed,
      ...dimensionColumns(run, type.dimensions, "a"),
      [`a.${names.value}`, names.value] as const,
    ],
    from,
  };
  const parameter = run.emit("subspace", cells, type, keys, node);
  const binder: SqlBinder = {
    parameter: () => parameter,
    blocks: () => arrays && subspaceBlocks(run, node, arrays, keyed, keys),
  };
  const result = widened(run, run.relation(body, lambdaScope(scope, binder)), keys, node);
  return {
    result,
    keys: result.keys.filter((each) => each !== frame),
    columns: new Map(outer.map(({ name }, at) => [name, element(columns, at)])),
  };
}

/** The arrays of a tensor, each the block of one call. */
function subspaceBlocks(
  run: LoweringContext,
  node: NodeOf<"mapSubspaces" | "filterSubspaces">,
  arrays: BlockRelation,
  keyed: readonly NamedColumn[],
  keys: readonly KeyFrame[],
): BlockRelation {
  const { value } = run.names;
  const query = { columns: [...keyed, [`a.${value}`, value] as const], from: `${arrays.name} AS a` };
  const type = subspaceType(node.tensor.type);
  return { ...run.emit("subspace_blocks", query, type, keys, node), hasBlocks: true };
}

/** map_subspaces: the lambda's tensor for each block, under the block's labels. */
export function mapSubspaces(run: LoweringContext, node: NodeOf<"mapSubspaces">, scope: SqlScope): Relation {
  const { names } = run;
  const { lambda, type } = node;
  const tensor = run.relation(node.tensor, scope);
  if (
    tensor.type.indexed.length === 0 &&
    lambda.body.type.isScalar &&
    isJoinable(run.dialect, lambda.body, 1)
  )
    return mapped(run, node, tensor, scope);
  const { result, keys, columns } = callsOfSubspaces(run, node, tensor, scope);
  const selected: NamedColumn[] = [
    ...keyNamedColumns({ keys }, "a"),
    ...type.dimensions.map(
      ({ name }): NamedColumn => [`a.${columns.get(name) ?? names.dimension(name)}`, names.dimension(name)],
    ),
    [`a.${names.value}`, names.value],
  ];
  const raw = run.emit("map_subspaces", { columns: selected, from: `${result.name} AS a` }, type, keys, node);
  const cells = lambda.body.type.isScalar ? storedCells(run, node, raw) : raw;
  return lambda.body.type.isBound || type.isDense ? cells : completed(run, cells, node);
}

/** filter_subspaces: the blocks for which the sum of the lambda's cells is not 0. */
export function filterSubspaces(
  run: LoweringContext,
  node: NodeOf<"filterSubspaces">,
  scope: SqlScope,
): Relation {
  const { names, dialect } = run;
  const tensor = run.relation(node.tensor, scope);
  const isOfCells = !node.tensor.type.isScalar && node.tensor.type.indexed.length === 0;
  if (isOfCells && node.lambda.body.type.isScalar && isJoinable(run.dialect, node.lambda.body, 1))
    return filteredCells(run, node, tensor, scope);
  const { result, keys, columns } = callsOfSubspaces(run, node, tensor, scope);
  const keyed = keyNamedColumns(result, "a");
  const sum = `coalesce(${dialect.exactSum(`a.${names.value}`)}, ${dialect.number(0)})`;
  const sums = run.emit(
    "sums",
    {
      columns: [...keyed, [sum, names.value]],
      from: `${result.name} AS a`,
      groupBy: keyed.map(([text]) => text),
    },
    TensorType.scalar,
    result.keys,
    node,
  );
  const texts = keyTextsOf([tensor, "a"]);
  for (const [dimension, name] of columns) texts.set(name, `a.${names.dimension(dimension)}`);
  const cells = run.emit(
    "filter_subspaces",
    {
      columns: [
        ...columnsAt(keyColumns(keys), keyTextsOf([tensor, "a"], [sums, "f"])),
        ...dimensionColumns(run, node.type.dimensions, "a"),
        [`a.${names.value}`, names.value],
      ],
      from: `${tensor.name} AS a`,
      joins: [joinText(`${sums.name} AS f`, onKeys(sums, "f", texts))],
      where: [`f.${names.value} <> ${dialect.number(0)}`],
    },
    node.type,
    keys,
    node,
  );
  return node.type.isDense ? completed(run, cells, node, { extents: () => tensor }) : cells;
}

/** Cells by themselves, each by arithmetic of its own. */
function filteredCells(
  run: LoweringContext,
  node: NodeOf<"filterSubspaces">,
  tensor: Relation,
  scope: SqlScope,
): Relation {
  const { names, dialect } = run;
  const cell = names.fresh("cell");
  const columns = dimensionColumns(run, tensor.type.dimensions, "a");
  const source = {
    from: `${tensor.name} AS a`,
    columns: [...columns, [`a.${names.value}`, cell] as const],
    keys: tensor.keys,
    keyTexts: keyTextsOf([tensor, "a"]),
    parameters: [`a.${names.value}`],
  };
  const goal = { kind: "test", node, type: TensorType.scalar };
  const tests = called(run, source, lambdaCalls(node.lambda, scope), goal);
  const query = {
    columns: [
      ...keyNamedColumns(tests, "a"),
      ...dimensionColumns(run, node.type.dimensions, "a"),
      [`a.${cell}`, names.value] as const,
    ],
    from: `${tests.name} AS a`,
    where: [`a.${names.value} <> ${dialect.number(0)}`],
  };
  return run.emit("filter_subspaces", query, node.type, tests.keys, node);
}
