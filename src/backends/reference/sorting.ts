import type { Span } from "../../language/source/span.js";
import { intAt } from "../../language/values/element.js";
import type { Meter, Steps } from "../meter.js";

/** The numbers 0, 1, 2 … so many, in the order of `compare`: a stable merge sort that can be left between its steps. */
export function* sortedPositions(
  count: number,
  compare: (left: number, right: number) => number,
  meter: Meter,
  span: Span,
): Steps<Int32Array> {
  let from = Int32Array.from({ length: count }, (_, at) => at);
  let into = new Int32Array(count);
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const [middle, stop] = [Math.min(start + width, count), Math.min(start + 2 * width, count)];
      let [left, right] = [start, middle];
      for (let at = start; at < stop; at++) {
        const takeLeft =
          left < middle && (right >= stop || compare(intAt(from, left), intAt(from, right)) <= 0);
        into[at] = intAt(from, takeLeft ? left++ : right++);
        if (meter.spend(1, span)) yield;
      }
    }
    [from, into] = [into, from];
  }
  return from;
}
