import type { AggregatorName } from "../language/scalar/aggregators.js";
import type { TensorType } from "../language/types/type.js";
import { type Pass, rule } from "./rewrite-rule.js";

/**
 * Reductions of reductions. A mean of means is none, for groups may differ in size; a product of products may overflow
 * where the product does not; and a median looks at all cells. Where groups have no cells, 0 stands for them: then all
 * have none, and the one reduction makes 0 of it too.
 */

/** Rows are grouped one factor at a time, so that two partial reductions may be quicker than one. */
const isPartial = (from: TensorType, to: TensorType): boolean =>
  to.mapped.length > 0 && to.mapped.length < from.mapped.length;

const merged: ReadonlySet<AggregatorName> = new Set(["sum", "max", "min"]);

export const reductions: Pass = {
  name: "reductions",
  description: "reductions of reductions",
  rules: [
    rule(
      "reduce",
      "sum(sum(t, x), y) = sum(t, x, y), added up in another order (D16); so of max and min",
      ({ tensor, aggregator, over, type, span }, graph) => {
        if (tensor.op !== "reduce" || tensor.aggregator !== aggregator || !merged.has(aggregator))
          return undefined;
        if (isPartial(tensor.tensor.type, type)) return undefined;
        const isAll = over.length === 0 || tensor.over.length === 0;
        return graph.reduce(tensor.tensor, aggregator, isAll ? [] : [...tensor.over, ...over], span);
      },
    ),
  ],
};
