import type { Slices } from "../../../language/limits/slices.js";
import { mapTuple } from "../../../language/source/lists.js";
import { element, intAt, numberAt } from "../../../language/values/element.js";
import { digits, type KeyLists, keyOfNaN, keyOfZero, sumUp } from "./digits.js";

/** Orders of cells: rising, NaN last; equal ones, zeros of either sign and NaNs too, in the order in which they come. */

/** Fewer cells than these are merged: counting digits takes as long as some thousand comparisons. */
const fewestCounted = 1000;
/** So few cells are inserted one by one before they are merged. */
const runLength = 8;

/** The positions of cells in their order, in slices where there are many. */
export function* positionSlices(cells: Float64Array): Slices<Int32Array> {
  return cells.length < fewestCounted ? merged(cells) : yield* counted(cells);
}

/** Whether a cell comes behind one that stands behind it. */
const isBehind = (cell: number, next: number): boolean =>
  cell > next || (Number.isNaN(cell) && !Number.isNaN(next));

/** A merge sort, from the bottom. */
function merged(cells: Float64Array): Int32Array {
  const count = cells.length;
  let from = new Int32Array(count);
  for (let at = 0; at < count; at++) from[at] = at;
  for (let start = 0; start < count; start += runLength)
    insertionSort(cells, from, start, Math.min(start + runLength, count));
  let into = new Int32Array(count);
  for (let width = runLength; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width)
      mergeRuns(cells, from, into, start, Math.min(start + width, count), Math.min(start + 2 * width, count));
    [from, into] = [into, from];
  }
  return from;
}

function insertionSort(cells: Float64Array, positions: Int32Array, start: number, stop: number): void {
  for (let at = start + 1; at < stop; at++) {
    const position = intAt(positions, at);
    const cell = numberAt(cells, position);
    let hole = at;
    for (; hole > start && isBehind(numberAt(cells, intAt(positions, hole - 1)), cell); hole--)
      positions[hole] = intAt(positions, hole - 1);
    positions[hole] = position;
  }
}

function mergeRuns(
  cells: Float64Array,
  from: Int32Array,
  into: Int32Array,
  start: number,
  middle: number,
  stop: number,
): void {
  let [left, right] = [start, middle];
  for (let at = start; at < stop; at++) {
    const takesLeft =
      left < middle &&
      (right >= stop || !isBehind(numberAt(cells, intAt(from, left)), numberAt(cells, intAt(from, right))));
    into[at] = intAt(from, takesLeft ? left++ : right++);
  }
}

/** Lists before and behind a pass. */
interface ListsOfPass extends KeyLists {
  nextKeys: Int32Array;
  nextPositions: Int32Array;
}

const listsOf = (count: number): ListsOfPass => ({
  keys: new Int32Array(count),
  positions: new Int32Array(count),
  nextKeys: new Int32Array(count),
  nextPositions: new Int32Array(count),
});

/**
 * Lists for so many cells are used again: of new memory each page must be cleared first. So many are looked at without a pause, for
 * another order could take the lists then.
 */
export const mostShared = 2 ** 18;
let sharedLists = listsOf(0);

function listsFor(count: number): ListsOfPass {
  if (count > mostShared) return listsOf(count);
  if (sharedLists.keys.length < count) sharedLists = listsOf(Math.min(2 * count, mostShared));
  return sharedLists;
}

/** How many keys have each digit, and then where the next of them belongs. */
const newCounters = () => mapTuple(digits, ({ size }) => new Int32Array(size));
type Counters = ReturnType<typeof newCounters>;
const sharedCounters = newCounters();

/**
 * A radix sort by the high words of the cells: with the sign turned, they are in the order of the numbers. What has the same word,
 * rarely many cells, is sorted by comparisons. The positions are there until the next cells are put in order.
 */
