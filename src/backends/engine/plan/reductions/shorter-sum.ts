import { combined } from "../../values/arithmetic.js";
import { throughViews, viewed } from "../../values/source.js";
import type { Operand, Value } from "../../values/value.js";
import type { ChoiceSum } from "./choice-sum.js";
import { operandsOf } from "./choices.js";
import { chosenSum } from "./picking.js";
import { runningSum } from "./running-folds.js";
import { thresholdSum } from "./threshold-sums.js";

/** The sum of a value most of whose cells are 0, if it takes less time than to add them all. */
export const shorterSum = (value: Value, sum: ChoiceSum): Value | undefined =>
  choiceSum(value, sum) ?? sumOfTerms(value, sum, mostNested);

const choiceSum = (value: Value, sum: ChoiceSum): Value | undefined =>
  chosenSum(value, sum) ?? runningSum(value, sum) ?? thresholdSum(value, sum);

/** Sums of terms are looked through so deep: of many terms, all of them are computed at once. */
const mostNested = 4;

/** As `sum((x > y) + 0.5 * (x == y))`: terms that are numbers where something holds have sums of their own, of which nothing is lost by rounding. */
function sumOfTerms(value: Value, sum: ChoiceSum, nested: number): Value | undefined {
  const root = throughViews({ source: value.source, images: undefined });
  for (const operation of nested === 0 ? [] : (["add", "subtract"] as const)) {
    const sums: Value[] = [];
    const ofTerms = { ...sum, isOfNumbers: true };
    const terms = operandsOf(root, operation);
    for (const term of terms) {
      const seen = seenAlong(value, term);
      const shorter = choiceSum(seen, ofTerms) ?? sumOfTerms(seen, ofTerms, nested - 1);
      if (shorter === undefined) break;
      sums.push(shorter);
    }
    if (terms.length > 0 && sums.length === terms.length)
      return combined({ op: "apply", function: operation }, sums);
  }
  return undefined;
}

const seenAlong = ({ axes }: Value, { source, images }: Operand): Value =>
  images === undefined ? { axes, source } : viewed(axes, source, images);
