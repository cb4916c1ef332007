import type { NodeOf } from "../../../language/core/operations.js";
import { mapTuple } from "../../../language/source/lists.js";
import { TensorType } from "../../../language/types/type.js";
import { type BlockRows, blockRows, completed, occurring, widened } from "../blocks.js";
import type { LoweringContext, SqlScope } from "../context.js";
import {
  type CommonRows,
  commonRows,
  type Deriving,
  farthestOf,
  scalarAlias,
} from "../expressions/derivations.js";
import type { ExpressionSource } from "../expressions/expressions.js";
import { isJoinable, isPlain } from "../expressions/lookups.js";
import { column, substituted } from "../expressions/scalar-expression.js";
import {
  cellColumns,
  columnsAt,
  dimensionColumns,
  joinText,
  keyNamedColumns,
  keyTextsOf,
  onKeys,
  onShared,
} from "../joins.js";
import type { NamedColumn, SelectQuery } from "../query.js";
import { keyColumns, type Relation, unionOfKeys } from "../relation.js";
import { called, lambdaCalls } from "./calls.js";
import { groupedTogether } from "./grouping.js";
import { storedCells } from "./making.js";

/** join: pairs of cells that agree in the dimensions they share; a bound size that neither side fills ends in zeros. */
export function join(run: LoweringContext, node: NodeOf<"join">, scope: SqlScope): Relation {
  const [left, right] = [run.relation(node.left, scope), run.relation(node.right, scope)];
  const joined = paired(run, node, left, right, scope);
  const isShorter = node.type.indexed.some(({ name, size }) => {
    const [a, b] = [left.type.dimension(name), right.type.dimension(name)];
    return (
      size !== undefined &&
      a !== undefined &&
      b !== undefined &&
      (a.size === undefined || b.size === undefined)
    );
  });
  if (!isShorter) return joined;
  // Without a pair of cells there is no block, unless there is one always: its sizes are those of the sides.
  if (!node.type.isDense) return completed(run, joined, node);
  const extents = (dimension: string): Relation => indexesOfBoth(run, node, dimension, [left, right]);
  return completed(run, joined, node, { rows: pairRows(run, node, left, right), extents });
}

/** A relation with the indexes of an unbound dimension that the sides of a join have, both of them where it is one of both. */
function indexesOfBoth(
  run: LoweringContext,
  node: NodeOf<"join">,
  dimension: string,
  sides: readonly [Relation, Relation],
): Relation {
  const column = run.names.dimension(dimension);
  const [one, other] = sides.filter(({ type }) => type.dimension(dimension) !== undefined);
  if (one === undefined || other === undefined) return one ?? sides[0];
  const [a, b] = mapTuple([one, other], (side) =>
    run.emit("indexes", occurring(side, column), TensorType.scalar, side.keys, node),
  );
  const texts = keyTextsOf([a, "a"], [b, "b"]);
  const keys = unionOfKeys(a.keys, b.keys);
  const on = [...onKeys(b, "b", keyTextsOf([a, "a"])), `a.${column} = b.${column}`];
  const query: SelectQuery = {
    columns: [...columnsAt(keyColumns(keys), texts), [`a.${column}`, column]],
    from: `${a.name} AS a`,
    joins: [joinText(`${b.name} AS b`, on)],
  };
  return run.emit("shared", query, TensorType.scalar, keys, node);
}

/** The lambda of a join or a merge for each pair of cells that share an address. */
function paired(
  run: LoweringContext,
  node: NodeOf<"join" | "merge">,
  left: Relation,
  right: Relation,
  scope: SqlScope,
): Relation {
  const isOfCells = isPlain(node.lambda.body, 1);
  const common = isOfCells
    ? (commonRows(run, left, right) ?? groupedTogether(run, node, left, right))
    : undefined;
  return common === undefined
    ? matched(run, node, left, right, scope, isOfCells ? pairing(run, node, left, right) : undefined)
    : ofCommonRows(run, node, common, scope);
}

/** The lambda for each of the rows that both sides are computed from. */
function ofCommonRows(
  run: LoweringContext,
  node: NodeOf<"join" | "merge">,
  { values, ...rows }: CommonRows,
  scope: SqlScope,
): Relation {
  const { base, scalars } = rows;
  const value = `a.${run.names.value}`;
  const source: ExpressionSource = {
    from: `${base.name} AS a`,
    joins: scalars.map((each) => joinText(`${each.name} AS ${scalarAlias(each)}`, [])),
    columns: dimensionColumns(run, node.type.dimensions, "a"),
    keys: base.keys,
    keyTexts: keyTextsOf([base, "a"]),
    parameters: [value, value],
    values,
    deriving: (text) => ({ ...rows, value: text }),
  };
  return called(run, source, lambdaCalls(node.lambda, scope), { kind: node.op, node, type: node.type });
}