function* counted(cells: Float64Array): Slices<Int32Array> {
  const count = cells.length;
  const lists = listsFor(count);
  const counters = count > mostShared ? newCounters() : sharedCounters;
  for (const each of counters) each.fill(0);
  for (let from = 0; from < count; from += mostShared) {
    if (from > 0) yield;
    fillKeys(cells, lists, counters, from, Math.min(from + mostShared, count));
  }
  for (const [at, { shift, size }] of digits.entries()) {
    const starts = element(counters, at);
    if (!sumUp(starts, count)) continue;
    for (let from = 0; from < count; from += mostShared) {
      if (from > 0) yield;
      distribute(lists, from, Math.min(from + mostShared, count), shift, size - 1, starts);
    }
    const { keys, positions, nextKeys, nextPositions } = lists;
    Object.assign(lists, {
      keys: nextKeys,
      positions: nextPositions,
      nextKeys: keys,
      nextPositions: positions,
    });
  }
  let from = 1;
  while (from < count) {
    if (from > 1) yield;
    from = sortEqualKeys(cells, lists, from, from + mostShared);
  }
  return lists.positions.subarray(0, count);
}

/** The keys of some cells in the order of the cells, and how many have each digit. */
function fillKeys(
  cells: Float64Array,
  { keys, positions }: KeyLists,
  [low, middle, high]: Counters,
  from: number,
  end: number,
): void {
  const words = new Int32Array(cells.buffer, cells.byteOffset, 2 * cells.length);
  for (let at = from; at < end; at++) {
    const cell = cells[at] as number; // within the arrays, as all below
    const word = words[2 * at + 1] as number;
    const key = cell === 0 ? keyOfZero : Number.isNaN(cell) ? keyOfNaN : word ^ ((word >> 31) | keyOfZero);
    keys[at] = key;
    positions[at] = at;
    low[key & 2047] = (low[key & 2047] as number) + 1;
    middle[(key >>> 11) & 2047] = (middle[(key >>> 11) & 2047] as number) + 1;
    high[key >>> 22] = (high[key >>> 22] as number) + 1;
  }
}

function distribute(
  { keys, positions, nextKeys, nextPositions }: ListsOfPass,
  from: number,
  end: number,
  shift: number,
  mask: number,
  starts: Int32Array,
): void {
  for (let at = from; at < end; at++) {
    const key = keys[at] as number; // within the arrays, as all below
    const digit = (key >>> shift) & mask;
    const to = starts[digit] as number;
    starts[digit] = to + 1;
    nextKeys[to] = key;
    nextPositions[to] = positions[at] as number;
  }
}

/** The positions of keys in their order, of which so many are counted by kernels, and those of equal keys in the order of the cells. */
export function positionsOfKeys(cells: Float64Array, lists: KeyLists): Int32Array {
  sortEqualKeys(cells, lists, 1, cells.length);
  return lists.positions;
}

/** Whether kernels may count so many keys: not so few that they are merged, nor so many that there are pauses. */
export const isCounted = (cells: number): boolean => cells >= fewestCounted && cells <= mostShared;

/** So few positions are put in order one by one. */
const fewEqual = 16;

/** Puts the positions of cells whose keys are the same in the order of the cells. Returns where it ended, at the end or behind it. */
function sortEqualKeys(
  cells: Float64Array,
  { keys, positions }: KeyLists,
  from: number,
  end: number,
): number {
  const { length } = cells;
  let at = from;
  for (; at < Math.min(end, length); at++) {
    const key = keys[at] as number; // within the arrays
    if (key !== keys[at - 1]) continue;
    const start = at - 1;
    while (at < length && keys[at] === key) at++;
    if (key === keyOfNaN) continue;
    if (at - start <= fewEqual) insertionSort(cells, positions, start, at);
    else sortPart(cells, positions.subarray(start, at));
  }
  return at;
}

function sortPart(cells: Float64Array, positions: Int32Array): void {
  const part = Float64Array.from(positions, (position) => numberAt(cells, position));
  const isEqual = part.every((cell) => cell === part[0]);
  if (isEqual) return;
  positions.set(merged(part).map((at) => intAt(positions, at)));
}
