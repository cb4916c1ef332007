import { byteAt, intAt } from "../../../language/values/element.js";
import { LabelIndex } from "../../../language/values/labels/label-index.js";
import { orderOf } from "./canonical.js";
import {
  columnPositions,
  type Factor,
  pick,
  type RowMap,
  sortedNames,
  take,
  takeRows,
  trimmed,
} from "./factor.js";
import { smallKeys } from "./keys.js";
import { Memo } from "./memo.js";

/** The rows of a factor by what they have in some of its dimensions. */
export interface Grouping {
  /** The dimensions that rows are grouped by, canonical: one row for each group. */
  readonly factor: Factor;
  /** The group of each row. */
  readonly groups: Int32Array;
  /** How many rows each group has: at least one. */
  readonly counts: Int32Array;
  /** Whether the rows of each group lie together, so that groups never fall from row to row. */
  readonly isContiguous: boolean;
}

/** Groups the rows by some of the factor's dimensions. Without any there is one group, if any row. */
export function groupBy(factor: Factor, dimensions: readonly string[]): Grouping {
  const names = sortedNames(dimensions);
  const { index, ...grouped } = groupsOf(factor.index, columnPositions(factor, names));
  return { factor: { names, index }, ...grouped };
}

interface IndexGroups extends Omit<Grouping, "factor"> {
  readonly index: LabelIndex;
}

const memo = new Memo<IndexGroups>();

function groupsOf(index: LabelIndex, positions: readonly number[]): IndexGroups {
  return memo.for(index, positions.join(), () => {
    const dictionaries = pick(index.dictionaries, positions);
    const projected = new LabelIndex(dictionaries, pick(index.columns, positions), index.rows);
    if (positions.every((position, at) => position === at))
      return { ...bySorting(projected, undefined), isContiguous: true };
    const sizes = dictionaries.map(({ size }) => size);
    const keys = smallKeys(projected, sizes, Math.max(4096, 4 * index.rows));
    const grouped =
      keys === undefined
        ? bySorting(projected, orderOf(index, positions))
        : byCounting(projected, keys, sizes);
    return { ...grouped, isContiguous: false };
  });
}

type Grouped = Omit<IndexGroups, "isContiguous">;

/** Groups of rows that lie together in an order, or as they stand. */
function bySorting(projected: LabelIndex, order: RowMap): Grouped {
  const { columns, rows } = projected;
  const [first = new Int32Array(rows), ...others] = columns.map((column) => take(column, order));
  const sortedGroups = new Int32Array(rows);
  const ends = new Int32Array(rows);
  const count = numbered(first, startsIn(others, rows), sortedGroups, ends);
  if (count === rows && order === undefined)
    return { index: projected, groups: sortedGroups, counts: new Int32Array(rows).fill(1) };
  const [counts, firsts] = [new Int32Array(count), new Int32Array(count)];
  for (let group = 0; group < count; group++) {
    const start = group === 0 ? 0 : intAt(ends, group - 1);
    counts[group] = intAt(ends, group) - start;
    firsts[group] = order === undefined ? start : intAt(order, start);
  }
  const index = takeRows(projected, firsts);
  if (order === undefined) return { index, groups: sortedGroups, counts };
  const groups = new Int32Array(rows);
  for (let at = 0; at < rows; at++) groups[intAt(order, at)] = intAt(sortedGroups, at);
  return { index, groups, counts };
}

/** A 1 for each row that differs from the row before it in any of the columns; nothing where there is no column. */
function startsIn(columns: readonly Int32Array[], rows: number): Uint8Array | undefined {
  if (columns.length === 0) return undefined;
  const starts = new Uint8Array(rows);
  for (const column of columns)
    for (let row = 1; row < rows; row++)
      starts[row] = byteAt(starts, row) | +(column[row] !== column[row - 1]);
  return starts;
}

/** Numbers rows by their groups, and writes down where each group ends; how many groups there are. */
function numbered(
  first: Int32Array,
  starts: Uint8Array | undefined,
  groups: Int32Array,
  ends: Int32Array,
): number {
  let [group, last] = [-1, -1];
  for (let row = 0; row < groups.length; row++) {
    const id = intAt(first, row);
    const isNew = +(id !== last);
    group += starts === undefined || row === 0 ? isNew : isNew | byteAt(starts, row);
    groups[row] = group;
    ends[group] = row + 1;
    last = id;
  }
  return group + 1;
}

