import type { NodeOf } from "../../../language/core/operations.js";
import type { LoweringContext, SqlScope } from "../context.js";
import { columnsAt, joinText, keyNamedColumns } from "../joins.js";
import type { NamedColumn, SelectQuery } from "../query.js";
import { keyColumns, type Relation, unionOfKeys } from "../relation.js";
import { type BlockRows, completed } from "./blocks.js";
import { pairRows } from "./joining.js";
import { storedCells } from "./making.js";

/** concat: the second tensor's cells behind the first's, both repeated along the dimensions that they lack. */
export function concat(run: LoweringContext, node: NodeOf<"concat">, scope: SqlScope): Relation {
  const [left, right] = [run.relation(node.left, scope), run.relation(node.right, scope)];
  const rows = pairRows(run, node, left, right);
  const keys = unionOfKeys(left.keys, right.keys);
  const length = lengthOf(run, left, node);
  const union = [side(run, node, left, right, rows, undefined), side(run, node, right, left, rows, length)];
  const cells = run.emit("concat", { union }, node.type, keys, node);
  // Of a scalar the cell type has no say: a double may become a cell of any type.
  const raw = left.type.isScalar || right.type.isScalar ? storedCells(run, node, cells) : cells;
  const differs = node.type.indexed.some(({ name }) => {
    const [a, b] = [left.type.dimension(name), right.type.dimension(name)];
    return (
      name !== node.along && a !== undefined && b !== undefined && (a.size === undefined || a.size !== b.size)
    );
  });
  return node.pad && differs ? completed(run, raw, node, { rows }) : raw;
}

/** How far a relation reaches along a dimension: a number, or a relation of one row for each call. */
type Length = { readonly text: string } | { readonly relation: Relation };

function lengthOf(run: LoweringContext, relation: Relation, node: NodeOf<"concat">): Length {
  const { names, dialect } = run;
  const dimension = relation.type.dimension(node.along);
  if (dimension === undefined) return { text: dialect.integer(1) };
  if (dimension.size !== undefined) return { text: dialect.integer(dimension.size) };
  const column = names.dimension(node.along);
  // The largest of none is no NULL on each engine.
  const length = `CASE WHEN count(*) > 0 THEN max(a.${column}) + 1 ELSE ${dialect.integer(0)} END`;
  const query: SelectQuery = {
    columns: [...keyNamedColumns(relation, "a"), [length, names.value]],
    from: `${relation.name} AS a`,
    groupBy: keyColumns(relation.keys).map((name) => `a.${name}`),
  };
  return { relation: run.emit("length", query, relation.type.withDimensions([]), relation.keys, node) };
}

function side(
  run: LoweringContext,
  node: NodeOf<"concat">,
  own: Relation,
  other: Relation,
  rows: BlockRows | undefined,
  shift: Length | undefined,
): SelectQuery {
  const { names, dialect } = run;
  const joins: string[] = [];
  const texts = new Map<string, string>();
  for (const name of keyColumns(own.keys)) texts.set(name, `a.${name}`);
  for (const { name } of own.type.dimensions) texts.set(names.dimension(name), `a.${names.dimension(name)}`);
  const along = names.dimension(node.along);
  if (rows?.columns.some((name) => !texts.has(name)) === true) {
    const on = rows.columns.filter((name) => texts.has(name)).map((name) => `${texts.get(name)} = r.${name}`);
    joins.push(joinText(`${rows.name} AS r`, on));
    for (const name of rows.columns) if (!texts.has(name)) texts.set(name, `r.${name}`);
  } else if (rows !== undefined && !other.type.isDense) {
    const on = rows.columns.map((name) => `${texts.get(name)} = r.${name}`);
    joins.push(joinText(`${rows.name} AS r`, on));
  }
  const where: string[] = [];
  for (const [at, { name }] of node.type.indexed.entries()) {
    const column = names.dimension(name);
    const theirs = other.type.dimension(name);
    if (name === node.along) continue;
    if (!texts.has(column)) {
      texts.set(column, `g${at}.${column}`);
      joins.push(joinText(...indexesAlong(run, other, name, at, node, texts)));
    } else if (!node.pad && theirs !== undefined) {
      if (theirs.size !== undefined) where.push(`${texts.get(column)} < ${dialect.integer(theirs.size)}`);
      else joins.push(joinText(...indexesAlong(run, other, name, at, node, texts, true)));
    }
  }
  const position = texts.get(along) ?? dialect.integer(0);
  let shifted = position;
  if (shift !== undefined && "text" in shift) shifted = `${position} + ${shift.text}`;
  else if (shift !== undefined) {
    const { relation } = shift;
    const on = keyColumns(relation.keys).flatMap((name) =>
      texts.has(name) ? [`${texts.get(name)} = n.${name}`] : [],
    );
    joins.push(joinText(`${relation.name} AS n`, on, relation.keys.length > 0 ? "LEFT JOIN" : "JOIN"));
    shifted = `${position} + coalesce(n.${names.value}, 0)`;
  }
  texts.set(along, shifted);
  const keys = keyColumns(unionOfKeys(own.keys, other.keys));
  const addresses = [...keys, ...node.type.dimensions.map(({ name }) => names.dimension(name))];
  return {
    columns: [...columnsAt(addresses, texts), [`a.${names.value}`, names.value]],
    from: `${own.name} AS a`,
    joins,
    where,
  };
}

/** All indexes of a dimension of a relation, as the target of a join. */
function indexesAlong(
  run: LoweringContext,
  relation: Relation,
  name: string,
  at: number,
  node: NodeOf<"concat">,
  texts: ReadonlyMap<string, string>,
  isShared = false,
): [target: string, on: string[]] {
  const { names, dialect } = run;
  const column = names.dimension(name);
  const alias = `g${at}`;
  const size = relation.type.dimension(name)?.size;
  if (size !== undefined) return [`${dialect.range(size, column)} AS ${alias}`, []];
  const columns: NamedColumn[] = [...keyNamedColumns(relation, "e"), [`e.${column}`, column]];
  const query: SelectQuery = { isDistinct: true, columns, from: `${relation.name} AS e` };
  const indexes = run.emit("indexes", query, relation.type, relation.keys, node);
  const on = keyColumns(relation.keys).flatMap((key) =>
    texts.has(key) ? [`${texts.get(key)} = ${alias}.${key}`] : [],
  );
  if (isShared) on.push(`${texts.get(column)} = ${alias}.${column}`);
  return [`${indexes.name} AS ${alias}`, on];
}
