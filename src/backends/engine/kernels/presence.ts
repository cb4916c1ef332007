import type { LocalScope, StackValue } from "./scope.js";

/** Which lanes of a vector stand for cells, where an axis ends within it. */

/** How wide the lanes are that cells are masked by. */
export type MaskLanes = "i8x16" | "i16x8" | "i32x4" | "i64x2";

const bytesOf: Readonly<Record<MaskLanes, number>> = { i8x16: 1, i16x8: 2, i32x4: 4, i64x2: 8 };

/** The number of each lane, in words; lanes of 64 bits are compared in halves, which both hold it. */
function laneNumbers(lanes: MaskLanes): readonly number[] {
  const bytes = bytesOf[lanes];
  return Array.from({ length: 4 }, (_, word) => {
    const first = Math.floor((word * 4) / bytes);
    let numbers = 0;
    for (let at = 0; at * bytes < 4; at++) numbers |= (first + at) << (8 * bytes * at);
    return numbers;
  });
}

/** The number of each lane, set at the start of the function. */
export const pooledLaneNumbers = (scope: LocalScope, lanes: MaskLanes): StackValue =>
  scope.vector("i32x4", laneNumbers(lanes));

/**
 * The number of each lane, computed here: V8 holds a constant in a register throughout (Node 20), which a loop that uses
 * them all would have to do without.
 */
export function computedLaneNumbers(scope: LocalScope, lanes: MaskLanes): StackValue {
  const local = scope.take("v128");
  for (const [at, word] of laneNumbers(lanes).entries())
    scope.code.get(local).i32(word).lane("i32x4.replace_lane", at).set(local);
  return scope.local(local);
}

/** A mask of the lanes that stand for cells, of which there are so many from the first lane on. */
export function presentLanes(
  scope: LocalScope,
  lanes: MaskLanes,
  numbers: StackValue,
  remaining: StackValue,
): StackValue {
  const compared = lanes === "i64x2" ? "i32x4" : lanes;
  return scope.of([`${compared}.gt_s`], scope.of([`${compared}.splat`], remaining), numbers);
}
