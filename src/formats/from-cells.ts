import type { TensorType } from "../language/types/type.js";
import { indexIn } from "../language/values/address.js";
import { labelKey, Rows } from "../language/values/rows.js";
import { cellsOf, stridesOf } from "../language/values/shape.js";
import { Tensor } from "../language/values/tensor.js";

/**
 * Tensors from cells with addresses, in any order, as several formats have them. Absent cells of a dense block
 * are 0; an unbound dimension is as long as its highest index asks.
 */
export interface LocatedCell<Location> {
  /** Of the mapped dimensions, in canonical order. */
  readonly labels: readonly string[];
  readonly indexes: readonly number[];
  readonly value: number;
  readonly location: Location;
}

/** How many cells a few with large indexes may ask for, unless all of them are in the text. */
export const mostCells = 50_000_000;

export interface CellProblems<Location> {
  readonly ofSize: (cells: number) => void;
  readonly ofRepeat: (location: Location, earlier: Location) => void;
}

export function tensorFromCells<Location>(
  cells: readonly LocatedCell<Location>[],
  type: TensorType,
  problems: CellProblems<Location>,
): Tensor | undefined {
  const sizes = type.indexed.map(
    ({ size }, at) =>
      size ?? cells.reduce((longest, { indexes }) => Math.max(longest, (indexes[at] ?? 0) + 1), 0),
  );
  const blockCells = cellsOf(sizes);
  const keys = cells.map(({ labels }) => labelKey(labels));
  const total = (type.isDense ? 1 : new Set(keys).size) * blockCells;
  if (total > Math.max(mostCells, cells.length)) return void problems.ofSize(total);
  const rows = new Rows(type, sizes);
  const strides = stridesOf(sizes);
  const locations = new Map<string, Location>();
  for (const [at, { labels, indexes, value, location }] of cells.entries()) {
    const offset = indexes.reduce((sum, index, at) => sum + index * (strides[at] ?? 1), 0);
    const key = blockCells === 1 ? (keys[at] ?? "") : `${offset} ${keys[at]}`;
    const earlier = locations.get(key);
    if (earlier !== undefined) problems.ofRepeat(location, earlier);
    locations.set(key, location);
    rows.block(labels)[offset] = value;
  }
  return Tensor.ofRows(rows);
}

/** The index that a label is: whole, below the size where there is one; nothing for any other label. */
export function indexOf(label: string, size: number | undefined): number | undefined {
  const index = indexIn(label);
  return index !== undefined && index < (size ?? Number.POSITIVE_INFINITY) ? index : undefined;
}

/** What an index of a dimension must be, in words. */
export const indexText = (size: number | undefined): string =>
  size === undefined ? "an index from 0" : `an index from 0 to ${size - 1}`;
