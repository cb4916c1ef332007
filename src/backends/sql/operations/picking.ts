import type { NodeOf } from "../../../language/core/operations.js";
import type { TensorType } from "../../../language/types/type.js";
import { type IndicatorSum, indicatorSum } from "../../indicator-sum.js";
import { blockRows, completed, domain } from "../blocks.js";
import type { LoweringContext, SqlScope } from "../context.js";
import { columnsAt, joinText, keyTextsOf, onShared } from "../joins.js";
import type { NamedColumn, SelectQuery } from "../query.js";
import { keyColumns, type Relation, unionOfKeys } from "../relation.js";
import { storedCells } from "./making.js";

/**
 * The sum of cells that an index picks: they are grouped by the numbers that pick them, or looked up there. As it is written, all
 * numbers would be compared with all indexes. Nothing where it must be computed so.
 */
export function pickedCells(
  run: LoweringContext,
  node: NodeOf<"reduce">,
  scope: SqlScope,
): Relation | undefined {
  const sum = indicatorSum(node);
  if (sum === undefined || !hasEqualSizes(sum)) return undefined;
  const { cells, label, dimension, over } = sum;
  const labels = run.relation(label, scope);
  if (!over.includes(dimension)) {
    const added = typeof cells === "number" ? cells : run.relation(cells, scope);
    return grouped(run, node, sum, labels, added);
  }
  if (typeof cells === "number" || !isTableOf(cells.type, sum)) return undefined;
  const table = run.relation(cells, scope);
  return table.keys.every((each) => labels.keys.includes(each))
    ? lookedUp(run, node, sum, labels, table)
    : undefined;
}

/** Whether all sizes are known, and the cells and the numbers agree about those that they share. */
function hasEqualSizes({ cells, label }: IndicatorSum): boolean {
  if (!label.type.isBound) return false;
  if (typeof cells === "number") return true;
  const isEqual = cells.type.indexed.every(({ name, size }) => {
    const other = label.type.dimension(name);
    return other === undefined || other.size === size;
  });
  return cells.type.isBound && isEqual;
}

/** Whether there is one cell at most for each number. */
const isTableOf = (type: TensorType, { label, dimension }: IndicatorSum): boolean =>
  type.isDense && type.names.every((name) => name === dimension || label.type.dimension(name) !== undefined);

/** The index that a number is; NULL where it is none. */
function indexText({ dialect, names }: LoweringContext, { size }: IndicatorSum): string {
  const value = `a.${names.value}`;
  const isIndex = `${value} >= ${dialect.number(0)} AND ${value} < ${dialect.number(size)} AND ${dialect.scalars.floor(value)} = ${value}`;
  return `CASE WHEN ${isIndex} THEN ${dialect.asInteger(value)} END`;
}

/** Each cell added at its number. */
function grouped(
  run: LoweringContext,
  node: NodeOf<"reduce">,
  sum: IndicatorSum,
  labels: Relation,
  cells: Relation | number,
): Relation {
  const { names, dialect } = run;
  const { type } = node;
  const isConstant = typeof cells === "number";
  // A tensor that picks its own cells meets itself.
  const isSame = !isConstant && cells.name === labels.name;
  const isJoined = !isConstant && !isSame;
  const index = names.dimension(sum.dimension);
  const keys = isConstant ? labels.keys : unionOfKeys(labels.keys, cells.keys);
  const texts = isJoined ? keyTextsOf([labels, "a"], [cells, "b"]) : keyTextsOf([labels, "a"]);
  const others = type.dimensions.flatMap(({ name }): NamedColumn[] => {
    const column = names.dimension(name);
    return column === index
      ? []
      : [[`${labels.type.dimension(name) === undefined ? "b" : "a"}.${column}`, column]];
  });
  const value = isConstant ? dialect.number(cells) : `${isSame ? "a" : "b"}.${names.value}`;
  const pairs = run.emit(
    "picked",
    {
      columns: [
        ...columnsAt(keyColumns(keys), texts),
        ...others,
        [indexText(run, sum), index],
        [value, names.value],
      ],
      from: `${labels.name} AS a`,
      joins: isJoined ? [joinText(`${cells.name} AS b`, onShared(run, labels, cells))] : [],
    },
    type,
    keys,
    node,
  );
  const address = [...keyColumns(keys), ...type.dimensions.map(({ name }) => names.dimension(name))];
  const query: SelectQuery = {
    columns: [
      ...address.map((name): NamedColumn => [`p.${name}`, name]),
      [dialect.aggregates.sum?.(`p.${names.value}`, "1") ?? "", names.value],
    ],
    from: `${pairs.name} AS p`,
    where: [`p.${index} IS NOT NULL`],
    groupBy: address.map((name) => `p.${name}`),
  };
  const sums = storedCells(run, node, run.emit("sum", query, type, keys, node));
  // There is a block also where no number is an index.
  const rows = type.isDense ? domain(run, keys, node) : blockRows(run, pairs, node);
  return completed(run, sums, node, { rows });
}

/** The cell at each number; 0 where that is no index. */
function lookedUp(
  run: LoweringContext,
  node: NodeOf<"reduce">,
  sum: IndicatorSum,
  labels: Relation,
  cells: Relation,
): Relation {
  const { names, dialect } = run;
  const index = names.dimension(sum.dimension);
  const dimensions = node.type.dimensions.map(({ name }) => names.dimension(name));
  const on = [...onShared(run, labels, cells), `b.${index} = ${indexText(run, sum)}`];
  const query: SelectQuery = {
    columns: [
      ...[...keyColumns(labels.keys), ...dimensions].map((name): NamedColumn => [`a.${name}`, name]),
      // Of a cell that is -0 the sum with the zeros of other indexes is 0.
      [`(coalesce(b.${names.value}, ${dialect.number(0)}) + ${dialect.number(0)})`, names.value],
    ],
    from: `${labels.name} AS a`,
    joins: [joinText(`${cells.name} AS b`, on, "LEFT JOIN")],
  };
  return storedCells(run, node, run.emit("sum", query, node.type, labels.keys, node));
}
