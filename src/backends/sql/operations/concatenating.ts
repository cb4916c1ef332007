import type { NodeOf } from "../../../language/core/operations.js";
import { type BlockRows, completed, occurring } from "../blocks.js";
import type { LoweringContext, SqlScope } from "../context.js";
import { columnsAt, joinText, keyNamedColumns, keyTextsOf, onKeys } from "../joins.js";
import type { SelectQuery } from "../query.js";
import { keyColumns, type Relation, unionOfKeys } from "../relation.js";
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

/** The cells of one side, repeated along the dimensions that only the other one has, and moved along by `shift`. */
function side(
  run: LoweringContext,
  node: NodeOf<"concat">,
  own: Relation,
  other: Relation,
  rows: BlockRows | undefined,
  shift: Length | undefined,
): SelectQuery {
  const { names } = run;
  const joins: string[] = [];
  const where: string[] = [];
  const texts = keyTextsOf([own, "a"]);
  for (const { name } of own.type.dimensions) texts.set(names.dimension(name), `a.${names.dimension(name)}`);
  if (rows !== undefined && (!other.type.isDense || rows.columns.some((name) => !texts.has(name)))) {
    const on = rows.columns.filter((name) => texts.has(name)).map((name) => `${texts.get(name)} = r.${name}`);
    joins.push(joinText(`${rows.name} AS r`, on));
    for (const name of rows.columns) if (!texts.has(name)) texts.set(name, `r.${name}`);
  }
  for (const [at, { name }] of node.type.indexed.entries()) {
    const column = names.dimension(name);
    const alias = `g${at}`;
    const theirs = other.type.dimension(name);
    if (name === node.along) continue;
    if (!texts.has(column)) {
      joins.push(indexesJoin(run, node, other, name, alias, texts));
      texts.set(column, `${alias}.${column}`);
    } else if (!node.pad && theirs !== undefined) {
      if (theirs.size !== undefined) where.push(`${texts.get(column)} < ${run.dialect.integer(theirs.size)}`);
      else joins.push(indexesJoin(run, node, other, name, alias, texts));
    }
  }
  const along = names.dimension(node.along);
  const position = texts.get(along) ?? run.dialect.integer(0);
  if (shift !== undefined && "relation" in shift) joins.push(lengthJoin(shift.relation, texts));
  texts.set(along, shift === undefined ? position : `${position} + ${lengthText(run, shift)}`);
  const keys = keyColumns(unionOfKeys(own.keys, other.keys));
  const addresses = [...keys, ...node.type.dimensions.map(({ name }) => names.dimension(name))];
  return {
    columns: [...columnsAt(addresses, texts), [`a.${names.value}`, names.value]],
    from: `${own.name} AS a`,
    joins,
    where,
  };
}

const lengthText = ({ names }: LoweringContext, length: Length): string =>
  "text" in length ? length.text : `coalesce(n.${names.value}, 0)`;

/** A call without cells has no row of a length. */
const lengthJoin = (length: Relation, texts: ReadonlyMap<string, string>): string =>
  joinText(`${length.name} AS n`, onKeys(length, "n", texts), length.keys.length > 0 ? "LEFT JOIN" : "JOIN");

/** The join of all indexes that a relation has along a dimension: of those alone that the rows have, where they have it. */
function indexesJoin(
  run: LoweringContext,
  node: NodeOf<"concat">,
  relation: Relation,
  dimension: string,
  alias: string,
  texts: ReadonlyMap<string, string>,
): string {
  const { names, dialect } = run;
  const column = names.dimension(dimension);
  const size = relation.type.dimension(dimension)?.size;
  if (size !== undefined) return joinText(`${dialect.range(size, column)} AS ${alias}`, []);
  const indexes = run.emit("indexes", occurring(relation, column), relation.type, relation.keys, node);
  const on = onKeys(relation, alias, texts);
  const own = texts.get(column);
  if (own !== undefined) on.push(`${own} = ${alias}.${column}`);
  return joinText(`${indexes.name} AS ${alias}`, on);
}
