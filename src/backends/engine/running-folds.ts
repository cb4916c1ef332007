import type { RunningAggregator } from "./values/value.js";

/** Folds of cells as they come, whose result may be asked for at any time. */

export interface RunningFold {
  clear(): void;
  /**
   * Folds so many cells, from one on in either direction, and writes over each the result so far, which is not of all cells: with that cell, or
   * exclusively of those before it.
   */
  scan(cells: Float64Array, first: number, step: 1 | -1, count: number, isExclusive: boolean): void;
  /** Of the cells so far; and of another number, unless there are no other cells. */
  result(isOfAll: boolean): number;
}

/** A fold of cells from the first to the last, or the other way round, and of a number that stands for all others. */
type MakeFold = (otherwise: number, isDescending: boolean) => RunningFold;

export const runningFolds: Readonly<Record<RunningAggregator, MakeFold>> = {
  sum: () => new RunningTotal(),
  prod: () => new RunningProduct(),
  max: (otherwise, isDescending) => new RunningExtreme(1, otherwise, isDescending),
  min: (otherwise, isDescending) => new RunningExtreme(-1, otherwise, isDescending),
};

/** A sum, and what rounding has lost of it. */
export class RunningTotal implements RunningFold {
  private sum = 0;
  /** NaN once the sum is not finite. */
  private lost = 0;

  clear(): void {
    this.sum = 0;
    this.lost = 0;
  }

  add(number: number): void {
    const next = this.sum + number;
    this.lost += lostBy(this.sum, number, next);
    this.sum = next;
  }

  scan(cells: Float64Array, first: number, step: 1 | -1, count: number, isExclusive: boolean): void {
    let { sum, lost } = this;
    for (let left = count, at = first; left > 0; left--, at += step) {
      const number = cells[at] as number; // the caller has so many
      if (isExclusive) cells[at] = exactSum(sum, lost);
      const next = sum + number;
      lost += lostBy(sum, number, next);
      sum = next;
      if (!isExclusive) cells[at] = exactSum(sum, lost);
    }
    this.sum = sum;
    this.lost = lost;
  }

  result(): number {
    return exactSum(this.sum, this.lost);
  }
}

/** What rounding loses of two numbers whose rounded sum comes next; NaN where that is not finite. */
function lostBy(sum: number, number: number, next: number): number {
  const added = next - sum;
  return sum - (next - added) + (number - added);
}

const exactSum = (sum: number, lost: number): number => (Number.isNaN(lost) ? sum : sum + lost);

class RunningProduct implements RunningFold {
  private product = 1;

  clear(): void {
    this.product = 1;
  }

  scan(cells: Float64Array, first: number, step: 1 | -1, count: number, isExclusive: boolean): void {
    let { product } = this;
    for (let left = count, at = first; left > 0; left--, at += step) {
      const before = product;
      product *= cells[at] as number; // the caller has so many
      cells[at] = isExclusive ? before : product;
    }
    this.product = product;
  }

  result(): number {
    return this.product;
  }
}

/** The greatest cell, or with sign -1 the least; NaN is ignored. Of zeros of either sign it is the first in the order of the cells. */
class RunningExtreme implements RunningFold {
  /** With the sign, so that it is the greatest in any case. */
  private greatest = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly sign: 1 | -1,
    private readonly otherwise: number,
    private readonly isDescending: boolean,
  ) {}

  clear(): void {
    this.greatest = Number.NEGATIVE_INFINITY;
  }

  scan(cells: Float64Array, first: number, step: 1 | -1, count: number, isExclusive: boolean): void {
    const sign = this.sign;
    const other = sign * this.otherwise;
    let greatest = this.greatest;
    for (let left = count, at = first; left > 0; left--, at += step) {
      const before = greatest;
      greatest = this.greaterOf(greatest, sign * (cells[at] as number)); // the caller has so many
      cells[at] = sign * this.greaterOf(isExclusive ? before : greatest, other);
    }
    this.greatest = greatest;
  }

  result(isOfAll: boolean): number {
    const other = isOfAll ? Number.NEGATIVE_INFINITY : this.sign * this.otherwise;
    return this.sign * this.greaterOf(this.greatest, other);
  }

  /** A cell that comes later, but stands before the others, is the first of equal ones. */
  private greaterOf(greatest: number, next: number): number {
    return (this.isDescending ? next >= greatest : next > greatest) ? next : greatest;
  }
}
