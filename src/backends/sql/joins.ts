import type { TensorType } from "../../language/types/type.js";
import { entry } from "../../language/values/element.js";
import type { LoweringContext } from "./context.js";
import type { NamedColumn } from "./query.js";
import { keyColumns, type Relation } from "./relation.js";

/** Conditions and columns of joins, by alias. */

/** What makes the row of a relation that of the same calls as the rows so far, whose key columns these are. */
export const onKeys = (relation: Relation, alias: string, keyTexts: ReadonlyMap<string, string>): string[] =>
  keyColumns(relation.keys)
    .filter((name) => keyTexts.has(name))
    .map((name) => `${entry(keyTexts, name)} = ${alias}.${name}`);

/** Where the key columns of relations are read: in the first that has them. */
export function keyTextsOf(...sides: readonly (readonly [Relation, alias: string])[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [relation, alias] of sides) addKeyTexts(texts, relation, alias);
  return texts;
}

/** Adds the key columns of one more relation, save those that are read elsewhere already. */
export function addKeyTexts(texts: Map<string, string>, { keys }: Relation, alias: string): void {
  for (const name of keyColumns(keys)) if (!texts.has(name)) texts.set(name, `${alias}.${name}`);
}

/** Columns that are read where these texts say; one without a text is read by its name alone. */
export const columnsAt = (names: readonly string[], texts: ReadonlyMap<string, string>): NamedColumn[] =>
  names.map((name): NamedColumn => [texts.get(name) ?? name, name]);

/** The dimensions of a type as columns of an alias. */
export const dimensionColumns = (
  { names }: LoweringContext,
  dimensions: TensorType["dimensions"],
  alias: string,
): NamedColumn[] =>
  dimensions.map(({ name }): NamedColumn => [`${alias}.${names.dimension(name)}`, names.dimension(name)]);

export const keyNamedColumns = ({ keys }: Pick<Relation, "keys">, alias: string): NamedColumn[] =>
  keyColumns(keys).map((name): NamedColumn => [`${alias}.${name}`, name]);

/** The keys of a relation, as `a`, with these dimensions and the value. */
export const cellColumns = (
  run: LoweringContext,
  relation: Relation,
  dimensions: TensorType["dimensions"],
): NamedColumn[] => [
  ...keyNamedColumns(relation, "a"),
  ...dimensionColumns(run, dimensions, "a"),
  [`a.${run.names.value}`, run.names.value],
];

/** Keys and dimensions that two relations, `a` and `b`, share are equal. */
export function onShared(
  { names }: LoweringContext,
  left: Relation,
  right: Relation,
  dimensions: (name: string) => boolean = () => true,
): string[] {
  const rightKeys = new Set(keyColumns(right.keys));
  const keys = keyColumns(left.keys).filter((name) => rightKeys.has(name));
  const shared = left.type.dimensions
    .filter(({ name }) => right.type.dimension(name) !== undefined && dimensions(name))
    .map(({ name }) => names.dimension(name));
  return [...keys, ...shared].map((name) => `a.${name} = b.${name}`);
}

export const joinText = (target: string, on: readonly string[], kind = "JOIN"): string =>
  on.length > 0
    ? `${kind} ${target} ON ${on.join(" AND ")}`
    : kind === "JOIN"
      ? `CROSS JOIN ${target}`
      : `${kind} ${target} ON 1 = 1`;
