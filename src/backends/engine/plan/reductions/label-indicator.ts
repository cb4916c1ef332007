import type { IndexedAxis, Operand, Value } from "../../values/value.js";
import { type Indicator, indexedAxisOf, operandsOf, partOf } from "./choices.js";

/** That labels are an index: `label == index`, of a label that does not depend on it. */
export interface LabelIndicator extends Indicator {
  readonly label: Value;
  readonly index: IndexedAxis;
}

/** Reads `label == index`, of a dense value. */
export function labelIndicator(
  value: Value,
  condition: Operand,
  isNegated: boolean,
): LabelIndicator | undefined {
  const [left, right] = isNegated ? [] : operandsOf(condition, "equal");
  if (left === undefined || right === undefined) return undefined;
  return indicatedBy(value, left, right) ?? indicatedBy(value, right, left);
}

function indicatedBy(value: Value, side: Operand, other: Operand): LabelIndicator | undefined {
  const index = indexedAxisOf(value, side);
  if (index === undefined) return undefined;
  const label = partOf(value, other);
  return label.axes.includes(index) ? undefined : { label, index, apart: [index] };
}
