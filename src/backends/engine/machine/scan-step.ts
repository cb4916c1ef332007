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

/** So many cells next to each other are copied at once: making the views of fewer takes longer than copying them. */
const cellsOfCopy = 64;

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
    const fold = this.fold;
    const { results, isDescending, isExclusive } = this.scan;
    if (first === 0) this.begin(from, start);
    const [low, high] = isDescending ? [results - until, results - first] : [first, until];
    // Behind the last cell no result adds one.
    const end = Math.max(low, Math.min(high, this.length));
    this.copy(from, start, into, at, low, end);
    if (isDescending) {
      into.fill(fold.result(false), at + end, at + high);
      fold.scan(into, at + end - 1, -1, end - low, isExclusive);
      if (low === 0 && !isExclusive) into[at] = fold.result(true);
    } else {
      fold.scan(into, at + low, 1, end - low, isExclusive);
      into.fill(fold.result(true), at + end, at + high);
      if (low < end && end === this.length && !isExclusive) into[at + end - 1] = fold.result(true);
    }
  }

  /** Copies the cells from one index up to before another. */
  private copy(
    from: NumberCells,
    start: number,
    into: Float64Array,
    at: number,
    low: number,
    end: number,
  ): void {
    const stride = this.stride;
    if (stride === 1 && end - low >= cellsOfCopy) into.set(from.subarray(start + low, start + end), at + low);
    // The verifier saw that the cells are there.
    else
      for (let index = low; index < end; index++)
        into[at + index] = from[start + offsetAlong(stride, index)] as number;
  }

  /** Of results that descend, cells behind the last one are in all of them. */
  private begin(from: NumberCells, start: number): void {
    const { results, isDescending } = this.scan;
    this.fold.clear();
    if (!isDescending || this.length <= results) return;
    const behind = new Float64Array(this.length - results);
    this.copy(from, start, behind, -results, results, this.length);
    this.fold.scan(behind, behind.length - 1, -1, behind.length, false);
  }
}
