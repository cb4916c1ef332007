import type { RunningAggregator } from "./values/value.js";

/** Folds of cells as they come, whose result may be asked for at any time. */

export interface RunningFold {
  clear(): void;
  add(cell: number): void;
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
    const sum = this.sum + number;
    const added = sum - this.sum;
    this.lost += this.sum - (sum - added) + (number - added);
    this.sum = sum;
  }

  result(): number {
    return Number.isNaN(this.lost) ? this.sum : this.sum + this.lost;
  }
}

class RunningProduct implements RunningFold {
  private product = 1;

  clear(): void {
    this.product = 1;
  }

  add(number: number): void {
    this.product *= number;
  }

  result(): number {
    return this.product;
  }
}

/** The greatest cell, or with sign -1 the least; NaN is ignored. Of zeros of either sign it is the first in the order of the cells. */
class RunningExtreme implements RunningFold {
  private extreme: number;

  constructor(
    private readonly sign: 1 | -1,
    private readonly otherwise: number,
    private readonly isDescending: boolean,
  ) {
    this.extreme = -sign * Number.POSITIVE_INFINITY;
  }

  clear(): void {
    this.extreme = -this.sign * Number.POSITIVE_INFINITY;
  }

  add(cell: number): void {
    this.extreme = this.isDescending ? this.of(cell, this.extreme) : this.of(this.extreme, cell);
  }

  result(isOfAll: boolean): number {
    const { extreme } = this;
    if (isOfAll) return extreme;
    return this.isDescending ? this.of(this.otherwise, extreme) : this.of(extreme, this.otherwise);
  }

  /** Of two cells, of which one comes before the other. */
  private of(first: number, second: number): number {
    return this.sign * second > this.sign * first || Number.isNaN(first) ? second : first;
  }
}
