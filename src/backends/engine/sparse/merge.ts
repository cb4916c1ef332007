import { element, intAt } from "../../../language/values/element.js";
import { LabelIndex } from "../../../language/values/labels/label-index.js";
import { align } from "./aligned.js";
import { canonical } from "./canonical.js";
import { type Allow, allowAll, compose, type Factor, type RowMap, trimmed } from "./factor.js";
import type { Joined } from "./join.js";
import { type Keys, keyAt } from "./keys.js";
import { PairMemo } from "./memo.js";

/**
 * The rows of either of two factors of the same dimensions; canonical. Where a side has no such row, its row is -1. Where
 * the result has just the rows of one of them, it has its index.
 */
export function mergeFactors(left: Factor, right: Factor, allow: Allow = allowAll): Joined {
  const [ours, theirs] = [canonical(left), canonical(right)];
  const merged = mergedOf(ours.factor.index, theirs.factor.index);
  allow(merged.index.rows);
  return {
    factor: { names: ours.factor.names, index: merged.index },
    leftRows: composeMissing(ours.order, merged.leftRows),
    rightRows: composeMissing(theirs.order, merged.rightRows),
  };
}

interface Merged {
  readonly index: LabelIndex;
  readonly leftRows: RowMap;
  readonly rightRows: RowMap;
}

const memo = new PairMemo<Merged>();

function mergedOf(left: LabelIndex, right: LabelIndex): Merged {
  if (left === right) return { index: left, leftRows: undefined, rightRows: undefined };
  return memo.for(left, right, "", () => {
    const aligned = align(left, right);
    const { left: keys, right: others } = aligned.keys;
    const most = keys.length + others.length;
    const [leftRows, rightRows] = [new Int32Array(most), new Int32Array(most)];
    const rows = mergeRows(keys, others, leftRows, rightRows);
    const [ours, theirs] = [trimmed(leftRows, rows), trimmed(rightRows, rows)];
    if (rows === left.rows)
      return { index: left, leftRows: undefined, rightRows: rows === right.rows ? undefined : theirs };
    if (rows === right.rows) return { index: right, leftRows: ours, rightRows: undefined };
    const columns = aligned.left.map((column, at) =>
      mergeIds(column, ours, element(aligned.right, at), theirs),
    );
    return { index: new LabelIndex(aligned.dictionaries, columns, rows), leftRows: ours, rightRows: theirs };
  });
}

function mergeRows(left: Keys, right: Keys, ours: Int32Array, theirs: Int32Array): number {
  let [row, other, count] = [0, 0, 0];
  while (row < left.length && other < right.length) {
    const key = keyAt(left, row);
    const otherKey = keyAt(right, other);
    const isOurs = +(key <= otherKey);
    const isTheirs = +(otherKey <= key);
    // The row, or -1 where it is not this side's turn, without a branch to foretell.
    ours[count] = (row & -isOurs) | (isOurs - 1);
    theirs[count] = (other & -isTheirs) | (isTheirs - 1);
    count++;
    row += isOurs;
    other += isTheirs;
  }
  for (; row < left.length; row++, count++) {
    ours[count] = row;
    theirs[count] = -1;
  }
  for (; other < right.length; other++, count++) {
    ours[count] = -1;
    theirs[count] = other;
  }
  return count;
}

/**
 * For each row the id from the left, or from the right where the left has none. Both are read, for which rows are missing
 * on the left cannot be foretold: neither side is empty.
 */
function mergeIds(
  left: Int32Array,
  leftRows: Int32Array,
  right: Int32Array,
  rightRows: Int32Array,
): Int32Array {
  const ids = new Int32Array(leftRows.length);
  for (let at = 0; at < ids.length; at++) {
    const row = intAt(leftRows, at);
    const other = intAt(rightRows, at);
    const isMissing = row >> 31;
    const id = intAt(left, row & ~isMissing);
    const otherId = intAt(right, other & ~(other >> 31));
    ids[at] = (id & ~isMissing) | (otherId & isMissing);
  }
  return ids;
}

/** Rows that may be missing, in terms of those before they were put in order. */
function composeMissing(order: RowMap, rows: RowMap): RowMap {
  if (order === undefined || rows === undefined) return compose(order, rows);
  return rows.map((row) => (row < 0 ? -1 : intAt(order, row)));
}
