import type { ScalarBuilder } from "../../language/check/models/scalar-builder.js";
import { type Forest, type Split, type Tree, zeroThreshold } from "./forest.js";

/** The sum of all trees of a forest of one class, for these features. */
export function sumOfTrees<Value>(
  trees: readonly Tree[],
  { divisor }: Pick<Forest, "divisor">,
  base: number,
  features: readonly Value[],
  build: ScalarBuilder<Value>,
): Value {
  const sum = build.sum(trees.map((tree) => treeValue(tree, features, build)));
  const mean = divisor === 1 ? sum : build.apply("divide", [sum, build.number(divisor)]);
  return base === 0 ? mean : build.apply("add", [mean, build.number(base)]);
}

/** One tree, as conditions on features. */
export function treeValue<Value>(tree: Tree, features: readonly Value[], build: ScalarBuilder<Value>): Value {
  if (tree.kind === "leaf") return build.number(tree.value);
  const feature = features[tree.feature];
  if (feature === undefined) throw new RangeError(`a split asks for feature ${tree.feature}`);
  const { condition, isOpposite } = splitCondition(tree, feature, build);
  const [yes, no] = [treeValue(tree.yes, features, build), treeValue(tree.no, features, build)];
  return isOpposite ? build.select(condition, no, yes) : build.select(condition, yes, no);
}

/** A condition for the test of a split, or for its opposite: NaN, of which no comparison is true, passes what is not above. */
interface SplitCondition<Value> {
  readonly condition: Value;
  readonly isOpposite: boolean;
}

function splitCondition<Value>(
  { test, passesMissing }: Split,
  x: Value,
  { number, apply, select, isAmong }: ScalarBuilder<Value>,
): SplitCondition<Value> {
  const question = (condition: Value): SplitCondition<Value> => ({ condition, isOpposite: false });
  const opposite = (condition: Value): SplitCondition<Value> => ({ condition, isOpposite: true });
  const orMissing = (condition: Value): SplitCondition<Value> =>
    question(passesMissing ? apply("or", [condition, apply("isNan", [x])]) : condition);
  switch (test.kind) {
    case "below":
      return passesMissing
        ? opposite(apply("greaterOrEqual", [x, number(test.threshold)]))
        : question(apply("less", [x, number(test.threshold)]));
    case "at most":
      return passesMissing
        ? opposite(apply("greater", [x, number(test.threshold)]))
        : question(apply("lessOrEqual", [x, number(test.threshold)]));
    case "at most, or 0 missing": {
      // A 0 goes where a missing value goes, whatever the threshold says.
      const isOther = (): Value => apply("greater", [apply("abs", [x]), number(zeroThreshold)]);
      const { threshold } = test;
      if (passesMissing) {
        const isAbove = apply("greater", [x, number(threshold)]);
        return opposite(threshold >= zeroThreshold ? isAbove : apply("and", [isAbove, isOther()]));
      }
      const isAtMost = apply("lessOrEqual", [x, number(threshold)]);
      return question(threshold < -zeroThreshold ? isAtMost : apply("and", [isAtMost, isOther()]));
    }
    case "among":
      return orMissing(isAmong(x, test.labels));
    case "category": {
      const { categories, truncates } = test;
      const below = apply("floor", [x]);
      const isTruncated = truncates && categories.includes(0);
      const whole = isTruncated ? select(apply("less", [x, number(0)]), apply("ceil", [x]), below) : below;
      return orMissing(isAmong(whole, categories));
    }
  }
}
