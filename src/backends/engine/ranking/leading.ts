import { intAt, numberAt } from "../../../language/values/element.js";
import { cellsAtOnce, type Seeking } from "./seeking.js";
import { selectRank } from "./select.js";

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
  const bound = boundBySample(cells, isDescending, limit);
  if (bound === Number.POSITIVE_INFINITY) return undefined;
  const heap = new LeadingHeap(limit, bound);
  if (seeking === undefined) look(cells, isDescending, heap, 0, count);
  else
    for (let at = 0; at < count; ) {
      const from = seeking.next(cells, at, isDescending ? -heap.bound : heap.bound, isDescending);
      at = Math.min(from + cellsAtOnce, count);
      look(cells, isDescending, heap, from, at);
    }
  return heap.positionsInOrder();
}

/**
 * A number that at least as many keys are below as are looked for, and few others: those that come first may stand last, and
 * else all before them would go through the heap. As many cells are sampled as are expected below it; infinity where that many of these
 * are infinite or NaN that there is none.
 */
function boundBySample(cells: Float64Array, isDescending: boolean, limit: number): number {
  const samples = new Float64Array(Math.floor(Math.sqrt(limit * cells.length)));
  const step = cells.length / samples.length;
  let numbers = 0;
  for (let at = 0; at < samples.length; at++) {
    const cell = numberAt(cells, Math.floor((at + 0.5) * step));
    if (!Number.isNaN(cell)) samples[numbers++] = isDescending ? -cell : cell;
  }
  if (numbers < limit) return Number.POSITIVE_INFINITY;
  const last = Math.max(selectRank(samples.subarray(0, numbers), limit - 1), -Number.MAX_VALUE);
  return last + Math.abs(last) * Number.EPSILON + Number.MIN_VALUE;
}

/** A number that is not below the bound comes behind all that are looked for; nor is NaN below anything. */
function look(
  cells: Float64Array,
  isDescending: boolean,
  heap: LeadingHeap,
  from: number,
  end: number,
): void {
  let { bound } = heap;
  if (isDescending) {
    for (let at = from; at < end; at++)
      if (-(cells[at] as number) < bound) bound = heap.take(-numberAt(cells, at), at);
  } else {
    for (let at = from; at < end; at++)
      if ((cells[at] as number) < bound) bound = heap.take(numberAt(cells, at), at);
  }
}

/** The cells that come first so far, the last of them on top. Of equal ones those that came first come first. */
class LeadingHeap {
  private readonly keys: Float64Array;
  private readonly positions: Int32Array;
  private count = 0;

  constructor(
    size: number,
    /** What comes first is below it. */
    public bound: number,
  ) {
    this.keys = new Float64Array(size);
    this.positions = new Int32Array(size);
  }

  /** Takes a cell that is below the bound, and gives up the last one where it is full; what the bound is now. */
  take(key: number, position: number): number {
    if (this.count < this.keys.length) this.add(key, position);
    else this.sink(key, position);
    if (this.count === this.keys.length) this.bound = numberAt(this.keys, 0);
    return this.bound;
  }

  private add(key: number, position: number): void {
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
