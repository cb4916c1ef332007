import type { AggregatorName } from "../scalar/aggregators.js";
import { law, type Pass } from "./law.js";

/**
 * Reductions of reductions. A mean of means is none, for groups may differ in size; a product of products may overflow
 * where the product does not; and a median looks at all cells. Where groups have no cells, 0 stands for them: then all
 * have none, and the one reduction makes 0 of it too.
 */

const merged: ReadonlySet<AggregatorName> = new Set(["sum", "max", "min"]);

export const reductions: Pass = {
  name: "reductions",
  says: "reductions of reductions",
  laws: [
    law(
      "reduce",
      "sum(sum(t, x), y) = sum(t, x, y), added up in another order (D16); so of max and min",
      ({ tensor, aggregator, over, span }, graph) => {
        if (tensor.op !== "reduce" || tensor.aggregator !== aggregator || !merged.has(aggregator))
          return undefined;
        const isAll = over.length === 0 || tensor.over.length === 0;
        return graph.reduce(tensor.tensor, aggregator, isAll ? [] : [...tensor.over, ...over], span);
      },
    ),
  ],
};
