import { element } from "../../../language/values/element.js";
import type { ScanStep } from "../ir/step.js";
import type { Step } from "../loop.js";
import { RunningTotal } from "../running-total.js";
import { describeScan, linesOf } from "../values/scan.js";
import { offsetAlong } from "../values/tables.js";
import type { BufferStride, Scan } from "../values/value.js";
import type { NumberCells } from "./gather-step.js";
import { PartOffsets } from "./part-offsets.js";
import type { CompiledStep, StepContext } from "./steps.js";

/** How many additions it takes to add a cell without losing what is rounded. */
const workOfCell = 8;

/** A step that writes running sums. Its parts are the sums, in the order in which they grow, line by line. */
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

/** The sums of a line, some at a time, as they grow. */
class Line {
  private readonly length: number;
  private readonly stride: BufferStride;
  private readonly total = new RunningTotal();

  constructor(private readonly scan: Scan) {
    this.length = element(scan.sizes, scan.sizes.length - 1);
    this.stride = element(scan.cells.strides, scan.sizes.length - 1);
  }

  /** Writes the sums from one on, up to before another, of the cells from a start on. */
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
      if (isExclusive) into[at + index] = this.total.rounded();
      this.add(from, start, index);
      if (!isExclusive) into[at + index] = this.total.rounded();
    }
  }

  /** Of sums that descend, cells behind the last sum are in all of them. */
  private begin(from: NumberCells, start: number): void {
    this.total.clear();
    if (!this.scan.isDescending) return;
    for (let index = this.length - 1; index >= this.scan.results; index--) this.add(from, start, index);
  }

  private add(from: NumberCells, start: number, index: number): void {
    // The verifier saw that the cell is there.
    if (index < this.length) this.total.add(from[start + offsetAlong(this.stride, index)] as number);
  }
}
