import { element } from "../../../language/values/element.js";
import type { ScanStep } from "../ir/step.js";
import type { Step } from "../loop.js";
import { type RunningFold, runningFolds } from "../running-folds.js";
import { describeScan, linesOf } from "../values/scan.js";
import { offsetAlong } from "../values/tables.js";
import type { BufferStride, Scan } from "../values/value.js";
import type { NumberCells } from "./labels/gather-step.js";
import { PartOffsets } from "./part-offsets.js";
import type { CompiledStep, StepContext } from "./steps.js";

/** How many additions it takes to fold a cell, in a sum without losing what is rounded. */
const workOfCell = 8;

/** A step that writes running folds. Its parts are their results, in the order in which cells come, line by line. */
export function compiledScan(
  { scan, writes, span, isOnce }: ScanStep,
  { slotOf }: StepContext,
): CompiledStep {
  const [from, target] = [slotOf(scan.cells.slot), slotOf(writes)];
  const lines = new PartOffsets(scan.sizes.slice(0, -1));
  const { results, cells } = scan;
  const outerStrides = cells.strides.slice(0, -1);
  const line = new Line(scan);
  const extent = linesOf(scan) * results;
  const step: Step = {
    extent,
    work: extent * workOfCell,
    description: describeScan(scan),
    run: (first, end) => {
      const output = target.block.cells as Float64Array; // of doubles
      const input = from.block.cells as NumberCells; // a scan has no bits of numbers
      for (let part = first; part < end; ) {
        const index = lines.moveToRow(part, results);
        const until = Math.min(results, index + end - part);
        const at = part - index;
        const start = cells.offset + lines.along(outerStrides);
        line.write(input, start, output, at, index, until);
        part += until - index;
      }
    },
  };
  return { step, span, isOnce };
}

/** The results of a line, some at a time, in the order in which cells come. */
class Line {
  private readonly length: number;
  private readonly stride: BufferStride;
  private readonly fold: RunningFold;

  constructor(private readonly scan: Scan) {
    this.length = element(scan.sizes, scan.sizes.length - 1);
    this.stride = element(scan.cells.strides, scan.sizes.length - 1);
    this.fold = runningFolds[scan.aggregator](scan.otherwise, scan.isDescending);
  }

  /** Writes the results from one on, up to before another, of the cells from a start on. */
  write(
    from: NumberCells,
    start: number,
    into: Float64Array,
    at: number,
    first: number,
    until: number,
  ): void {
    const { results, isDescending, isExclusive } = this.scan;
    if (first === 0) this.begin(from, start);
    for (let each = first; each < until; each++) {
      const index = isDescending ? results - 1 - each : each;
      if (!isExclusive) this.add(from, start, index);
      into[at + index] = this.fold.result(this.isOfAll(index));
      if (isExclusive) this.add(from, start, index);
    }
  }

  /** Whether the result at an index is of all cells of the line. */
  private isOfAll(index: number): boolean {
    const { isDescending, isExclusive } = this.scan;
    if (isDescending) return !isExclusive && index === 0;
    return index + (isExclusive ? 0 : 1) >= this.length;
  }

  /** Of results that descend, cells behind the last one are in all of them. */
  private begin(from: NumberCells, start: number): void {
    this.fold.clear();
    if (!this.scan.isDescending) return;
    for (let index = this.length - 1; index >= this.scan.results; index--) this.add(from, start, index);
  }

  private add(from: NumberCells, start: number, index: number): void {
    // The verifier saw that the cell is there.
    if (index < this.length) this.fold.add(from[start + offsetAlong(this.stride, index)] as number);
  }
}
