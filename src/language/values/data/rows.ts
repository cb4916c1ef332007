import { atOnce, cellsPerRow, SliceMeter, type Slices, sortedInSlices } from "../../limits/slices.js";
import type { TensorType } from "../../types/type.js";
import { textAt } from "../element.js";
import { cellsOf } from "../shape.js";

/**
 * The cells of a tensor under construction: blocks of numbers by their mapped labels, in any order. A type without mapped
 * dimensions has its one block from the start; any other begins with none.
 */
export class Rows {
  private readonly blocks = new Map<string, { labels: readonly string[]; block: Float64Array }>();
  readonly blockCells: number;

  constructor(
    readonly type: TensorType,
    readonly sizes: readonly number[],
  ) {
    this.blockCells = cellsOf(sizes);
    if (type.isDense) this.block([]);
  }

  get count(): number {
    return this.blocks.size;
  }

  find(labels: readonly string[]): Float64Array | undefined {
    return this.blocks.get(labelKey(labels))?.block;
  }

  /** The block of these labels; a new one has zeros. */
  block(labels: readonly string[]): Float64Array {
    const key = labelKey(labels);
    const existing = this.blocks.get(key);
    if (existing !== undefined) return existing.block;
    const block = new Float64Array(this.blockCells);
    this.blocks.set(key, { labels, block });
    return block;
  }

  /** The rows in canonical order, and their blocks back to back. */
  sorted(): SortedRows {
    return atOnce(this.sortedInSlices());
  }

  *sortedInSlices(): Slices<SortedRows> {
    const { blockCells } = this;
    const unsorted = [...this.blocks.values()];
    const [only] = unsorted;
    if (unsorted.length === 1 && only !== undefined) return { labels: [only.labels], numbers: only.block };
    const rows = yield* sortedInSlices(unsorted, (a, b) => compareLabels(a.labels, b.labels));
    const numbers = new Float64Array(rows.length * blockCells);
    const sortedLabels: (readonly string[])[] = [];
    const meter = new SliceMeter();
    for (const { labels, block } of rows) {
      numbers.set(block, sortedLabels.length * blockCells);
      sortedLabels.push(labels);
      if (meter.isFull(blockCells + cellsPerRow)) yield;
    }
    return { labels: sortedLabels, numbers };
  }
}

/** The labels of rows in canonical order, and their blocks back to back. */
interface SortedRows {
  readonly labels: readonly (readonly string[])[];
  readonly numbers: Float64Array;
}

/** A text that two lists of labels share only if they are the same, whatever characters are in the labels. */
export function labelKey(labels: readonly string[]): string {
  return labels.length === 1 ? textAt(labels, 0) : labels.map((label) => `${label.length}:${label}`).join("");
}

/** Canonical order: label by label, each as text, by code units. */
export function compareLabels(left: readonly string[], right: readonly string[]): number {
  // Without an iterator: sorting compares each of many rows many times.
  for (let at = 0; at < left.length; at++) {
    const label = textAt(left, at);
    const other = textAt(right, at);
    if (label !== other) return label < other ? -1 : 1;
  }
  return 0;
}
