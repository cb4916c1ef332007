/**
 * Work in slices of a few milliseconds: a generator that may be left at each `yield`, so that other work goes on in between, or
 * be run to its end at a stretch.
 */
export type Slices<T> = Generator<undefined, T>;

/** So many cells are copied in a slice. */
export const sliceCells = 2 ** 16;

/** A row of labels takes as long as so many cells. */
export const cellsPerRow = 32;

/** To read, or to check, a character of a program takes as long as to copy so many cells. */
export const cellsPerCharacter = 32;

/** Counts the cells of a slice. */
export class SliceMeter {
  private cells = 0;

  /** Counts work; true when it is time for a pause. */
  isFull(cells: number): boolean {
    this.cells += cells;
    if (this.cells < sliceCells) return false;
    this.cells = 0;
    return true;
  }
}

/** Work that is short enough for one slice. */
// biome-ignore lint/correctness/useYield: there is nothing between its beginning and its end
export function* slice<T>(work: () => T): Slices<T> {
  return work();
}

/** Runs to the end without a pause. */
export function atOnce<T>(slices: Slices<T>): T {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

/** So many items are sorted in a slice. */
const sortedItems = sliceCells / cellsPerRow;

/** A sorted copy of a list; equal items stay in their order. */
export function* sortedInSlices<T>(list: readonly T[], compare: (a: T, b: T) => number): Slices<T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < list.length; start += sortedItems) {
    if (start > 0) yield;
    runs.push(list.slice(start, start + sortedItems).sort(compare));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left = [], right] = [runs[at], runs[at + 1]];
      merged.push(right === undefined ? left : yield* mergedRuns(left, right, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** The positions of texts in the order of their code units; nothing where they are in this order already. */
export function* textOrder(texts: readonly string[]): Slices<readonly number[] | undefined> {
  const text = (at: number): string => texts[at] ?? ""; // of the list
  let at = 1;
  for (; at < texts.length && text(at - 1) <= text(at); at++) if (at % sliceCells === 0) yield;
  if (at >= texts.length) return undefined;
  return yield* sortedInSlices([...texts.keys()], (left, right) => {
    const [one, other] = [text(left), text(right)];
    return one < other ? -1 : one > other ? 1 : 0;
  });
}

function* mergedRuns<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): Slices<T[]> {
  const meter = new SliceMeter();
  const merged: T[] = [];
  let other = 0;
  for (const item of left) {
    for (let next = right[other]; next !== undefined && compare(next, item) < 0; next = right[other]) {
      merged.push(next);
      other++;
    }
    merged.push(item);
    if (meter.isFull(2 * cellsPerRow)) yield;
  }
  for (; other < right.length; other++) merged.push(right[other] as T); // within the list
  return merged;
}
