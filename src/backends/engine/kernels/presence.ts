import type { LocalScope, StackValue } from "./scope.js";

/** How wide the lanes are that cells beyond the end of an axis are masked by. */
export type MaskLanes = "i8x16" | "i16x8" | "i32x4" | "i64x2";

/** The number of each lane; lanes of 64 bits are compared in halves, which both hold it. */
function laneNumbers(scope: LocalScope, lanes: MaskLanes): StackValue {
  if (lanes === "i64x2") return scope.vector("i32x4", [0, 0, 1, 1]);
  const count = { i8x16: 16, i16x8: 8, i32x4: 4 }[lanes];
  return scope.vector(
    lanes,
    Array.from({ length: count }, (_, lane) => lane),
  );
}

/** A mask of the lanes that stand for cells, of which there are so many from the first lane on. */
export function presentLanes(scope: LocalScope, lanes: MaskLanes, remaining: StackValue): StackValue {
  const compared = lanes === "i64x2" ? "i32x4" : lanes;
  const splat = scope.of([`${compared}.splat`], remaining);
  return scope.of([`${compared}.gt_s`], splat, laneNumbers(scope, lanes));
}
