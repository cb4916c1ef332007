import { atOnce, type Slices } from "../../../language/limits/slices.js";
import { cellsOf } from "../../../language/values/shape.js";
import type { Steps } from "../../meter.js";
import type { ThresholdSumStep } from "../ir/step.js";
import type { Step } from "../loop.js";
import { linesOf } from "../ranking/lines.js";
import { mostShared } from "../ranking/positions.js";
import { thresholdSumSlices } from "../ranking/threshold-sums.js";
import { describeThresholdSum } from "../values/threshold-sum.js";
import type { BufferAccess } from "../values/value.js";
import { type CompiledStep, numbersIn, runSlices, type StepContext } from "./steps.js";

/** How many additions it takes to put a key or a threshold in order. */
const workOfKey = 40;

/** A step that sums cells by how their keys compare with thresholds, a line in each of its parts. */
export function compiledThresholdSum(
  { sum, writes, span, isOnce }: ThresholdSumStep,
  { slotOf, current }: StepContext,
): CompiledStep {
  const { comparison, outer, line, results, keys, cells, thresholds } = sum;
  const readers = {
    keys: linesOf({ outer, line: [line] }, keys),
    cells: linesOf({ outer, line: [line] }, cells),
    thresholds: linesOf({ outer, line: results }, thresholds),
  };
  const [ofKeys, ofCells, ofThresholds, target] = [
    slotOf(keys.slot),
    slotOf(cells.slot),
    slotOf(thresholds.slot),
    slotOf(writes),
  ];
  const isOfKeys = isSameAccess(keys, thresholds) && results.length === 1 && results[0] === line;
  const [lines, sums] = [cellsOf(outer), cellsOf(results)];

  function* summed(first: number, end: number): Slices<void> {
    for (let at = first; at < end; at++) {
      const lineKeys = readers.keys.read(at, numbersIn(ofKeys));
      const found = {
        keys: lineKeys,
        cells: readers.cells.read(at, numbersIn(ofCells)),
        thresholds: isOfKeys ? lineKeys : readers.thresholds.read(at, numbersIn(ofThresholds)),
      };
      const sumsNow = (): Float64Array =>
        (target.block.cells as Float64Array).subarray(at * sums, (at + 1) * sums); // of doubles
      yield* thresholdSumSlices(found, comparison, sumsNow);
    }
  }

  const step: Step = {
    extent: lines,
    work: lines * (line + sums) * workOfKey,
    description: describeThresholdSum(sum),
    run: (first, end) => atOnce(summed(first, end)),
  };
  const runInSlices = (): Steps<void> =>
    runSlices(summed(0, lines), step, workOfKey * mostShared, current().meter, span);
  const isLong = line + sums > mostShared;
  return { step, span, isOnce, ...(isLong ? { runInSlices } : {}) };
}

/** Whether two accesses read the same cells along axes of the same sizes. */
const isSameAccess = (one: BufferAccess, other: BufferAccess): boolean =>
  one.slot === other.slot &&
  one.offset === other.offset &&
  one.strides.length === other.strides.length &&
  one.strides.every((stride, axis) => stride === other.strides[axis]);
