import { element, intAt } from "../../../language/values/element.js";
import { Dictionary } from "../../../language/values/labels/dictionary.js";
import { LabelIndex } from "../../../language/values/labels/label-index.js";

/**
 * The rows of some mapped dimensions: an index, and whose labels its columns are. A sparse tensor has one, a product of
 * sparse tensors that share nothing may keep several. Names are distinct. A factor is canonical when they are in
 * canonical order, by code units.
 */
export interface Factor {
  /** Of the columns, in their order. */
  readonly names: readonly string[];
  readonly index: LabelIndex;
}

/** For each row of a result the row that it comes from; undefined where row `r` comes from row `r`, and all are there. */
export type RowMap = Int32Array | undefined;

/** Asked before so many rows are made; throws where they are too many. */
export type Allow = (rows: number) => void;

export const allowAll: Allow = () => {};

/** Without any row. */
export function emptyFactor(names: readonly string[]): Factor {
  const column = new Int32Array(0);
  const dictionaries = names.map(() => Dictionary.none);
  return {
    names,
    index: new LabelIndex(
      dictionaries,
      names.map(() => column),
      0,
    ),
  };
}

export const sameNames = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name, at) => name === right[at]);

/** Names in canonical order. */
export const sortedNames = (names: readonly string[]): string[] => [...names].sort();

export const isCanonical = (names: readonly string[]): boolean =>
  names.every((name, at) => at === 0 || element(names, at - 1) < name);

/** The positions of names among a factor's columns. */
export const columnPositions = (factor: Factor, names: readonly string[]): number[] =>
  names.map((name) => factor.names.indexOf(name));

/** Some items of a list, in any order. */
export function pick<Item extends object>(items: readonly Item[], positions: readonly number[]): Item[] {
  return positions.map((position) => element(items, position));
}

/** The values at the rows of a map. */
export function take(values: Int32Array, rows: RowMap): Int32Array {
  if (rows === undefined) return values;
  const result = new Int32Array(rows.length);
  for (let row = 0; row < rows.length; row++) result[row] = intAt(values, intAt(rows, row));
  return result;
}

/** The row of the first map at each row of the second. */
export const compose = (first: RowMap, second: RowMap): RowMap =>
  first === undefined ? second : take(first, second);

/** Rows of an index, which are distinct and rise, or are in an order that suits its columns. */
export function takeRows(index: LabelIndex, rows: RowMap): LabelIndex {
  if (rows === undefined) return index;
  return new LabelIndex(
    index.dictionaries,
    index.columns.map((column) => take(column, rows)),
    rows.length,
  );
}

/** The first so many values, without keeping much more of an array than that. */
export function trimmed(values: Int32Array, count: number): Int32Array {
  if (count === values.length) return values;
  return count * 4 >= values.length * 3 ? values.subarray(0, count) : values.slice(0, count);
}
