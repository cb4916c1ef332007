import type { Node, NodeOf } from "../../../language/core/operations.js";
import { TensorType } from "../../../language/types/type.js";
import { element } from "../../../language/values/element.js";
import { indexesAt } from "../../../language/values/shape.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { completed, widened } from "../blocks.js";
import { binderOf, generatorScope, type LoweringContext, type SqlBinder, type SqlScope } from "../context.js";
import type { TypedColumn } from "../dialect.js";
import { fromEach } from "../expressions/derivations.js";
import { type ExpressionSource, evaluated, selected, storedAs } from "../expressions/expressions.js";
import { isPlain, ownRows } from "../expressions/lookups.js";
import { column } from "../expressions/scalar-expression.js";
import { dimensionColumns, keyNamedColumns, keyTextsOf } from "../joins.js";
import { labelText } from "../label-text.js";
import type { NamedColumn, SelectQuery } from "../query.js";
import { type Relation, unionOfKeys } from "../relation.js";
import { called, lambdaCalls } from "./calls.js";

/** A tensor written out, a row for each cell. */
export function constant(run: LoweringContext, node: Node, value: Tensor): Relation {
  const { dialect, names } = run;
  const { type, sizes, labels, blockCells } = value;
  const columns = addressColumns(run, type);
  const rows = Array.from({ length: value.data.length }, (_, at) => {
    const mapped = element(labels, Math.floor(at / blockCells)).map((label) => labelText(run, node, label));
    const indexes = indexesAt(at % blockCells, sizes).map((index) => dialect.integer(index));
    const address = type.dimensions.map(({ kind }) => (kind === "mapped" ? mapped : indexes).shift() ?? "");
    return [...address, dialect.number(value.at(at))];
  });
  const text = dialect.rows([...columns, { name: names.value, type: dialect.types.number }], rows);
  return run.emit("constant", { text }, type, [], node);
}

const addressColumns = ({ names, dialect }: LoweringContext, type: TensorType): TypedColumn[] =>
  type.dimensions.map(({ name, kind }) => ({
    name: names.dimension(name),
    type: kind === "mapped" ? dialect.types.label : dialect.types.index,
  }));

export function map(run: LoweringContext, node: NodeOf<"map">, scope: SqlScope): Relation {
  return mapped(run, node, run.relation(node.tensor, scope), scope);
}

/** A lambda of cells at every cell of a relation. */
export function mapped(
  run: LoweringContext,
  node: NodeOf<"map" | "mapSubspaces">,
  tensor: Relation,
  scope: SqlScope,
): Relation {
  const source: ExpressionSource = {
    from: `${tensor.name} AS a`,
    columns: dimensionColumns(run, tensor.type.dimensions, "a"),
    keys: tensor.keys,
    keyTexts: keyTextsOf([tensor, "a"]),
    parameters: [`a.${run.names.value}`],
    deriving: isPlain(node.lambda.body, 1) ? fromEach(tensor) : undefined,
  };
  return called(run, source, lambdaCalls(node.lambda, scope), { kind: "map", node, type: node.type });
}

export function generate(run: LoweringContext, node: NodeOf<"generate">, scope: SqlScope): Relation {
  const { body, level, type } = node;
  const source = ofOwnRows(run, node, scope) ?? ofIndexes(run, type);
  const within = { body, level, scope: (binder: SqlBinder) => generatorScope(scope, level, binder) };
  return called(run, source, within, { kind: "generate", node, type });
}

/** All indexes of a type. */
function ofIndexes({ dialect, names }: LoweringContext, type: TensorType): ExpressionSource {
  const [first, ...others] = type.dimensions.map(
    ({ name, size = 0 }, at) => `${dialect.range(size, names.dimension(name))} AS g${at}`,
  );
  const indexes = type.dimensions.map(({ name }, at) => `g${at}.${names.dimension(name)}`);
  return {
    ...(first === undefined ? {} : { from: first }),
    joins: others.map((each) => `CROSS JOIN ${each}`),
    ...indexed({ dialect, names }, type, indexes),
    keys: [],
    keyTexts: new Map<string, string>(),
  };
}

