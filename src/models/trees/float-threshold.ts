import type { SplitTest } from "./forest.js";

/**
 * XGBoost rounds a value to a float, and then asks whether it is below a float. A double is rounded to below the threshold if it lies below the
 * middle of the threshold and the float before it, or on the middle if that is rounded down: to even.
 */
export function belowAsFloat(threshold: number): SplitTest {
  const float = Math.fround(threshold);
  if (!Number.isFinite(float)) return { kind: "below", threshold: float };
  const bits = new DataView(new ArrayBuffer(4));
  bits.setFloat32(0, float);
  const pattern = bits.getInt32(0);
  // The float before: one step toward zero above it, one step away below it.
  if (float === 0) bits.setInt32(0, -0x7fffffff);
  else bits.setInt32(0, pattern + (float > 0 ? -1 : 1));
  const before = bits.getFloat32(0);
  const isBeforeEven = (bits.getInt32(0) & 1) === 0;
  return { kind: isBeforeEven ? "at most" : "below", threshold: (before + float) / 2 };
}
