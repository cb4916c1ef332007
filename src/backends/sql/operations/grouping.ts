import type { Node } from "../../../language/core/operations.js";
import { mapTuple } from "../../../language/source/lists.js";
import type { LoweringContext } from "../context.js";
import { type CommonRows, commonRows, derivationsOf, scalarAlias } from "../expressions/derivations.js";
import {
  callsIn,
  column,
  isStoredIn,
  type ScalarExpression,
  substituted,
  textOf,
} from "../expressions/scalar-expression.js";
import { dimensionColumns, joinText, keyNamedColumns } from "../joins.js";
import { type Derivation, type GroupedRows, keyColumns, type Relation } from "../relation.js";

/** So many parts a term of a sum has at most that stands in one query with another. */
const mostCalls = 8;

/**
 * Two reductions of the same rows to the same groups as one query for both, as `sum(price * amount, day) / sum(amount, day)`; nothing
 * where the sides of a join are anything else.
 */
export function groupedTogether(
  run: LoweringContext,
  node: Node,
  left: Relation,
  right: Relation,
): CommonRows | undefined {
  const [one, other] = mapTuple([left, right], (side) => reducedIn(run, side));
  if (one === undefined || other === undefined || one.base.name === other.base.name) return undefined;
  const base = bothReduced(run, node, one.base, other.base);
  if (base === undefined) return undefined;
  const { value, other: second } = run.names;
  return {
    base,
    values: [one.value, substituted(other.value, `a.${value}`, column(`a.${second}`))],
    scalars: [...new Set([...one.scalars, ...other.scalars])],
    hasWindows: one.hasWindows || other.hasWindows,
  };
}

type ReducedRows = Derivation & { readonly base: Relation & { readonly grouped: GroupedRows } };

const reducedIn = (run: LoweringContext, side: Relation): ReducedRows | undefined =>
  derivationsOf(run, side).find(
    (each): each is ReducedRows => each.base.grouped !== undefined && !each.hasWindows,
  );

/** The groups with the values of both reductions. */
function bothReduced(
  run: LoweringContext,
  node: Node,
  one: ReducedRows["base"],
  other: ReducedRows["base"],
): Relation | undefined {
  const key = `${one.name} ${other.name}`;
  const cached = run.pairs.get(key);
  if (cached !== undefined) return cached;
  const { type, keys } = one;
  const [columns, others] = mapTuple([one, other], (each) =>
    [...each.type.names, ...keyColumns(each.keys)].join(),
  );
  if (columns !== others) return undefined;
  const rows = sameRows(run, one.grouped.rows, other.grouped.rows);
  if (rows === undefined || rows.hasWindows) return undefined;
  const [first, second] = mapTuple(rows.values, plainText);
  if (first === undefined || second === undefined) return undefined;
  const address = [...keyNamedColumns(one, "a"), ...dimensionColumns(run, type.dimensions, "a")];
  const query = {
    columns: [
      ...address,
      [one.grouped.text(first), run.names.value] as const,
      [other.grouped.text(second), run.names.other] as const,
    ],
    from: `${rows.base.name} AS a`,
    joins: rows.scalars.map((each) => joinText(`${each.name} AS ${scalarAlias(each)}`, [])),
    groupBy: address.map(([text]) => text),
  };
  const relation = run.emit("grouped", query, type, keys, node);
  run.pairs.set(key, relation);
  return relation;
}

/** The rows that two relations come from, or pairs that have each row of one of them once. */
function sameRows(run: LoweringContext, left: Relation, right: Relation): CommonRows | undefined {
  const common = commonRows(run, left, right) ?? inPairs(run, left, right);
  if (common !== undefined) return common;
  const reverse = inPairs(run, right, left);
  return reverse && { ...reverse, values: [reverse.values[1], reverse.values[0]] };
}

/** The pairs that the left side comes from, where they have the rows of the right one. */
function inPairs(run: LoweringContext, left: Relation, right: Relation): CommonRows | undefined {
  const others = derivationsOf(run, right);
  for (const one of derivationsOf(run, left)) {
    const { matchedOnce } = one.base;
    const other = others.find(({ base }) => base.name === matchedOnce?.name);
    if (matchedOnce === undefined || other === undefined) continue;
    const value = substituted(other.value, `a.${run.names.value}`, column(matchedOnce.column));
    return {
      base: one.base,
      values: [one.value, value],
      scalars: [...new Set([...one.scalars, ...other.scalars])],
      hasWindows: one.hasWindows || other.hasWindows,
    };
  }
  return undefined;
}

/** The text of an expression that takes no query before it. */
function plainText(value: ScalarExpression): string | undefined {
  const calls = callsIn(value);
  if (calls.length > mostCalls || [...isStoredIn(value, calls).values()].includes(true)) return undefined;
  return textOf(value, calls);
}
