import type { Span } from "../../language/source/span.js";
import type { Meter, Steps } from "../meter.js";

/** The numbers 0, 1, 2 … so many, in the order of `compare`: a stable merge sort that can be left between its steps. */
export function* sortedPositions(
  count: number,
  compare: (left: number, right: number) => number,
  meter: Meter,
  span: Span,
): Steps<Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, at) => at);
  let into = new Uint32Array(count);
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const [middle, stop] = [Math.min(start + width, count), Math.min(start + 2 * width, count)];
      let [left, right] = [start, middle];
      for (let at = start; at < stop; at++) {
        const takeLeft = left < middle && (right >= stop || compare(from[left] ?? 0, from[right] ?? 0) <= 0);
        into[at] = from[takeLeft ? left++ : right++] ?? 0;
        if (meter.spend(1, span)) yield;
      }
    }
    [from, into] = [into, from];
  }
  return from;
}
