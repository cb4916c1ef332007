import { intAt } from "../../../language/values/element.js";
import { LabelIndex } from "../../../language/values/labels/label-index.js";
import { canonical } from "./canonical.js";
import {
  type Allow,
  allowAll,
  compose,
  type Factor,
  isCanonical,
  type RowMap,
  take,
  takeRows,
  trimmed,
} from "./factor.js";
import { groupBy, rowsIn, segmentsOf } from "./group.js";
import { matchOf } from "./join.js";
import { Memo, PairMemo } from "./memo.js";

/**
 * The sum over some dimensions of the products of two factors' cells, as of sparse matrices: what to multiply with what,
 * and where it adds up, found once from the rows alone. The join's rows, of which there may be very many, are not made.
 *
 * The rows of one factor, the outer one, are walked group by group; a group is what becomes one run of the result's rows.
 * For each the rows of the inner factor that match it are added to one accumulator for each slot, a slot being what an
 * inner row has in the dimensions that it adds to the result.
 */
export interface SparseContraction {
  /** The result's rows: the retained dimensions, canonical. */
  readonly factor: Factor;
  /** How many products are added up. */
  readonly products: number;
  /** Groups of outer rows, which can be worked through in parts. */
  readonly groups: number;
  readonly slots: number;
  /** Whether the left factor is the inner one. */
  readonly isSwapped: boolean;
  /** Where the rows of each group start in `outerRows`. */
  readonly groupStarts: Int32Array;
  /** The outer rows that match any inner row, group by group; undefined where row `r` is at position `r`. */
  readonly outerRows: RowMap;
  /** For each of them, which positions of the inner rows match it. */
  readonly matchStarts: Int32Array;
  readonly matchEnds: Int32Array;
  /** The inner rows by what they share with outer rows: for each position the row, and its slot. */
  readonly innerRows: RowMap;
  readonly innerSlots: Int32Array;
  /** Where the results of each group start in `resultSlots`. */
  readonly resultStarts: Int32Array;
  /** The slots of each group that something is added to, rising. */
  readonly resultSlots: Int32Array;
  /** The row of the result for each of them; undefined where they are in order. */
  readonly resultRows: RowMap;
}

const memo = new PairMemo<SparseContraction>();
const slotsOf = new Memo<Int32Array>();

/**
 * Plans the sum of products of two factors over all dimensions that are not retained. They share at least one dimension;
 * each retained name is of one of them. Where nothing is retained there is one row, or none where nothing matches. `allow` is
 * called before rows are made, `spend` before so many products are enumerated.
 */
export function contract(
  left: Factor,
  right: Factor,
  retained: readonly string[],
  allow: Allow = allowAll,
  spend: (products: number) => void = allowAll,
): SparseContraction {
  const key = `${left.names.join()}/${right.names.join()}/${retained.join()}`;
  const contraction = memo.for(left.index, right.index, key, () => {
    const isSwapped = isBetterSwapped(left, right, retained);
    const [outer, inner] = isSwapped ? [right, left] : [left, right];
    return contractionOf(outer, inner, isSwapped, new Set(retained), allow, spend);
  });
  allow(contraction.factor.index.rows);
  return contraction;
}

/** Whether the right factor should be the outer one: results come in order, or there are fewer outer rows. */
function isBetterSwapped(left: Factor, right: Factor, retained: readonly string[]): boolean {
  const inOrder = (outer: Factor, inner: Factor): boolean => {
    const ours = outer.names.filter((name) => retained.includes(name)).sort();
    const added = inner.names.filter((name) => retained.includes(name) && !outer.names.includes(name)).sort();
    return isCanonical([...ours, ...added]);
  };
  const [plain, swapped] = [inOrder(left, right), inOrder(right, left)];
  return plain === swapped ? right.index.rows < left.index.rows : swapped;
}

function contractionOf(
  outer: Factor,
  inner: Factor,
  isSwapped: boolean,
  retained: ReadonlySet<string>,
  allow: Allow,
  spend: (products: number) => void,
): SparseContraction {
  const shared = outer.names.filter((name) => inner.names.includes(name));
  const [ours, theirs] = [groupBy(outer, shared), groupBy(inner, shared)];
  const match = matchOf(ours, theirs.factor.index);
  const { starts, rows: innerRows } = segmentsOf(theirs);
  const added = groupBy(
    inner,
    inner.names.filter((name) => retained.has(name) && !outer.names.includes(name)),
  );
  const matching = rowsIn(ours, match);
  const groups = groupBy(
    { names: outer.names, index: takeRows(outer.index, matching) },
    outer.names.filter((name) => retained.has(name)),
  );
  const runs = segmentsOf(groups);
  const outerRows = compose(matching, runs.rows);
  const matches = take(match, take(ours.groups, outerRows));
  const matchStarts = take(starts, matches);
  const matchEnds = take(starts.subarray(1), matches);
  let products = 0;
  for (let at = 0; at < matches.length; at++) products += intAt(matchEnds, at) - intAt(matchStarts, at);
  spend(products);
  const slots = added.counts.length;
  const key = `${shared.join()}/${added.factor.names.join()}/${inner.names.join()}`;
  const innerSlots = slotsOf.for(inner.index, key, () => take(added.groups, innerRows));
  const groupMatches = { groupStarts: runs.starts, matchStarts, matchEnds, innerSlots };
  const { resultStarts, resultSlots } = results(groupMatches, slots, allow);
  const { factor, order } = canonical(productRows(groups.factor, added.factor, resultStarts, resultSlots));
  return {
    ...groupMatches,
    outerRows,
    innerRows,
    factor,
    products,
    groups: groups.counts.length,
    slots,
    isSwapped,
    resultStarts,
    resultSlots,
    resultRows: order === undefined ? undefined : inverse(order),
  };
}

