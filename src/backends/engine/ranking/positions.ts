import { atOnce, type Slices } from "../../../language/limits/slices.js";
import { mapTuple } from "../../../language/source/lists.js";
import { element } from "../../../language/values/element.js";
import { digits, type KeyLists, keyOfNaN, keyOfZero, sumUp } from "./digits.js";
import { insertionSort, mergeSort } from "./merging.js";

/** Orders of cells: rising, NaN last; equal ones, zeros of either sign and NaNs too, in the order in which they come. */

/** Fewer cells than these are merged: counting digits takes as long as some thousand comparisons. */
const fewestCounted = 1000;

/** The positions of cells in their order, in slices where there are many. */
export function* positionSlices(cells: Float64Array): Slices<Int32Array> {
  return cells.length < fewestCounted ? merged(cells) : yield* counted(cells);
}

function merged(cells: Float64Array): Int32Array {
  const { length } = cells;
  const lists = listsFor(length);
  const positions = lists.positions.subarray(0, length);
  for (let at = 0; at < length; at++) positions[at] = at;
  return mergeSort(cells, positions, lists.nextPositions.subarray(0, length));
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
const countersFor = (count: number): Counters => (count > mostShared ? newCounters() : sharedCounters);

/**
 * A radix sort by the high words of the cells: with the sign turned, they are in the order of the numbers. What has the same high word
 * is sorted by the low one. The positions are there until the next cells are put in order.
 */
function* counted(cells: Float64Array): Slices<Int32Array> {
  const { length } = cells;
  const counters = countersFor(length);
  const lists = yield* byDigits(cells, listsFor(length), length, counters, fillHighKeys);
  yield* sortEqualKeys(cells, lists, counters);
  return lists.positions.subarray(0, length);
}

/** The positions of keys in their order, of which so many are counted by kernels, and those of equal keys in the order of the cells. */
export function positionsOfKeys(cells: Float64Array, { keys, positions }: KeyLists): Int32Array {
  const { nextKeys, nextPositions } = listsFor(cells.length);
  const lists = { keys, positions, nextKeys, nextPositions };
  atOnce(sortEqualKeys(cells, lists, countersFor(cells.length)));
  return positions;
}

/** Whether kernels may count so many keys: not so few that they are merged, nor so many that there are pauses. */
export const isCounted = (cells: number): boolean => cells >= fewestCounted && cells <= mostShared;

/** Writes the keys of a part of some cells, and counts their digits. */
type FillKeys = (cells: Float64Array, lists: KeyLists, counters: Counters, from: number, end: number) => void;

/** The lists in the order of the keys that are filled in: a pass for each digit in which keys differ, from the lowest. */
function* byDigits(
  cells: Float64Array,
  lists: ListsOfPass,
  count: number,
  counters: Counters,
  fill: FillKeys,
): Slices<ListsOfPass> {
  for (const each of counters) each.fill(0);
  for (let from = 0; from < count; from += mostShared) {
    if (from > 0) yield;
    fill(cells, lists, counters, from, Math.min(from + mostShared, count));
  }
  let { keys, positions, nextKeys, nextPositions } = lists;
  for (const [at, { shift, size }] of digits.entries()) {
    const starts = element(counters, at);
    if (!sumUp(starts, count)) continue;
    const pass = { keys, positions, nextKeys, nextPositions };
    for (let from = 0; from < count; from += mostShared) {
      if (from > 0) yield;
      distribute(pass, from, Math.min(from + mostShared, count), shift, size - 1, starts);
    }
    [keys, nextKeys] = [nextKeys, keys];
    [positions, nextPositions] = [nextPositions, positions];
  }
  return { keys, positions, nextKeys, nextPositions };
}

/** The keys of some cells in the order of the cells, and how many have each digit. */
const fillHighKeys: FillKeys = (cells, { keys, positions }, counters, from, end) => {
  const words = wordsOf(cells);
  for (let at = from; at < end; at++) {
    const cell = cells[at] as number; // within the arrays, as all below
    const word = words[2 * at + 1] as number;
    const key = cell === 0 ? keyOfZero : Number.isNaN(cell) ? keyOfNaN : word ^ ((word >> 31) | keyOfZero);
    keys[at] = key;
    positions[at] = at;
    countDigits(key, counters);
  }
};

/** Of cells with the same high word, at some positions, the low words: of negative cells the other way round. */
const fillLowKeys: FillKeys = (cells, { keys, positions }, counters, from, end) => {
  const words = wordsOf(cells);
  for (let at = from; at < end; at++) {
    const position = positions[at] as number; // within the arrays, as all below
    const word = words[2 * position] as number;
    const key = (cells[position] as number) < 0 ? ~word : word;
    keys[at] = key;
    countDigits(key, counters);
  }
};

function countDigits(key: number, [low, middle, high]: Counters): void {
  low[key & 2047] = (low[key & 2047] as number) + 1; // within the arrays
  middle[(key >>> 11) & 2047] = (middle[(key >>> 11) & 2047] as number) + 1;
  high[key >>> 22] = (high[key >>> 22] as number) + 1;
}

/** The low word of each cell, and behind it the high one. */
const wordsOf = (cells: Float64Array): Int32Array =>
  new Int32Array(cells.buffer, cells.byteOffset, 2 * cells.length);

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

/** So few positions are put in order one by one. */
const fewEqual = 16;

/** Puts the positions of cells whose keys are the same in the order of the cells. The keys are lost. */
function* sortEqualKeys(cells: Float64Array, lists: ListsOfPass, counters: Counters): Slices<void> {
  const { keys, positions } = lists;
  const { length } = cells;
  let paused = 0;
  for (let at = 1; at < length; at++) {
    if (at - paused > mostShared) {
      yield;
      paused = at;
    }
    const key = keys[at] as number; // within the arrays
    if (key !== keys[at - 1]) continue;
    const start = at - 1;
    while (at < length && keys[at] === key) at++;
    if (key === keyOfNaN) continue;
    if (at - start <= fewEqual) insertionSort(cells, positions, start, at);
    else yield* sortPart(cells, partOf(lists, start, at), counters);
  }
}

const partOf = (lists: ListsOfPass, start: number, stop: number): ListsOfPass => ({
  keys: lists.keys.subarray(start, stop),
  positions: lists.positions.subarray(start, stop),
  nextKeys: lists.nextKeys.subarray(start, stop),
  nextPositions: lists.nextPositions.subarray(start, stop),
});

/** Puts positions of cells with the same high word in the order of the cells. */
function* sortPart(cells: Float64Array, part: ListsOfPass, counters: Counters): Slices<void> {
  const { positions, nextPositions } = part;
  const count = positions.length;
  const sorted =
    count < fewestCounted
      ? mergeSort(cells, positions, nextPositions)
      : (yield* byDigits(cells, part, count, counters, fillLowKeys)).positions;
  if (sorted !== positions) positions.set(sorted);
}
