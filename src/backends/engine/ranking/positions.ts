import { element, intAt, numberAt } from "../../../language/values/element.js";

/** Orders of cells: rising, NaN last; equal ones, zeros of either sign and NaNs too, in the order in which they come. */

/** Fewer cells than these are merged: counting digits takes as long as some thousand comparisons. */
const fewestCounted = 1000;
/** So few cells are inserted one by one before they are merged. */
const runLength = 8;

/** The positions of cells in their order. */
export const positionsInOrder = (cells: Float64Array): Int32Array =>
  cells.length < fewestCounted ? merged(cells) : counted(cells);

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

/** The digits of a key of 32 bits, the lowest first. */
const digits = [
  { shift: 0, size: 2048 },
  { shift: 11, size: 2048 },
  { shift: 22, size: 1024 },
] as const;

/** A key of all NaNs: no number has it. */
const keyOfNaN = 0xffffffff;
/** The key of zeros of both signs, and of the smallest positive numbers. */
const keyOfZero = 0x80000000;

/**
 * A radix sort by the high words of the cells: with the sign turned, they are in the order of the numbers. What has the same word,
 * rarely many cells, is sorted by comparisons.
 */
function counted(cells: Float64Array): Int32Array {
  const count = cells.length;
  const words = new Uint32Array(cells.buffer, cells.byteOffset, 2 * count);
  const counts = digits.map(({ size }) => new Int32Array(size)) as [Int32Array, Int32Array, Int32Array]; // one for each
  const [low, middle, high] = counts;
  let keys = new Uint32Array(count);
  let positions = new Int32Array(count);
  for (let at = 0; at < count; at++) {
    const cell = cells[at] as number; // within the arrays, as all below
    const word = words[2 * at + 1] as number;
    const mask = (word | 0) >> 31;
    const key = cell === 0 ? keyOfZero : Number.isNaN(cell) ? keyOfNaN : (word ^ (mask | keyOfZero)) >>> 0;
    keys[at] = key;
    positions[at] = at;
    low[key & 2047] = (low[key & 2047] as number) + 1;
    middle[(key >>> 11) & 2047] = (middle[(key >>> 11) & 2047] as number) + 1;
    high[key >>> 22] = (high[key >>> 22] as number) + 1;
  }
  let [nextKeys, nextPositions] = [new Uint32Array(count), new Int32Array(count)];
  for (const [at, { shift, size }] of digits.entries()) {
    const starts = element(counts, at);
    if (!sumUp(starts, count)) continue;
    distribute(keys, positions, shift, size - 1, starts, nextKeys, nextPositions);
    [keys, positions, nextKeys, nextPositions] = [nextKeys, nextPositions, keys, positions];
  }
  sortEqualKeys(cells, keys, positions);
  return positions;
}

/** Makes of the numbers of keys with each digit where they begin; whether keys have different ones. */
function sumUp(counts: Int32Array, all: number): boolean {
  let start = 0;
  for (let digit = 0; digit < counts.length; digit++) {
    const count = intAt(counts, digit);
    if (count === all) return false;
    counts[digit] = start;
    start += count;
  }
  return true;
}

function distribute(
  keys: Uint32Array,
  positions: Int32Array,
  shift: number,
  mask: number,
  starts: Int32Array,
  toKeys: Uint32Array,
  toPositions: Int32Array,
): void {
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as number; // within the arrays, as all below
    const digit = (key >>> shift) & mask;
    const to = starts[digit] as number;
    starts[digit] = to + 1;
    toKeys[to] = key;
    toPositions[to] = positions[at] as number;
  }
}

/** So few positions are put in order one by one. */
const fewEqual = 16;

/** Puts the positions of cells whose keys are the same in the order of the cells. */
function sortEqualKeys(cells: Float64Array, keys: Uint32Array, positions: Int32Array): void {
  for (let start = 0; start < keys.length; ) {
    const key = keys[start];
    let stop = start + 1;
    while (stop < keys.length && keys[stop] === key) stop++;
    if (stop - start > 1 && key !== keyOfNaN) {
      if (stop - start <= fewEqual) insertionSort(cells, positions, start, stop);
      else sortPart(cells, positions.subarray(start, stop));
    }
    start = stop;
  }
}

function sortPart(cells: Float64Array, positions: Int32Array): void {
  const part = Float64Array.from(positions, (position) => numberAt(cells, position));
  const isEqual = part.every((cell) => cell === part[0]);
  if (isEqual) return;
  positions.set(merged(part).map((at) => intAt(positions, at)));
}