/** The cells of a tensor that has one for each of a generator. */
function ofOwnRows(
  run: LoweringContext,
  node: NodeOf<"generate">,
  scope: SqlScope,
): ExpressionSource | undefined {
  const { dialect, names } = run;
  const own = ownRows(dialect, node);
  if (own === undefined) return undefined;
  const { cell, dimensions } = own;
  const tensor = run.relation(cell.tensor, scope);
  const indexes = dimensions.map((name) => `a.${names.dimension(name)}`);
  const where = node.type.dimensions.flatMap(({ size = 0 }, at) =>
    cell.tensor.type.dimension(element(dimensions, at))?.size === size
      ? []
      : [`${element(indexes, at)} < ${dialect.integer(size)}`],
  );
  return {
    from: `${tensor.name} AS a`,
    where,
    ...indexed(run, node.type, indexes),
    keys: tensor.keys,
    keyTexts: keyTextsOf([tensor, "a"]),
    cells: new Map([[cell, `a.${names.value}`]]),
  };
}

/** Indexes as the columns and the parameters of a generator. */
const indexed = (
  { dialect, names }: Pick<LoweringContext, "dialect" | "names">,
  { dimensions }: TensorType,
  indexes: readonly string[],
) => ({
  columns: dimensions.map(({ name }, at): NamedColumn => [element(indexes, at), names.dimension(name)]),
  parameters: indexes.map((text) => dialect.asNumber(text)),
  indexes,
});

/** Each cell where it is said to be; other cells of its block are 0. */
export function literal(run: LoweringContext, node: NodeOf<"literal">, scope: SqlScope): Relation {
  const { names, dialect } = run;
  const { type, cells } = node;
  if (cells.length === 0) return completeLiteral(run, node, emptyRelation(run, node));
  const sizes = type.indexed.map(({ size = 0 }) => size);
  const values = cells.map(({ value }) =>
    evaluated(
      run,
      value,
      scope,
      { columns: [], keys: [], keyTexts: new Map(), parameters: [] },
      {
        kind: "cell",
        node: value,
        type: TensorType.scalar,
      },
    ),
  );
  const keys = unionOfKeys([...new Set(values.flatMap((each) => each.keys))]);
  const union = cells.map(({ labels, offset }, at): SelectQuery => {
    const value = widened(run, element(values, at), keys, node);
    const [mapped, indexes] = [[...labels], indexesAt(offset, sizes)];
    const address = type.dimensions.map(({ name, kind }): NamedColumn => {
      const text =
        kind === "mapped"
          ? dialect.asText(labelText(run, node, mapped.shift() ?? ""))
          : `${dialect.integer(indexes.shift() ?? 0)}`;
      return [text, names.dimension(name)];
    });
    const keyed = keyNamedColumns({ keys }, "a");
    return { columns: [...keyed, ...address, [`a.${names.value}`, names.value]], from: `${value.name} AS a` };
  });
  const raw = run.emit("literal", { union }, type, keys, node);
  return completeLiteral(run, node, storedCells(run, node, raw));
}

function completeLiteral(run: LoweringContext, node: NodeOf<"literal">, cells: Relation): Relation {
  const { type } = node;
  const isComplete = type.isScalar ? node.cells.length > 0 : type.indexed.length === 0;
  return isComplete ? cells : completed(run, cells, node);
}

function emptyRelation(run: LoweringContext, node: Node): Relation {
  const { dialect, names } = run;
  const text = dialect.rows(
    [...addressColumns(run, node.type), { name: names.value, type: dialect.types.number }],
    [],
  );
  return run.emit("empty", { text }, node.type, [], node);
}

/** The cells of a relation stored as the cell type of a node. */
export function storedCells(run: LoweringContext, node: Node, cells: Relation): Relation {
  const { cellType } = node.type;
  if (cellType === "double") return cells;
  const source = {
    from: `${cells.name} AS a`,
    columns: dimensionColumns(run, node.type.dimensions, "a"),
    keys: cells.keys,
    keyTexts: keyTextsOf([cells, "a"]),
    parameters: [],
    deriving: fromEach(cells),
  };
  const value = storedAs(run, cellType, column(`a.${run.names.value}`));
  return selected(run, source, value, { kind: "stored", node, type: node.type });
}

/** The number of a parameter, or the tensor of a lambda's: for each call. */
export function parameter(node: NodeOf<"parameter">, scope: SqlScope): Relation {
  const binder = binderOf(scope, node.level);
  if (binder === undefined) throw new Error(`level ${node.level} has no binder`);
  return binder.parameter(node.position);
}
