import { combined } from "../values/arithmetic.js";
import { throughViews, viewed } from "../values/source.js";
import type { Operand, Value } from "../values/value.js";
import type { ChoiceSum } from "./choice-sum.js";
import { operandsOf } from "./choices.js";
import { chosenSum } from "./picking.js";
import { runningSum } from "./running-folds.js";
import { thresholdSum } from "./threshold-sums.js";

/** The sum of a value most of whose cells are 0, if it takes less time than to add them all. */
export const shorterSum = (value: Value, sum: ChoiceSum): Value | undefined =>
  chosenSum(value, sum) ??
  runningSum(value, sum) ??
  thresholdSum(value, sum) ??
  sumOfTerms(value, sum, "add") ??
  sumOfTerms(value, sum, "subtract");

/** As `sum((x > y) + 0.5 * (x == y))`: terms that are numbers where something holds have sums of their own, of which nothing is lost by rounding. */
function sumOfTerms(value: Value, sum: ChoiceSum, operation: "add" | "subtract"): Value | undefined {
  const terms = operandsOf(throughViews({ source: value.source, images: undefined }), operation);
  if (terms.length === 0) return undefined;
  const sums: Value[] = [];
  for (const term of terms) {
    const shorter = shorterSum(seenAlong(value, term), { ...sum, isOfNumbers: true });
    if (shorter === undefined) return undefined;
    sums.push(shorter);
  }
  return combined({ op: "apply", function: operation }, sums);
}

const seenAlong = ({ axes }: Value, { source, images }: Operand): Value =>
  images === undefined ? { axes, source } : viewed(axes, source, images);
