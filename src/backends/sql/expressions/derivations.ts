import { element } from "../../../language/values/element.js";
import type { LoweringContext } from "../context.js";
import type { Derivation, Relation } from "../relation.js";
import { callsIn, column, type ScalarExpression, substituted } from "./scalar-expression.js";

/**
 * Values that are computed cell by cell are expressions of the rows that they are computed from. Two relations that come from the same
 * rows are joined by none: both of their values are expressions of a row.
 */

/** How the values of a relation are told from the rows of another, where each has a value of a row. */
export type Deriving = (value: ScalarExpression) => Derivation;

/** From each row of a relation. */
export const fromEach =
  (base: Relation): Deriving =>
  (value) => ({ base, value, scalars: [], hasWindows: false });

/** From each row of a relation, and from those around it. */
export const fromWindows =
  (base: Relation): Deriving =>
  (value) => ({ ...fromEach(base)(value), hasWindows: true });

/** What a scalar relation is called that is joined to the rows of another. */
export const scalarAlias = ({ name }: Relation): string => `of_${name}`;

/** So many parts an expression has at most that is written once more. */
const mostCalls = 32;

/** The relations with the same rows, the relation itself first, and its values as expressions of theirs. */
export function derivationsOf({ names }: LoweringContext, relation: Relation): readonly Derivation[] {
  const value = `a.${names.value}`;
  const found: Derivation[] = [fromEach(relation)(column(value))];
  for (;;) {
    const last = element(found, found.length - 1);
    const { derivation } = last.base;
    // A window is over columns that have names.
    if (derivation === undefined || last.hasWindows) return found;
    const composed = substituted(last.value, value, derivation.value);
    if (callsIn(composed).length > mostCalls) return found;
    const scalars = [...new Set([...last.scalars, ...derivation.scalars])];
    found.push({ ...derivation, value: composed, scalars });
  }
}

/** Rows that two relations have in common, and the values of both as expressions of a row. */
export interface CommonRows extends Omit<Derivation, "value"> {
  readonly values: readonly [ScalarExpression, ScalarExpression];
}

/** The nearest rows that both come from. */
export function commonRows(run: LoweringContext, left: Relation, right: Relation): CommonRows | undefined {
  const others = new Map(derivationsOf(run, right).map((each) => [each.base.name, each]));
  for (const one of derivationsOf(run, left)) {
    const other = others.get(one.base.name);
    if (other === undefined) continue;
    return {
      base: one.base,
      values: [one.value, other.value],
      scalars: [...new Set([...one.scalars, ...other.scalars])],
      hasWindows: one.hasWindows || other.hasWindows,
    };
  }
  return undefined;
}

/** The farthest of these rows of which only the values are looked at. */
export function farthestOf(run: LoweringContext, relation: Relation): Derivation {
  const value = `a.${run.names.value}`;
  const isOfValues = (expression: ScalarExpression): boolean =>
    columnsOf(expression).every((each) => each === value);
  const found = derivationsOf(run, relation).findLast(
    (each) => each.scalars.length === 0 && !each.hasWindows && isOfValues(each.value),
  );
  return found ?? fromEach(relation)(column(value));
}

const columnsOf = (root: ScalarExpression): readonly string[] =>
  [root, ...callsIn(root).flatMap(({ parameters }) => parameters)].flatMap((each) =>
    each.kind === "column" ? [each.text] : [],
  );
