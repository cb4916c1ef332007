import type { Span } from "../../../../language/source/span.js";
import type { CellType } from "../../../../language/types/cell.js";
import { element } from "../../../../language/values/element.js";
import { stridesOf } from "../../../../language/values/shape.js";
import type { LoopAggregator } from "../../loop.js";
import { broadcast } from "../../values/arithmetic.js";
import { byStorage } from "../../values/axes.js";
import { readAxes, withoutAxes } from "../../values/read-axes.js";
import { computed } from "../../values/source.js";
import { wholeBuffer } from "../../values/storage.js";
import {
  type Axis,
  type AxisImage,
  type BufferStride,
  cellsIn,
  constant,
  type LoopDraft,
  type Value,
} from "../../values/value.js";
import type { PlanState } from "../plan-state.js";
import type { Reduction } from "./reduction.js";

/** Loops that fold the cells along the axes that are reduced into one cell for each index of the others. */

/** One cell for each group; what is the same all along a retained axis is folded once for it. */
export function fold(
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