/** The rows that pair each group with its slots. */
function productRows(groups: Factor, slots: Factor, starts: Int32Array, resultSlots: Int32Array): Factor {
  const groupColumns = groups.index.columns.map((column) => {
    const ids = new Int32Array(resultSlots.length);
    for (let group = 0; group < column.length; group++)
      ids.fill(intAt(column, group), starts[group], starts[group + 1]);
    return ids;
  });
  const index = new LabelIndex(
    [...groups.index.dictionaries, ...slots.index.dictionaries],
    [...groupColumns, ...slots.index.columns.map((column) => take(column, resultSlots))],
    resultSlots.length,
  );
  return { names: [...groups.names, ...slots.names], index };
}

function inverse(order: Int32Array): Int32Array {
  const rows = new Int32Array(order.length);
  for (let row = 0; row < order.length; row++) rows[intAt(order, row)] = row;
  return rows;
}

type GroupMatches = Pick<SparseContraction, "groupStarts" | "matchStarts" | "matchEnds" | "innerSlots">;

/** Which slots each group adds to: those of a group rise. */
function results(
  groupMatches: GroupMatches,
  slots: number,
  allow: Allow,
): Pick<SparseContraction, "resultStarts" | "resultSlots"> {
  const { groupStarts } = groupMatches;
  const resultStarts = new Int32Array(groupStarts.length);
  const words = new Int32Array((slots + 31) >>> 5);
  let resultSlots = new Int32Array(1024);
  let count = 0;
  for (let group = 0; group < groupStarts.length - 1; group++) {
    const products = productsOf(groupMatches, group);
    const most = count + Math.min(products, slots);
    if (most > resultSlots.length) {
      allow(count);
      resultSlots = enlarged(resultSlots, most);
    }
    if (words.length > products * 16) count = listSlots(groupMatches, group, resultSlots, count);
    else {
      markSlots(groupMatches, group, words);
      count = collectSlots(words, resultSlots, count);
    }
    resultStarts[group + 1] = count;
  }
  allow(count);
  return { resultStarts, resultSlots: trimmed(resultSlots, count) };
}

function productsOf({ groupStarts, matchStarts, matchEnds }: GroupMatches, group: number): number {
  let products = 0;
  const end = intAt(groupStarts, group + 1);
  for (let at = intAt(groupStarts, group); at < end; at++)
    products += intAt(matchEnds, at) - intAt(matchStarts, at);
  return products;
}

/** Sets a bit for each slot that a group adds to. */
function markSlots(
  { groupStarts, matchStarts, matchEnds, innerSlots }: GroupMatches,
  group: number,
  words: Int32Array,
): void {
  const end = intAt(groupStarts, group + 1);
  for (let at = intAt(groupStarts, group); at < end; at++) {
    const stop = intAt(matchEnds, at);
    for (let position = intAt(matchStarts, at); position < stop; position++) {
      const slot = intAt(innerSlots, position);
      words[slot >>> 5] = intAt(words, slot >>> 5) | (1 << slot);
    }
  }
}

/** Lists the slots whose bits are set, from a position on, and clears them. @returns the position after the last. */
function collectSlots(words: Int32Array, into: Int32Array, from: number): number {
  let count = from;
  for (let at = 0; at < words.length; at++) {
    let word = intAt(words, at);
    while (word !== 0) {
      const lowest = word & -word;
      into[count++] = at * 32 + 31 - Math.clz32(lowest);
      word ^= lowest;
    }
    words[at] = 0;
  }
  return count;
}

/** The same for a group that adds to very few of very many slots. */
function listSlots(groupMatches: GroupMatches, group: number, into: Int32Array, from: number): number {
  const { groupStarts, matchStarts, matchEnds, innerSlots } = groupMatches;
  const slots = new Set<number>();
  for (let at = intAt(groupStarts, group); at < intAt(groupStarts, group + 1); at++)
    for (const slot of innerSlots.subarray(matchStarts[at], matchEnds[at])) slots.add(slot);
  into.set([...slots], from);
  into.subarray(from, from + slots.size).sort();
  return from + slots.size;
}

function enlarged(values: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const result = new Int32Array(Math.max(values.length * 2, least));
  result.set(values);
  return result;
}