/** Groups by a table of all keys there could be. */
function byCounting(projected: LabelIndex, keys: Int32Array, sizes: readonly number[]): Grouped {
  const box = sizes.reduce((count, size) => count * size, 1);
  const rowsOf = new Int32Array(box);
  for (let row = 0; row < keys.length; row++) {
    const key = intAt(keys, row);
    rowsOf[key] = intAt(rowsOf, key) + 1;
  }
  const present = new Int32Array(box + 1);
  let count = 0;
  for (let key = 0; key < box; key++) {
    present[count] = key;
    count += +(intAt(rowsOf, key) > 0);
  }
  const presentKeys = trimmed(present, count);
  const index = new LabelIndex(projected.dictionaries, unpacked(presentKeys, sizes), count);
  // Where every key is there, keys are groups.
  if (count === box) return { index, groups: keys, counts: rowsOf };
  const counts = new Int32Array(count);
  for (let group = 0; group < count; group++) {
    const key = intAt(presentKeys, group);
    counts[group] = intAt(rowsOf, key);
    rowsOf[key] = group;
  }
  const groups = new Int32Array(keys.length);
  for (let row = 0; row < keys.length; row++) groups[row] = intAt(rowsOf, intAt(keys, row));
  return { index, groups, counts };
}

/** The ids of keys. */
function unpacked(keys: Int32Array, sizes: readonly number[]): Int32Array[] {
  let stride = sizes.reduce((count, size) => count * size, 1);
  return sizes.map((size) => {
    stride = size === 0 ? 1 : stride / size;
    if (sizes.length === 1) return keys;
    const column = new Int32Array(keys.length);
    for (let row = 0; row < keys.length; row++) column[row] = Math.floor(intAt(keys, row) / stride) % size;
    return column;
  });
}

/** The rows of each group, one group after the other. */
export interface Segments {
  /** Where each group starts, and at the end how many rows there are. */
  readonly starts: Int32Array;
  /** The rows, rising within each group; undefined where row `r` is at position `r`. */
  readonly rows: RowMap;
}

const segmented = new WeakMap<Int32Array, Segments>();

export function segmentsOf(grouping: Grouping): Segments {
  const cached = segmented.get(grouping.counts);
  if (cached !== undefined) return cached;
  const segments = segmentsIn(grouping);
  segmented.set(grouping.counts, segments);
  return segments;
}

function segmentsIn({ groups, counts, isContiguous }: Grouping): Segments {
  const starts = new Int32Array(counts.length + 1);
  for (let group = 0; group < counts.length; group++)
    starts[group + 1] = intAt(starts, group) + intAt(counts, group);
  if (isContiguous) return { starts, rows: undefined };
  const rows = new Int32Array(groups.length);
  const next = starts.slice();
  for (let row = 0; row < groups.length; row++) {
    const group = intAt(groups, row);
    const position = intAt(next, group);
    next[group] = position + 1;
    rows[position] = row;
  }
  return { starts, rows };
}

/** The rows, rising, of those groups that have a number of at least 0; undefined where these are all. */
export function rowsIn(grouping: Grouping, marks: Int32Array): RowMap {
  const { groups, counts } = grouping;
  let rows = 0;
  for (let group = 0; group < counts.length; group++)
    if (intAt(marks, group) >= 0) rows += intAt(counts, group);
  if (rows === groups.length) return undefined;
  return rows * 16 < groups.length ? pickGroups(grouping, marks, rows) : filterAll(groups, marks, rows);
}

function filterAll(groups: Int32Array, marks: Int32Array, rows: number): Int32Array {
  const found = new Int32Array(rows + 1);
  let count = 0;
  for (let row = 0; row < groups.length; row++) {
    found[count] = row;
    count += +(intAt(marks, intAt(groups, row)) >= 0);
  }
  return found.subarray(0, rows);
}

/** Few rows: one group after the other. */
function pickGroups(grouping: Grouping, marks: Int32Array, rows: number): Int32Array {
  const { starts, rows: segmentRows } = segmentsOf(grouping);
  const found = new Int32Array(rows);
  let count = 0;
  for (let group = 0; group < marks.length; group++) {
    if (intAt(marks, group) < 0) continue;
    for (let position = intAt(starts, group); position < intAt(starts, group + 1); position++)
      found[count++] = segmentRows === undefined ? position : intAt(segmentRows, position);
  }
  return segmentRows === undefined ? found : found.sort();
}