/** How the values of a join are told from the rows of one side, where the other is a scalar, or from the pairs of rows of both. */
function pairing(
  run: LoweringContext,
  node: NodeOf<"join" | "merge">,
  left: Relation,
  right: Relation,
): Deriving {
  const [a, b] = [`a.${run.names.value}`, `b.${run.names.value}`];
  const isSingle = ({ type, keys }: Relation): boolean => type.isScalar && keys.length === 0;
  if (isSingle(left) || isSingle(right)) {
    const [base, single] = isSingle(right) ? [left, right] : [right, left];
    const own = column(a);
    const only = column(`${scalarAlias(single)}.${run.names.value}`);
    const [first, second] = isSingle(right) ? [own, only] : [only, own];
    return (value) => ({
      base,
      value: substituted(substituted(value, a, first), b, second),
      scalars: [single],
      hasWindows: false,
    });
  }
  const [one, other] = [farthestOf(run, left), farthestOf(run, right)];
  const { base, columns } = pairsOf(run, node, one.base, other.base);
  const first = substituted(one.value, a, column(columns[0]));
  const second = substituted(other.value, a, column(columns[1]));
  return (value) => ({
    base,
    value: substituted(substituted(value, a, first), b, second),
    scalars: [],
    hasWindows: false,
  });
}

/** The pairs of rows of two relations, and the columns of their values. */
function pairsOf(
  run: LoweringContext,
  node: NodeOf<"join" | "merge">,
  left: Relation,
  right: Relation,
): { readonly base: Relation; readonly columns: readonly [string, string] } {
  const { names } = run;
  const columns = [`a.${names.value}`, `a.${names.other}`] as const;
  const reverse = run.pairs.get(`${right.name} ${left.name}`);
  if (reverse !== undefined) return { base: reverse, columns: [columns[1], columns[0]] };
  const key = `${left.name} ${right.name}`;
  const cached = run.pairs.get(key);
  if (cached !== undefined) return { base: cached, columns };
  const keys = unionOfKeys(left.keys, right.keys);
  const texts = keyTextsOf([left, "a"], [right, "b"]);
  const query: SelectQuery = {
    columns: [
      ...columnsAt(keyColumns(keys), texts),
      ...sharedColumns(run, node, left),
      [`a.${names.value}`, names.value],
      [`b.${names.value}`, names.other],
    ],
    from: `${left.name} AS a`,
    joins: [joinText(`${right.name} AS b`, onShared(run, left, right))],
  };
  const pairs = run.emit("matched", query, node.type, keys, node);
  const matchedOnce = isMatchedOnce(left, right)
    ? { name: left.name, column: columns[0] }
    : isMatchedOnce(right, left)
      ? { name: right.name, column: columns[1] }
      : undefined;
  const base = matchedOnce === undefined ? pairs : { ...pairs, matchedOnce };
  run.pairs.set(key, base);
  return { base, columns };
}

/** Whether each row of a relation has one partner in another: a block that has all of its indexes. */
const isMatchedOnce = ({ type }: Relation, other: Relation): boolean =>
  other.keys.length === 0 &&
  other.type.isDense &&
  other.type.isBound &&
  other.type.dimensions.every(({ name, size }) => type.dimension(name)?.size === size);

/** The dimensions of a join, each of the left side where that has it. */
const sharedColumns = (
  { names }: LoweringContext,
  { type }: NodeOf<"join" | "merge">,
  left: Relation,
): NamedColumn[] =>
  type.dimensions.map(({ name }): NamedColumn => {
    const text = names.dimension(name);
    return [`${left.type.dimension(name) === undefined ? "b" : "a"}.${text}`, text];
  });

/** The lambda for pairs of rows that are found by a join. */
function matched(
  run: LoweringContext,
  node: NodeOf<"join" | "merge">,
  left: Relation,
  right: Relation,
  scope: SqlScope,
  deriving: Deriving | undefined,
): Relation {
  const { names } = run;
  // A tensor with itself: each cell meets itself alone.
  const isSame = left.name === right.name;
  const source: ExpressionSource = {
    from: `${left.name} AS a`,
    joins: isSame ? [] : [joinText(`${right.name} AS b`, onShared(run, left, right))],
    columns: sharedColumns(run, node, left),
    keys: unionOfKeys(left.keys, right.keys),
    keyTexts: keyTextsOf([left, "a"], [right, isSame ? "a" : "b"]),
    parameters: [`a.${names.value}`, `${isSame ? "a" : "b"}.${names.value}`],
    deriving,
  };
  return called(run, source, lambdaCalls(node.lambda, scope), { kind: node.op, node, type: node.type });
}

/** merge: the cells of both sides; where both have one, the lambda decides. */
export function merge(run: LoweringContext, node: NodeOf<"merge">, scope: SqlScope): Relation {
  const sides = [run.relation(node.left, scope), run.relation(node.right, scope)] as const;
  const common = isPlain(node.lambda.body, 1) ? commonRows(run, sides[0], sides[1]) : undefined;
  if (common !== undefined) return ofCommonRows(run, node, common, scope);
  const keys = unionOfKeys(sides[0].keys, sides[1].keys);
  const [left, right] = [
    within(run, node, widened(run, sides[0], keys, node)),
    within(run, node, widened(run, sides[1], keys, node)),
  ];
  if (node.type.isScalar) return paired(run, node, left, right, scope);
  const isUnbound = [left, right].some(({ type }) => !type.isBound);
  const merged = isJoinable(run.dialect, node.lambda.body, 1)
    ? fullJoined(run, node, left, right, scope)
    : separately(run, node, left, right, scope);
  return isUnbound ? completed(run, merged, node) : merged;
}

