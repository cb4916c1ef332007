import { aggregators, type Fold } from "../../../language/scalar/aggregators.js";
import { writeCell } from "../../../language/types/cell.js";
import type { Access, LoopAggregator } from "../loop.js";

/**
 * The totals of a loop with an aggregator, one for each cell of the target's block, until all values have come. Totals
 * are doubles, and sums keep what rounding loses (D16).
 */
export class Folding {
  private readonly fold: Fold;
  private readonly totals: Float64Array;
  private readonly lost: Float64Array | undefined;
  private readonly met: Uint8Array;

  constructor(
    aggregator: LoopAggregator,
    private readonly cells: number,
  ) {
    this.fold = aggregators[aggregator];
    this.totals = new Float64Array(cells);
    this.lost = this.fold.compensated ? new Float64Array(cells) : undefined;
    this.met = new Uint8Array(cells);
  }

  begin(): void {
    this.totals.fill(this.fold.start ?? 0);
    this.lost?.fill(0);
    this.met.fill(0);
  }

  /** Folds values into the places `start + offsets` of the target. */
  add(values: Float64Array, count: number, start: number, offsets: Int32Array): void {
    const { lost } = this;
    if (lost === undefined) this.step(values, count, start, offsets);
    else {
      for (let at = 0; at < count; at++) this.sum(lost, start + (offsets[at] ?? 0), values[at] ?? 0);
    }
  }

  private sum(lost: Float64Array, place: number, value: number): void {
    const before = this.totals[place] ?? 0;
    const total = before + value;
    // Of two terms the smaller one loses digits.
    const missed = Math.abs(before) >= Math.abs(value) ? before - total + value : value - total + before;
    if (Number.isFinite(total)) lost[place] = (lost[place] ?? 0) + missed;
    this.totals[place] = total;
    this.met[place] = 1;
  }

  private step(values: Float64Array, count: number, start: number, offsets: Int32Array): void {
    const { fold, totals, met } = this;
    const hasStart = fold.start !== undefined;
    for (let at = 0; at < count; at++) {
      const place = start + (offsets[at] ?? 0);
      const value = values[at] ?? 0;
      totals[place] = hasStart || met[place] === 1 ? fold.step(totals[place] ?? 0, value) : value;
      met[place] = 1;
    }
  }

  /** Puts the totals in the target; places that no value fell on are left alone. */
  finish({ slot, cellType }: Access): void {
    const { cells } = slot.block;
    for (let place = 0; place < this.cells; place++) {
      if (this.met[place] === 0) continue;
      const total = this.totals[place] ?? 0;
      const lost = this.lost?.[place] ?? 0;
      writeCell(cellType, cells, place, Number.isFinite(total) && lost !== 0 ? total + lost : total);
    }
  }
}
