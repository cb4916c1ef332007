import { intAt } from "../../../language/values/element.js";
import { LabelIndex } from "../../../language/values/labels/label-index.js";
import { canonical } from "./canonical.js";
import {
  type Allow,
  allowAll,
  columnPositions,
  compose,
  type Factor,
  isCanonical,
  pick,
  type RowMap,
  sameNames,
  take,
  takeRows,
} from "./factor.js";
import { type Grouping, groupBy, rowsIn, segmentsOf } from "./group.js";
import { matchesOf } from "./matching.js";
import { PairMemo } from "./memo.js";

/** Rows that come from a row of each of two factors. */
export interface Joined {
  readonly factor: Factor;
  readonly leftRows: RowMap;
  readonly rightRows: RowMap;
}

/**
 * The rows of two factors that agree in the dimensions which both have, of which there is one at least; canonical. Where
 * the result has just the rows of one of them, it has its index.
 */
export function joinFactors(left: Factor, right: Factor, allow: Allow = allowAll): Joined {
  const [ours, theirs] = [canonical(left), canonical(right)];
  const joined = joinedOf(ours.factor, theirs.factor, allow);
  return {
    factor: joined.factor,
    leftRows: compose(ours.order, joined.leftRows),
    rightRows: compose(theirs.order, joined.rightRows),
  };
}

const memo = new PairMemo<Joined>();

function joinedOf(left: Factor, right: Factor, allow: Allow): Joined {
  if (left.index === right.index && sameNames(left.names, right.names))
    return { factor: left, leftRows: undefined, rightRows: undefined };
  const keyOf = (first: Factor, second: Factor): string => `${first.names.join()}/${second.names.join()}`;
  const joined = memo.for(left.index, right.index, keyOf(left, right), () => {
    const reverse = memo.get(right.index, left.index, keyOf(right, left));
    if (reverse !== undefined) return swapped(reverse);
    const shared = left.names.filter((name) => right.names.includes(name));
    if (shared.length === right.names.length) return joinSubset(left, right, allow);
    if (shared.length === left.names.length) return swapped(joinSubset(right, left, allow));
    return joinOverlap(left, right, shared, allow);
  });
  allow(joined.factor.index.rows);
  return joined;
}

const swapped = ({ factor, leftRows, rightRows }: Joined): Joined => ({
  factor,
  leftRows: rightRows,
  rightRows: leftRows,
});

/** The rows of the left factor that the right one, which has no other dimensions, has as well. */
function joinSubset(left: Factor, right: Factor, allow: Allow): Joined {
  if (left.names.length === right.names.length) {
    const { rows, left: leftRows, right: rightRows } = matchesOf(left.index, right.index);
    allow(rows);
    const index =
      leftRows === undefined
        ? left.index
        : rightRows === undefined
          ? right.index
          : takeRows(left.index, leftRows);
    return { factor: { names: left.names, index }, leftRows, rightRows };
  }
  const grouping = groupBy(left, right.names);
  const rightOf = matchOf(grouping, right.index);
  allow(countOf(grouping, rightOf));
  const leftRows = rowsIn(grouping, rightOf);
  const groups = take(grouping.groups, leftRows);
  const index = takeRows(left.index, leftRows);
  return { factor: { names: left.names, index }, leftRows, rightRows: take(rightOf, groups) };
}

/** For each group the row of an index, or the group of another grouping, that has the same ids; -1 where none has. */
export function matchOf(grouping: Grouping, other: LabelIndex): Int32Array {
  const { rows, left, right } = matchesOf(grouping.factor.index, other);
  const found = new Int32Array(grouping.counts.length).fill(-1);
  for (let at = 0; at < rows; at++)
    found[left === undefined ? at : intAt(left, at)] = right === undefined ? at : intAt(right, at);
  return found;
}

/** How many rows those groups have that match; or how many pairs, where each is matched by several. */
function countOf({ counts }: Grouping, match: Int32Array, others?: Int32Array): number {
  let rows = 0;
  for (let group = 0; group < match.length; group++) {
    const other = intAt(match, group);
    if (other >= 0) rows += intAt(counts, group) * (others === undefined ? 1 : intAt(others, other));
  }
  return rows;
}

/** All pairs of rows that agree in the shared dimensions, where both factors have others. */
function joinOverlap(left: Factor, right: Factor, shared: readonly string[], allow: Allow): Joined {
  const unshared = (factor: Factor): string[] => factor.names.filter((name) => !shared.includes(name));
  // Pairs come in the order of the outer rows, and of the inner ones for each: perhaps already the canonical one.
  if (!isCanonical([...left.names, ...unshared(right)]) && isCanonical([...right.names, ...unshared(left)]))
    return swapped(joinNested(right, left, shared, allow));
  return joinNested(left, right, shared, allow);
}

function joinNested(outer: Factor, inner: Factor, shared: readonly string[], allow: Allow): Joined {
  const [ours, theirs] = [groupBy(outer, shared), groupBy(inner, shared)];
  const match = matchOf(ours, theirs.factor.index);
  const rows = countOf(ours, match, theirs.counts);
  allow(rows);
  const matching = rowsIn(ours, match);
  const { starts, rows: segmentRows } = segmentsOf(theirs);
  const [outerRows, innerRows] = [new Int32Array(rows), new Int32Array(rows)];
  const most = matching === undefined ? outer.index.rows : matching.length;
  let count = 0;
  for (let at = 0; at < most; at++) {
    const row = matching === undefined ? at : intAt(matching, at);
    const other = intAt(match, intAt(ours.groups, row));
    const end = intAt(starts, other + 1);
    for (let position = intAt(starts, other); position < end; position++) {
      outerRows[count] = row;
      innerRows[count] = segmentRows === undefined ? position : intAt(segmentRows, position);
      count++;
    }
  }
  // These rows are sorted, with the outer columns first and then those that the inner factor adds.
  const added = inner.names.filter((name) => !shared.includes(name));
  const [first, second] = [takeRows(outer.index, outerRows), pickColumns(inner, added)];
  const index = new LabelIndex(
    [...first.dictionaries, ...second.dictionaries],
    [...first.columns, ...second.columns.map((column) => take(column, innerRows))],
    rows,
  );
  const { factor, order } = canonical({ names: [...outer.names, ...added], index });
  return { factor, leftRows: compose(outerRows, order), rightRows: compose(innerRows, order) };
}

function pickColumns(factor: Factor, names: readonly string[]): Pick<LabelIndex, "dictionaries" | "columns"> {
  const positions = columnPositions(factor, names);
  return {
    dictionaries: pick(factor.index.dictionaries, positions),
    columns: pick(factor.index.columns, positions),
  };
}
