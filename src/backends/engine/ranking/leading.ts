import { intAt, numberAt } from "../../../language/values/element.js";
import { cellsAtOnce, type Seeking } from "./seeking.js";

/** One in so many cells is found by a heap in less time than all are sorted. */
const leastShare = 16;

/**
 * The positions of the cells with the first ranks, in their order; absent where there are fewer numbers than that, or so many
 * ranks are looked at that all may be sorted. Cells in the memory of kernels are gone past by them.
 */
export function leadingPositions(
  cells: Float64Array,
  isDescending: boolean,
  limit: number,
  seeking: Seeking | undefined,
): Int32Array | undefined {
  const count = cells.length;
  if (limit * leastShare > count) return undefined;
  if (limit <= 0) return new Int32Array();
  const heap = new LeadingHeap(limit);
  let at = 0;
  for (; at < count && !heap.isFull; at++) {
    const cell = numberAt(cells, at);
    if (!Number.isNaN(cell)) heap.add(isDescending ? -cell : cell, at);
  }
  if (!heap.isFull) return undefined;
  if (seeking === undefined) look(cells, isDescending, heap, at, count);
  else
    while (at < count) {
      at = seeking.next(cells, at, isDescending ? -heap.last : heap.last, isDescending);
      const end = Math.min(at + cellsAtOnce, count);
      look(cells, isDescending, heap, at, end);
      at = end;
    }
  return heap.positionsInOrder();
}

/** A number that is not below the last one comes behind it; nor is NaN below anything. */
function look(
  cells: Float64Array,
  isDescending: boolean,
  heap: LeadingHeap,
  from: number,
  end: number,
): void {
  let bound = heap.last;
  if (isDescending) {
    for (let at = from; at < end; at++)
      if (-(cells[at] as number) < bound) bound = heap.replaceLast(-numberAt(cells, at), at);
  } else {
    for (let at = from; at < end; at++)
      if ((cells[at] as number) < bound) bound = heap.replaceLast(numberAt(cells, at), at);
  }
}

/** The cells that come first so far, the last of them on top. Of equal ones those that came first come first. */
class LeadingHeap {
  private readonly keys: Float64Array;
  private readonly positions: Int32Array;
  private count = 0;

  constructor(size: number) {
    this.keys = new Float64Array(size);
    this.positions = new Int32Array(size);
  }

  get isFull(): boolean {
    return this.count === this.keys.length;
  }

  /** The key of the last one. */
  get last(): number {
    return numberAt(this.keys, 0);
  }

  add(key: number, position: number): void {
    let at = this.count++;
    for (
      let parent = (at - 1) >> 1;
      at > 0 && !this.isBehind(parent, key, position);
      parent = (at - 1) >> 1
    ) {
      this.move(parent, at);
      at = parent;
    }
    this.put(at, key, position);
  }

  /** Puts another cell in the place of the last one; the key of the one that is the last now. */
  replaceLast(key: number, position: number): number {
    this.sink(key, position);
    return this.last;
  }

  positionsInOrder(): Int32Array {
    const ordered = new Int32Array(this.count);
    while (this.count > 0) {
      ordered[--this.count] = intAt(this.positions, 0);
      if (this.count > 0) this.sink(numberAt(this.keys, this.count), intAt(this.positions, this.count));
    }
    return ordered;
  }

  /** Puts a cell on top, and moves it down to where it belongs. */
  private sink(key: number, position: number): void {
    let at = 0;
    for (let child = 1; child < this.count; child = 2 * at + 1) {
      const other = child + 1;
      if (
        other < this.count &&
        this.isBehind(other, numberAt(this.keys, child), intAt(this.positions, child))
      )
        child = other;
      if (!this.isBehind(child, key, position)) break;
      this.move(child, at);
      at = child;
    }
    this.put(at, key, position);
  }

  /** Whether the cell at an index of the heap comes behind another cell. */
  private isBehind(at: number, key: number, position: number): boolean {
    const own = numberAt(this.keys, at);
    return own > key || (own === key && intAt(this.positions, at) > position);
  }

  private move(from: number, to: number): void {
    this.put(to, numberAt(this.keys, from), intAt(this.positions, from));
  }

  private put(at: number, key: number, position: number): void {
    this.keys[at] = key;
    this.positions[at] = position;
  }
}
