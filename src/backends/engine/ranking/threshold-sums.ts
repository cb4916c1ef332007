import type { Slices } from "../../../language/limits/slices.js";
import { type Comparison, comparisons } from "../../../language/scalar/comparisons.js";
import { RunningTotal } from "../running-folds.js";
import type { KeyComparison } from "../values/value.js";
import { mostShared, positionSlices } from "./positions.js";

/** Keys, the cell of each, and thresholds with which keys are compared; the thresholds may be the same list as the keys. */
export interface ThresholdLine {
  readonly keys: Float64Array;
  readonly cells: Float64Array;
  readonly thresholds: Float64Array;
}

/**
 * Writes for each threshold the sum of the cells whose keys compare with it: time for an order of the keys and one of the thresholds. Nothing
 * compares with NaN. In slices where there are many; where sums are written is asked after each, as the memory may have moved.
 */
export function* thresholdSumSlices(
  { keys, cells, thresholds }: ThresholdLine,
  comparison: KeyComparison,
  sumsNow: () => Float64Array,
): Slices<void> {
  const { lower, isEqualToo: isInclusive }: Comparison = comparisons[comparison];
  // Keys are added up to a threshold, from either end; or those at it alone.
  const [isFromLast, isOfEqual] = [lower === 1, lower === undefined];
  const ofKeys = yield* numbersInOrder(keys, isFromLast);
  const ofThresholds = thresholds === keys ? ofKeys : yield* numbersInOrder(thresholds, isFromLast);
  const sign = isFromLast ? -1 : 1;
  const total = new RunningTotal();
  let sums = sumsNow();
  sums.fill(0); // of thresholds that are NaN
  let [next, last, rest] = [0, Number.NaN, mostShared];
  for (const position of ofThresholds) {
    const threshold = sign * (thresholds[position] as number); // positions are within the lists
    if (isOfEqual && threshold !== last) {
      total.clear();
      while (next < ofKeys.length && (keys[ofKeys[next] as number] as number) < threshold) next++;
      last = threshold;
    }
    for (; next < ofKeys.length; next++, rest--) {
      const at = ofKeys[next] as number;
      const key = sign * (keys[at] as number);
      if (isInclusive ? key > threshold : key >= threshold) break;
      total.add(cells[at] as number);
    }
    sums[position] = total.result();
    if (--rest > 0) continue;
    yield;
    rest = mostShared;
    sums = sumsNow();
  }
}

/** The positions of numbers in their order, or from the last one on; without those of NaN. */
function* numbersInOrder(numbers: Float64Array, isFromLast: boolean): Slices<Int32Array> {
  // A list of its own, as the order that is found next may use the same memory.
  const positions = (yield* positionSlices(numbers)).slice();
  let { length } = positions;
  while (length > 0 && Number.isNaN(numbers[positions[length - 1] as number])) length--;
  const ordered = positions.subarray(0, length);
  return isFromLast ? ordered.reverse() : ordered;
}
