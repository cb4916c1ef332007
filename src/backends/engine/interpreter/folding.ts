import { aggregators, type Fold } from "../../../language/scalar/aggregators.js";
import { writeCell } from "../../../language/types/cell.js";
import { intAt, numberAt } from "../../../language/values/element.js";
import type { Access, LoopAggregator } from "../loop.js";

/**
 * The totals of a loop with an aggregator, one for each cell of the target's block, until all values have come. Totals
 * are doubles, and sums keep what rounding loses (D16).
 */
export class Accumulators {
  private readonly fold: Fold;
  private readonly totals: Float64Array;
  private readonly compensations: Float64Array | undefined;
  private readonly hasValue: Uint8Array;

  constructor(
    aggregator: LoopAggregator,
    private readonly cells: number,
  ) {
    this.fold = aggregators[aggregator];
    this.totals = new Float64Array(cells);
    this.compensations = this.fold.compensated ? new Float64Array(cells) : undefined;
    this.hasValue = new Uint8Array(cells);
  }

  begin(): void {
    this.totals.fill(this.fold.start ?? 0);
    this.compensations?.fill(0);
    this.hasValue.fill(0);
  }

  /** Folds values into the cells `start + offsets` of the target. */
  add(values: Float64Array, count: number, start: number, offsets: Int32Array): void {
    const { compensations } = this;
    if (compensations === undefined) this.step(values, count, start, offsets);
    else {
      for (let at = 0; at < count; at++)
        this.sum(compensations, start + intAt(offsets, at), numberAt(values, at));
    }
  }

  private sum(compensation: Float64Array, cell: number, value: number): void {
    const previous = numberAt(this.totals, cell);
    const total = previous + value;
    // Of two terms the smaller one loses digits.
    const error = Math.abs(previous) >= Math.abs(value) ? previous - total + value : value - total + previous;
    if (Number.isFinite(total)) compensation[cell] = numberAt(compensation, cell) + error;
    this.totals[cell] = total;
    this.hasValue[cell] = 1;
  }

  private step(values: Float64Array, count: number, start: number, offsets: Int32Array): void {
    const { fold, totals, hasValue } = this;
    const hasStart = fold.start !== undefined;
    for (let at = 0; at < count; at++) {
      const cell = start + intAt(offsets, at);
      const value = numberAt(values, at);
      totals[cell] = hasStart || hasValue[cell] === 1 ? fold.step(numberAt(totals, cell), value) : value;
      hasValue[cell] = 1;
    }
  }

  /** Writes the totals to the target; cells that got no value stay as they are. */
  finish({ slot, cellType }: Access): void {
    const { cells } = slot.block;
    for (let cell = 0; cell < this.cells; cell++) {
      if (this.hasValue[cell] === 0) continue;
      const total = numberAt(this.totals, cell);
      const compensation = this.compensations === undefined ? 0 : numberAt(this.compensations, cell);
      writeCell(
        cellType,
        cells,
        cell,
        Number.isFinite(total) && compensation !== 0 ? total + compensation : total,
      );
    }
  }
}
