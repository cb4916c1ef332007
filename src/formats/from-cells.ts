import type { TensorType } from "../language/types/type.js";
import { indexIn } from "../language/values/address.js";
import { element } from "../language/values/element.js";
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
  const { rowOfCell, count } = rowsOfCells(cells);
  const total = (type.isDense ? 1 : count) * blockCells;
  if (total > Math.max(mostCells, cells.length)) return void problems.ofSize(total);
  const rows = new Rows(type, sizes);
  const strides = stridesOf(sizes);
  const blocks: Float64Array[] = [];
  const locations = new Map<number, Location>();
  for (const [at, { labels, indexes, value, location }] of cells.entries()) {
    const row = element(rowOfCell, at);
    const offset = indexes.reduce((sum, index, at) => sum + index * (strides[at] ?? 1), 0);
    const cell = row * blockCells + offset;
    const earlier = locations.get(cell);
    if (earlier !== undefined) problems.ofRepeat(location, earlier);
    locations.set(cell, location);
    blocks[row] ??= rows.block(labels);
    blocks[row][offset] = value;
  }
  return Tensor.ofRows(rows);
}

/** The row of each cell, in the order in which their labels first appear, and how many there are. */
function rowsOfCells(cells: readonly LocatedCell<unknown>[]): {
  rowOfCell: readonly number[];
  count: number;
} {
  const rows = new Map<string, number>();
  const rowOfCell = cells.map(({ labels }) => {
    const key = labelKey(labels);
    const row = rows.get(key) ?? rows.size;
    if (row === rows.size) rows.set(key, row);
    return row;
  });
  return { rowOfCell, count: rows.size };
}

/** The index that a label is: whole, below the size where there is one; nothing for any other label. */
export function indexOf(label: string, size: number | undefined): number | undefined {
  const index = indexIn(label);
  return index !== undefined && index < (size ?? Number.POSITIVE_INFINITY) ? index : undefined;
}

/** What an index of a dimension must be, in words. */
export const indexText = (size: number | undefined): string =>
  size === undefined ? "an index from 0" : `an index from 0 to ${size - 1}`;
