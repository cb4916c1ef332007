import type { Node } from "../../language/core/operations.js";
import { TensorType } from "../../language/types/type.js";
import { element } from "../../language/values/element.js";
import type { LoweringContext } from "./context.js";
import { addKeyTexts, columnsAt, dimensionColumns, joinText, keyNamedColumns, onKeys } from "./joins.js";
import type { NamedColumn, SelectQuery } from "./query.js";
import { type KeyFrame, keyColumns, type Relation, unionOfKeys } from "./relation.js";

/** What keeps blocks complete: a tensor has all cells of each dense block, zeros where nothing else is (I2). */

/** Rows of keys and mapped labels, with a block for each. */
export interface BlockRows {
  readonly name: string;
  readonly columns: readonly string[];
}

/** All combinations of keys for which there are calls. */
export function domain(run: LoweringContext, keys: readonly KeyFrame[], node: Node): BlockRows | undefined {
  if (keyColumns(keys).length === 0) return undefined;
  const innermost = keys.filter((frame) => !keys.some(({ outer }) => outer.includes(frame)));
  const columns = keyColumns(keys);
  const sides = innermost.map((frame, at): readonly [Relation, string] => [
    { name: frame.relation(), type: TensorType.scalar, keys: unionOfKeys([frame]) },
    `k${at}`,
  ]);
  const texts = new Map<string, string>();
  const joins: string[] = [];
  for (const [relation, alias] of sides) {
    if (alias !== "k0") joins.push(joinText(`${relation.name} AS ${alias}`, onKeys(relation, alias, texts)));
    addKeyTexts(texts, relation, alias);
  }
  const [first] = element(sides, 0);
  const query = { isDistinct: true, columns: columnsAt(columns, texts), from: `${first.name} AS k0`, joins };
  return { name: run.emit("calls", query, TensorType.scalar, keys, node).name, columns };
}

/** The keys and mapped labels of the blocks of a relation; nothing where there is one block alone. */
export function blockRows(run: LoweringContext, relation: Relation, node: Node): BlockRows | undefined {
  if (relation.type.isDense) return domain(run, relation.keys, node);
  const columns = [...keyNamedColumns(relation, "a"), ...dimensionColumns(run, relation.type.mapped, "a")];
  const query = { isDistinct: true, columns, from: `${relation.name} AS a` };
  const { name } = run.emit("blocks", query, TensorType.scalar, relation.keys, node);
  return { name, columns: columns.map(([, column]) => column) };
}

export interface CompletionOptions {
  /** The blocks that there are; those of the relation by default. */
  readonly rows?: BlockRows | undefined;
  /** A relation with all indexes of an unbound dimension; the relation itself by default. */
  readonly extents?: (dimension: string) => Relation;
  /** Whether indexes below the largest one of an unbound dimension may be nowhere at all. */
  readonly hasGaps?: boolean;
}

/** The relation with zeros for all cells that its blocks lack. */
export function completed(
  run: LoweringContext,
  relation: Relation,
  node: Node,
  {
    rows = blockRows(run, relation, node),
    extents = () => relation,
    hasGaps = false,
  }: CompletionOptions = {},
): Relation {
  const { names, dialect } = run;
  const { type, keys } = relation;
  const zero = dialect.number(0);
  if (rows === undefined && type.isScalar) {
    // One row, whether the relation has it or none. A query for it in this place is one that ClickHouse may find no rows for.
    const only = `coalesce(max(a.${names.value}), ${zero})`;
    const query = { columns: [[only, names.value] as const], from: `${relation.name} AS a` };
    return run.emit("filled", query, type, keys, node);
  }
  const { from, joins, texts } = allAddresses(run, type, node, { rows, extents, hasGaps });
  const addresses = [...keyColumns(keys), ...type.dimensions.map(({ name }) => names.dimension(name))];
  const on = addresses.map((name) => `${texts.get(name) ?? name} = v.${name}`);
  const query = {
    columns: [...columnsAt(addresses, texts), [`coalesce(v.${names.value}, ${zero})`, names.value] as const],
    ...(from === undefined ? {} : { from }),
    joins: [...joins, joinText(`${relation.name} AS v`, on, "LEFT JOIN")],
  };
  return run.emit("filled", query, type, keys, node);
}

/** All addresses of complete blocks: their rows with all indexes along each dimension, and where each column is read. */
function allAddresses(
  run: LoweringContext,
  { indexed }: TensorType,
  node: Node,
  { rows, extents, hasGaps }: Required<CompletionOptions>,
): { readonly from: string | undefined; readonly joins: string[]; readonly texts: Map<string, string> } {
  const { names, dialect } = run;
  const sources: (readonly [target: string, on: readonly string[]])[] = [];
  const texts = new Map<string, string>();
  if (rows !== undefined) {
    sources.push([`${rows.name} AS r`, []]);
    for (const each of rows.columns) texts.set(each, `r.${each}`);
  }
  for (const [at, { name, size }] of indexed.entries()) {
    const [column, alias] = [names.dimension(name), `g${at}`];
    texts.set(column, `${alias}.${column}`);
    if (size !== undefined) {
      sources.push([`${dialect.range(size, column)} AS ${alias}`, []]);
      continue;
    }
    const source = extents(name);
    const query = hasGaps ? upToLargest(run, source, column) : occurring(source, column);
    const indexes = run.emit("indexes", query, TensorType.scalar, source.keys, node);
    sources.push([`${indexes.name} AS ${alias}`, onKeys(source, alias, texts)]);
    addKeyTexts(texts, source, alias);
  }
  const [first, ...others] = sources;
  return { from: first?.[0], joins: others.map(([target, on]) => joinText(target, on)), texts };
}

/** The indexes that a relation has along a dimension, in each call. */
export const occurring = (extents: Relation, column: string): SelectQuery => ({
  isDistinct: true,
  columns: [...keyNamedColumns(extents, "e"), [`e.${column}`, column]],
  from: `${extents.name} AS e`,
});

/** All indexes up to the largest one of an input, which has no keys. */
function upToLargest({ dialect }: LoweringContext, { name }: Relation, column: string): SelectQuery {
  const largest = `(SELECT CASE WHEN count(*) > 0 THEN max(e.${column}) END FROM ${name} AS e)`;
  return { columns: [[`e.${column}`, column]], from: `${dialect.upTo(largest, column)} AS e` };
}

/** The relation for all calls of these frames too, where it is the same in all of them. */
export function widened(
  run: LoweringContext,
  relation: Relation,
  keys: readonly KeyFrame[],
  node: Node,
): Relation {
  const all = unionOfKeys(relation.keys, keys);
  if (all.length === relation.keys.length) return relation;
  const rows = domain(run, all, node);
  if (rows === undefined) return { ...relation, keys: all };
  const texts = new Map(rows.columns.map((name) => [name, `r.${name}`]));
  const columns = [
    ...rows.columns.map((name): NamedColumn => [`r.${name}`, name]),
    ...dimensionColumns(run, relation.type.dimensions, "a"),
    [`a.${run.names.value}`, run.names.value] as const,
  ];
  const target = `${relation.name} AS a`;
  const query = {
    columns,
    from: `${rows.name} AS r`,
    joins: [joinText(target, onKeys(relation, "a", texts))],
  };
  return run.emit("repeated", query, relation.type, all, node);
}
