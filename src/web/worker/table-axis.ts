import type { Tensor } from "../../index.js";

/**
 * One side of a table: a line for each combination of labels that exists along its mapped dimensions, and for each index along
 * its indexed ones, which come after them. Lines are counted, and made when they are asked for: there may be millions.
 */
export class TableAxis {
  readonly count: number;
  /** Combinations of labels, sorted. */
  private readonly combinations: readonly (readonly string[])[];
  private readonly positions = new Map<string, number>();
  private readonly sizes: readonly number[];
  private readonly block: number;

  constructor(
    tensor: Tensor,
    /** Columns of the mapped dimensions among the tensor's labels, in the order of this side. */
    private readonly mapped: readonly number[],
    /** Positions of the indexed dimensions among the tensor's sizes, in the order of this side. */
    readonly indexed: readonly number[],
    isShown: (labels: readonly string[]) => boolean,
  ) {
    const found = new Map<string, readonly string[]>();
    if (mapped.length > 0) {
      for (const labels of tensor.labels) {
        if (!isShown(labels)) continue;
        const key = this.keyOf(labels);
        if (!found.has(key)) found.set(key, this.picked(labels));
      }
    }
    const sorted = [...found].sort(([, a], [, b]) => compareLabelRows(a, b));
    for (const [at, [key]] of sorted.entries()) this.positions.set(key, at);
    this.combinations = mapped.length > 0 ? sorted.map(([, labels]) => labels) : [[]];
    this.sizes = indexed.map((at) => sizeAt(tensor, at));
    this.block = this.sizes.reduce((product, size) => product * size, 1);
    this.count = this.combinations.length * this.block;
  }

  /** The labels of a line: those of mapped dimensions first. */
  labels(line: number): readonly string[] {
    const combination = this.combinations[Math.floor(line / this.block)] ?? [];
    return [...combination, ...this.indexes(line).map(String)];
  }

  /** Which combination of labels a line belongs to. */
  combinationOf = (line: number): number => Math.floor(line / this.block);

  /** The indexes of a line along the indexed dimensions. */
  indexes(line: number): readonly number[] {
    return indexesAt(line % this.block, this.sizes);
  }

  /** The combination that labels of a row of the tensor belong to. */
  position(labels: readonly string[]): number {
    return this.mapped.length === 0 ? 0 : (this.positions.get(this.keyOf(labels)) ?? -1);
  }

  private picked(labels: readonly string[]): readonly string[] {
    return this.mapped.map((column) => labels[column] ?? "");
  }

  private keyOf(labels: readonly string[]): string {
    const picked = this.picked(labels);
    return picked.length === 1 ? (picked[0] ?? "") : JSON.stringify(picked);
  }
}

/** The indexes of the cell at a position of a dense block. */
export function indexesAt(position: number, sizes: readonly number[]): readonly number[] {
  const indexes = sizes.map(() => 0);
  let rest = position;
  for (let at = sizes.length - 1; at >= 0; at--) {
    const size = sizes[at] ?? 1;
    indexes[at] = rest % size;
    rest = Math.floor(rest / size);
  }
  return indexes;
}

function sizeAt({ sizes }: Tensor, at: number): number {
  const size = sizes[at];
  if (size === undefined) throw new Error(`the tensor has no size ${at}`);
  return size;
}

/** By the first labels that differ. */
function compareLabelRows(left: readonly string[], right: readonly string[]): number {
  for (const [at, label] of left.entries()) {
    const other = right[at] ?? "";
    if (label !== other) return compareLabels(label, other);
  }
  return 0;
}

/** Labels that are numbers by their values, and behind them all others by their texts. */
function compareLabels(left: string, right: string): number {
  const [a, b] = [numberIn(left), numberIn(right)];
  if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
  if (!Number.isNaN(a) && a !== b) return a - b;
  return left < right ? -1 : 1;
}

/** NaN for a label that is no number. */
const numberIn = (label: string): number => (label === "" ? Number.NaN : Number(label));
