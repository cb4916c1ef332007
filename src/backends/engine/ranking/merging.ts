import { intAt, numberAt } from "../../../language/values/element.js";

/** Sorts by comparisons, for few cells: equal ones stay in the order in which they come. */

/** So few cells are inserted one by one before they are merged. */
const runLength = 8;

/** Whether a cell comes behind one that stands behind it. */
const isBehind = (cell: number, next: number): boolean =>
  cell > next || (Number.isNaN(cell) && !Number.isNaN(next));

/** Puts positions of cells in the order of the cells, each before those that it is not behind. */
export function insertionSort(
  cells: Float64Array,
  positions: Int32Array,
  start = 0,
  stop = positions.length,
): void {
  for (let at = start + 1; at < stop; at++) {
    const position = intAt(positions, at);
    const cell = numberAt(cells, position);
    let hole = at;
    for (; hole > start && isBehind(numberAt(cells, intAt(positions, hole - 1)), cell); hole--)
      positions[hole] = intAt(positions, hole - 1);
    positions[hole] = position;
  }
}

/** As `insertionSort`, from the bottom. The result is one of the two lists, of which the second has room for as many. */
export function mergeSort(cells: Float64Array, positions: Int32Array, room: Int32Array): Int32Array {
  const { length } = positions;
  let [from, into] = [positions, room];
  for (let start = 0; start < length; start += runLength)
    insertionSort(cells, from, start, Math.min(start + runLength, length));
  for (let width = runLength; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width)
      mergeRuns(
        cells,
        from,
        into,
        start,
        Math.min(start + width, length),
        Math.min(start + 2 * width, length),
      );
    [from, into] = [into, from];
  }
  return from;
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
