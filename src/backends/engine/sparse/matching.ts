import { element, intAt } from "../../../language/values/element.js";
import { translation } from "../../../language/values/labels/dictionary.js";
import type { LabelIndex } from "../../../language/values/labels/label-index.js";
import { compose, type RowMap, take, trimmed } from "./factor.js";
import { type Columns, type Keys, keyAt, keysOf } from "./keys.js";
import { PairMemo } from "./memo.js";
import { firstRow } from "./search.js";

/** The rows that two indexes of the same columns have in common, in order. */
export interface Matches {
  readonly rows: number;
  readonly left: RowMap;
  readonly right: RowMap;
}

const memo = new PairMemo<Matches>();

export function matchesOf(left: LabelIndex, right: LabelIndex): Matches {
  if (left === right) return { rows: left.rows, left: undefined, right: undefined };
  return memo.for(left, right, "", () => {
    const { sides, sizes } = unifiedSides(left, right);
    const { rows, left: ours, right: theirs } = matchRows(...sides, sizes);
    return {
      rows,
      left: rows === left.rows ? undefined : compose(sides[0].from, trimmed(ours, rows)),
      right: rows === right.rows ? undefined : compose(sides[1].from, trimmed(theirs, rows)),
    };
  });
}

/** Rows in ids that mean the same on both sides, without those that the other side cannot have. */
interface MatchSide extends Columns {
  readonly from: RowMap;
}

interface UnifiedSides {
  readonly sides: readonly [MatchSide, MatchSide];
  /** What the ids of each column are below. */
  readonly sizes: readonly number[];
}

/** For each column the smaller dictionary's ids become the larger one's: few labels among many are soon found. */
function unifiedSides(left: LabelIndex, right: LabelIndex): UnifiedSides {
  const [leftIds, rightIds, sizes]: [RowMap[], RowMap[], number[]] = [[], [], []];
  for (const [at, ours] of left.dictionaries.entries()) {
    const theirs = element(right.dictionaries, at);
    const isLeft = ours.size <= theirs.size;
    leftIds.push(isLeft ? translation(ours, theirs) : undefined);
    rightIds.push(isLeft ? undefined : translation(theirs, ours));
    sizes.push(Math.max(ours.size, theirs.size));
  }
  return { sides: [translated(left, leftIds), translated(right, rightIds)], sizes };
}

function translated({ columns, rows }: LabelIndex, ids: readonly RowMap[]): MatchSide {
  if (ids.every((each) => each === undefined)) return { columns, rows, from: undefined };
  const others = columns.map((column, at) => {
    const mapping = ids[at];
    return mapping === undefined ? column : take(mapping, column);
  });
  const matching = new Int32Array(rows);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    matching[count] = row;
    count += +others.every((column) => intAt(column, row) >= 0);
  }
  if (count === rows) return { columns: others, rows, from: undefined };
  const from = trimmed(matching, count);
  return { columns: others.map((column) => take(column, from)), rows: count, from };
}

interface RowPairs {
  readonly rows: number;
  /** As many as `rows`, and then anything. */
  readonly left: Int32Array;
  readonly right: Int32Array;
}

/** How many times as many rows one side must have for the other's to be searched in it one by one. */
const searchRatio = 32;

function matchRows(left: Columns, right: Columns, sizes: readonly number[]): RowPairs {
  if (left.rows * searchRatio < right.rows) return matchBySearch(left, right);
  if (right.rows * searchRatio < left.rows) {
    const { rows, left: theirs, right: ours } = matchBySearch(right, left);
    return { rows, left: ours, right: theirs };
  }
  const most = Math.min(left.rows, right.rows);
  const [ours, theirs] = [new Int32Array(most + 1), new Int32Array(most + 1)];
  const { left: keys, right: others, count } = keysOf(left, right, sizes);
  const isNarrow = keys instanceof Int32Array && others instanceof Int32Array;
  const rows =
    isNarrow && count <= 2 * (left.rows + right.rows)
      ? matchByTable(keys, others, count, ours, theirs)
      : isNarrow
        ? matchByMerge(keys, others, ours, theirs)
        : matchByWideMerge(keys, others, ours, theirs);
  return { rows, left: ours, right: theirs };
}

/** Few rows among many: each is searched, column by column. */
function matchBySearch(few: Columns, many: Columns): RowPairs {
  const [ours, theirs] = [new Int32Array(few.rows), new Int32Array(few.rows)];
  let [rows, start] = [0, 0];
  for (let row = 0; row < few.rows; row++) {
    let [from, to] = [start, many.rows];
    for (const [at, column] of few.columns.entries()) {
      const [id, others] = [intAt(column, row), element(many.columns, at)];
      from = firstRow(others, id, from, to);
      to = firstRow(others, id + 1, from, to);
    }
    start = from;
    if (from === to) continue;
    ours[rows] = row;
    theirs[rows++] = from;
  }
  return { rows, left: ours, right: theirs };
}

/** By a table of the right row of each key. */
function matchByTable(
  left: Int32Array,
  right: Int32Array,
  keys: number,
  ours: Int32Array,
  theirs: Int32Array,
): number {
  const rowOf = new Int32Array(keys);
  for (let row = 0; row < right.length; row++) rowOf[intAt(right, row)] = row + 1;
  let count = 0;
  // Every row is written down, and written over where it has no match: that takes no branch to foretell.
  for (let row = 0; row < left.length; row++) {
    const other = intAt(rowOf, intAt(left, row));
    ours[count] = row;
    theirs[count] = other - 1;
    count += +(other > 0);
  }
  return count;
}

/** By walking both sides at once, without a branch to foretell either. */
function matchByMerge(left: Int32Array, right: Int32Array, ours: Int32Array, theirs: Int32Array): number {
  let [row, other, count] = [0, 0, 0];
  while (row < left.length && other < right.length) {
    const key = intAt(left, row);
    const otherKey = intAt(right, other);
    ours[count] = row;
    theirs[count] = other;
    count += +(key === otherKey);
    row += +(key <= otherKey);
    other += +(otherKey <= key);
  }
  return count;
}

/** The same for keys of any kind; apart, since an engine makes better code of a function for one kind of array. */
function matchByWideMerge(left: Keys, right: Keys, ours: Int32Array, theirs: Int32Array): number {
  let [row, other, count] = [0, 0, 0];
  while (row < left.length && other < right.length) {
    const key = keyAt(left, row);
    const otherKey = keyAt(right, other);
    ours[count] = row;
    theirs[count] = other;
    count += +(key === otherKey);
    row += +(key <= otherKey);
    other += +(otherKey <= key);
  }
  return count;
}
