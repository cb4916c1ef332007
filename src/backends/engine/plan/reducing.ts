import type { NodeOf } from "../../../language/core/operations.js";
import type { AggregatorName } from "../../../language/scalar/aggregators.js";
import type { Span } from "../../../language/source/span.js";
import type { CellType } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { stridesOf } from "../../../language/values/shape.js";
import type { LoopAggregator } from "../loop.js";
import { broadcast, combined, rounded } from "../values/arithmetic.js";
import { byStorage } from "../values/axes.js";
import { readAxes, withoutAxes } from "../values/read-axes.js";
import { computed } from "../values/source.js";
import { wholeBuffer } from "../values/storage.js";
import {
  type Axis,
  type AxisImage,
  type BufferStride,
  cellsIn,
  constant,
  type LoopDraft,
  stored,
  type Value,
} from "../values/value.js";
import { inCanonicalOrder } from "./aligning.js";
import { summedProduct } from "./dependencies.js";
import { chosenSum, pickedCells } from "./picking.js";
import type { PlanState } from "./plan-state.js";
import { isUnsupported, isValue, type Planned } from "./planned.js";
import { median } from "./ranking.js";
import { type Reduction, reductionOf } from "./reduction.js";
import { runningSum } from "./running-sums.js";
import type { Scope } from "./scope.js";

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
  const choices = { reduction, state, span, asWritten };
  const total =
    (lowering === "sum" && (chosenSum(value, choices) ?? runningSum(value, choices))) || asWritten();
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

/** One cell for each group; what is the same all along a retained axis is folded once for it. */
function fold(
  state: PlanState,
  value: Value,
  reduction: Reduction,
  aggregator: LoopAggregator,
  cellType: CellType,
  span: Span,
): Value {
  const { retained } = reduction;
  const read = readAxes(value);
  const same = retained.filter((axis) => axis.size > 1 && value.axes.includes(axis) && !read.includes(axis));
  if (same.length === 0) return folded(state, value, reduction, aggregator, cellType, span);
  const others = { ...reduction, retained: retained.filter((axis) => !same.includes(axis)) };
  return broadcast(folded(state, withoutAxes(value, same), others, aggregator, cellType, span), retained);
}

function folded(
  state: PlanState,
  value: Value,
  { retained, reduced, grouped }: Reduction,
  aggregator: LoopAggregator,
  cellType: CellType,
  span: Span,
): Value {
  state.allowProduced(cellsIn(value.axes), span);
  const strides = stridesOf(retained.map(({ size }) => size));
  // The factor whose rows are grouped stands in for its groups, and is walked first.
  const all = [
    ...(grouped === undefined ? [] : [grouped.axis]),
    ...retained.filter((axis) => axis !== grouped?.to),
    ...reduced,
  ];
  const loopStrides = all.map((axis): BufferStride => {
    if (axis === grouped?.axis) {
      const stride = element(strides, retained.indexOf(grouped.to));
      return state.storage.tables.strideOfRows(stride, grouped.grouping.groups);
    }
    const at = retained.indexOf(axis);
    return at < 0 ? 0 : element(strides, at);
  });
  const images = value.axes.map((axis): AxisImage => ({ axis: all.indexOf(axis) }));
  const { source } = computed(all, { op: "view" }, [{ source: value.source, images }]);
  const axes = all.map((axis) => ({ size: axis.size, isReduced: reduced.includes(axis) }));
  const loop: LoopDraft = { kind: "loop", axes, source, offset: 0, strides: loopStrides, aggregator };
  const buffer = state.storage.buffer(cellType, cellsIn(retained), { kind: "loops", loops: [loop] }, span);
  return wholeBuffer(buffer, retained);
}

/** The sum over all axes of a kind, in doubles. */
export function summedOver(
  state: PlanState,
  value: Value,
  isSummed: (axis: Axis) => boolean,
  span: Span,
): Value {
  const reduced = value.axes.filter(isSummed);
  if (reduced.length === 0) return value;
  const retained = value.axes.filter((axis) => !isSummed(axis)).sort(byStorage);
  if (cellsIn(value.axes) === 0) return { axes: retained, source: constant(0).source };
  const reduction = { retained, reduced, grouped: undefined, isReordered: false };
  return fold(state, value, reduction, "sum", "double", span);
}

/** How many cells each group has. */
function countOf(state: PlanState, { reduced, grouped }: Reduction): Value {
  const each = cellsIn(reduced);
  if (grouped === undefined) return constant(each);
  const counts = state.storage.tables.cells(grouped.grouping.counts.map((rows) => rows * each));
  return { axes: [grouped.to], source: stored(counts) };
}