/** One pass over both sides. */
function fullJoined(
  run: LoweringContext,
  node: NodeOf<"merge">,
  left: Relation,
  right: Relation,
  scope: SqlScope,
): Relation {
  const { names, dialect } = run;
  const either = (name: string): string => `coalesce(a.${name}, b.${name})`;
  const keyNames = keyColumns(left.keys);
  const columns = node.type.dimensions.map(({ name }): NamedColumn => {
    const column = names.dimension(name);
    return [either(column), column];
  });
  const [fromLeft, fromRight] = [mergeColumn(run, "left"), mergeColumn(run, "right")];
  const source: ExpressionSource = {
    from: `${left.name} AS a`,
    joins: [joinText(`${right.name} AS b`, onShared(run, left, right), dialect.fullJoin)],
    columns: [...columns, [`a.${names.value}`, fromLeft], [`b.${names.value}`, fromRight]],
    keys: left.keys,
    keyTexts: new Map(keyNames.map((name) => [name, either(name)])),
    parameters: [`a.${names.value}`, `b.${names.value}`],
  };
  const both = called(run, source, lambdaCalls(node.lambda, scope), { kind: "both", node, type: node.type });
  const value = `CASE WHEN m.${fromLeft} IS NULL THEN m.${fromRight} WHEN m.${fromRight} IS NULL THEN m.${fromLeft} ELSE m.${names.value} END`;
  const query: SelectQuery = {
    columns: [
      ...keyNamedColumns(both, "m"),
      ...dimensionColumns(run, node.type.dimensions, "m"),
      [value, names.value],
    ],
    from: `${both.name} AS m`,
  };
  return run.emit("merge", query, node.type, left.keys, node);
}

const mergeColumn = ({ names }: LoweringContext, side: string): string => names.fresh(`${side}_value`);

/** The pairs by themselves, and what each side has alone: a lambda that is more than arithmetic is called for pairs only. */
function separately(
  run: LoweringContext,
  node: NodeOf<"merge">,
  left: Relation,
  right: Relation,
  scope: SqlScope,
): Relation {
  const { names } = run;
  const pairs = paired(run, node, left, right, scope);
  const alone = (one: Relation, other: Relation): SelectQuery => ({
    columns: cellColumns(run, one, node.type.dimensions),
    from: `${one.name} AS a`,
    joins: [joinText(`${other.name} AS b`, onShared(run, one, other), "LEFT JOIN")],
    where: [`b.${names.value} IS NULL`],
  });
  const all: SelectQuery = {
    columns: cellColumns(run, pairs, node.type.dimensions),
    from: `${pairs.name} AS a`,
  };
  const union = [all, alone(left, right), alone(right, left)];
  return storedCells(run, node, run.emit("merge", { union }, node.type, left.keys, node));
}

/** The cells of a side of a merge that the type of the result has room for. */
function within(run: LoweringContext, node: NodeOf<"merge">, side: Relation): Relation {
  const where = node.type.indexed.flatMap(({ name, size }) =>
    size !== undefined && side.type.dimension(name)?.size !== size
      ? [`a.${run.names.dimension(name)} < ${run.dialect.integer(size)}`]
      : [],
  );
  if (where.length === 0) return side;
  const columns = cellColumns(run, side, side.type.dimensions);
  return run.emit("cut", { columns, from: `${side.name} AS a`, where }, side.type, side.keys, node);
}

/** The blocks of a join or a concat: pairs of rows that agree in the mapped dimensions that both sides have. */
export function pairRows(
  run: LoweringContext,
  node: NodeOf<"join" | "concat">,
  left: Relation,
  right: Relation,
): BlockRows | undefined {
  const [a, b] = [blockRows(run, left, node), blockRows(run, right, node)];
  if (a === undefined || b === undefined) return a ?? b;
  const shared = a.columns.filter((name) => b.columns.includes(name));
  const others = b.columns.filter((name) => !shared.includes(name));
  if (others.length === 0 && shared.length === a.columns.length && left.type.isDense && right.type.isDense)
    return a;
  const query: SelectQuery = {
    columns: [
      ...a.columns.map((name): NamedColumn => [`a.${name}`, name]),
      ...others.map((name): NamedColumn => [`b.${name}`, name]),
    ],
    from: `${a.name} AS a`,
    joins: [
      joinText(
        `${b.name} AS b`,
        shared.map((name) => `a.${name} = b.${name}`),
      ),
    ],
  };
  const keys = unionOfKeys(left.keys, right.keys);
  const { name } = run.emit("pairs", query, node.type, keys, node);
  return { name, columns: [...a.columns, ...others] };
}
