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

  add(cell: number): void {
    const signed = this.sign * cell;
    // A cell that comes later, but stands before the others, is the first of equal ones.
    if (this.isDescending ? signed >= this.greatest : signed > this.greatest) this.greatest = signed;
  }

  result(isOfAll: boolean): number {
    const { greatest } = this;
    if (isOfAll) return this.sign * greatest;
    const other = this.sign * this.otherwise;
    const isOther = this.isDescending ? other >= greatest : other > greatest;
    return this.sign * (isOther ? other : greatest);
  }
}
