import type { NodeOf } from "../../../../language/core/operations.js";
import type { AggregatorName } from "../../../../language/scalar/aggregators.js";
import type { LoopAggregator } from "../../loop.js";
import { broadcast, combined, rounded } from "../../values/arithmetic.js";
import { cellsIn, constant, stored, type Value } from "../../values/value.js";
import { summedProduct } from "../dependencies.js";
import { inCanonicalOrder } from "../joins/aligning.js";
import type { PlanState } from "../plan-state.js";
import { isUnsupported, isValue, type Planned } from "../planned.js";
import type { Scope } from "../scope.js";
import type { ChoiceSum } from "./choice-sum.js";
import { fold } from "./folding.js";
import { chosenExtreme, pickedCells } from "./picking.js";
import { median } from "./ranking.js";
import { type Reduction, reductionOf } from "./reduction.js";
import { runningFold } from "./running-folds.js";
import { shorterSum } from "./shorter-sum.js";

/** How a reduction is made of loops: by one aggregator, or a sum and what is done with it; a median is none. */
const lowerings: Readonly<Record<AggregatorName, LoopAggregator | "mean" | "number" | undefined>> = {
  avg: "mean",
  count: "number",
  max: "max",
  median: undefined,
  min: "min",
  prod: "prod",
  sum: "sum",
  vespaMax: "vespaMax",
  vespaMin: "vespaMin",
};

/**
 * reduce: a loop over all axes, the retained ones first, into a cell for each group. The join under a sum of products is
 * planned here, since its rows may not be needed.
 */
export function reduce(node: NodeOf<"reduce">, state: PlanState, scope: Scope): Planned {
  const shorter = contracted(node, state, scope) ?? pickedCells(node, state, scope);
  if (shorter !== undefined) return shorter;
  const planned = scope.get(node.tensor) ?? state.body(scope, node.tensor);
  return isValue(planned) ? reduced(node, planned, state) : planned;
}

function reduced(node: NodeOf<"reduce">, value: Value, state: PlanState): Planned {
  const { type, span } = node;
  const lowering = lowerings[node.aggregator];
  const reduction = reductionOf(value, node.over);
  if (isUnsupported(reduction)) return reduction;
  if (reduction.isReordered && isOrdered(node.aggregator))
    return reduced(node, inCanonicalOrder(state, value, span), state);
  // Of no cells at all every aggregator makes 0, at all indexes that the result has.
  if (cellsIn(value.axes) === 0) return { axes: reduction.retained, source: constant(0).source };
  if (lowering === undefined) return median(node, value, reduction, state);
  if (lowering === "number") return broadcast(countOf(state, reduction), reduction.retained);
  const isMean = lowering === "mean";
  const cellType = isMean || reduction.grouped !== undefined ? "double" : type.cellType;
  const asWritten = (): Value => fold(state, value, reduction, isMean ? "sum" : lowering, cellType, span);
  const choices: ChoiceSum = { reduction, state, span, asWritten, isOfNumbers: false };
  const isSum = isMean || lowering === "sum";
  const shorter = isSum
    ? shorterSum(value, choices)
    : (chosenExtreme(value, lowering, choices) ?? runningFold(value, lowering, choices));
  const total = shorter ?? asWritten();
  if (!isMean) return rounded(total, type);
  const count = countOf(state, reduction);
  const mean = combined({ op: "apply", function: "divide" }, [total, count]);
  return rounded(mean, type);
}

/** The value of a sum over a product whose rows nothing has joined yet, if they need not be. */
function contracted(node: NodeOf<"reduce">, state: PlanState, scope: Scope): Value | undefined {
  const product = summedProduct(node);
  if (product === undefined || scope.get(product) !== undefined) return undefined;
  const [left, right] = [scope.get(product.left), scope.get(product.right)];
  if (left === undefined || right === undefined || !isValue(left) || !isValue(right)) return undefined;
  return state.passes.contract({ node, product, left, right }, state);
}

/** Whether the order of cells shows: where a product overflows on the way, or which NaN comes first. */
const isOrdered = (aggregator: AggregatorName): boolean =>
  aggregator === "prod" || aggregator === "vespaMax" || aggregator === "vespaMin";

/** How many cells each group has. */
function countOf(state: PlanState, { reduced, grouped }: Reduction): Value {
  const each = cellsIn(reduced);
  if (grouped === undefined) return constant(each);
  const counts = state.storage.tables.cells(grouped.grouping.counts.map((rows) => rows * each));
  return { axes: [grouped.to], source: stored(counts) };
}
