import type { Node, NodeOf } from "../../../language/core/operations.js";
import { cellTypes } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { rounded } from "../values/arithmetic.js";
import { byStorage, isSameAxis } from "../values/axes.js";
import { wholeBuffer } from "../values/storage.js";
import {
  type Axis,
  type BufferAccess,
  type BufferStride,
  cellsIn,
  type GatherLabel,
  type Value,
} from "../values/value.js";
import type { PlanState } from "./plan-state.js";
import { type Planned, unsupported } from "./planned.js";
import type { Scope } from "./scope.js";

/**
 * A slice at labels that only cells tell, as rows of a table by their numbers: the labels are stored, and a step of its own
 * copies the cells where they say. Numbers are the labels of indexed dimensions alone.
 */
export function gather(
  { type, span, tensor }: NodeOf<"slice">,
  value: Value,
  labels: ReadonlyMap<string, Node>,
  { storage }: PlanState,
  scope: Scope,
): Planned {
  // A label that is not there is 0 in a dense result, and leaves no row in another.
  if (!type.isDense) return unsupported("labels that cells decide, of a result with rows");
  const found = [...labels].map(([dimension, node]) => {
    const label = scope.value(node);
    const { access } = storage.store(label, "double", node.span).source;
    return { at: value.axes.findIndex(({ name }) => name === dimension), axes: label.axes, access };
  });
  if (found.some(({ at }) => at < 0)) return unsupported("labels that cells decide, of rows");
  const isLabelled = (axis: Axis): boolean =>
    found.some(({ axes }) => axes.some((each) => isSameAxis(each, axis)));
  const outer = distinct(found.flatMap(({ axes }) => axes));
  const inner = value.axes.filter((axis, at) => found.every((each) => each.at !== at) && !isLabelled(axis));
  const axes = [...outer.sort(byStorage), ...inner.sort(byStorage)];
  // Cells are copied as numbers, not as bits of numbers.
  const { cellType: own } = tensor.type;
  const cellType = cellTypes[own].encoding === undefined ? own : "double";
  const { access } = storage.store(value, cellType, span).source;
  const gathered = {
    sizes: axes.map(({ size }) => size),
    cells: along(axes, value.axes, access),
    labels: found.map(
      ({ at, ...label }): GatherLabel => ({
        access: along(axes, label.axes, label.access),
        stride: element(access.strides, at),
        size: element(value.axes, at).size,
      }),
    ),
  };
  const buffer = storage.buffer(cellType, cellsIn(axes), { kind: "gather", gather: gathered }, span);
  return rounded(wholeBuffer(buffer, axes), type);
}

const distinct = (axes: readonly Axis[]): Axis[] =>
  axes.filter((axis, at) => axes.findIndex((each) => isSameAxis(each, axis)) === at);

/** The same cells with a stride for each of some axes, in their order. */
const along = (axes: readonly Axis[], own: readonly Axis[], access: BufferAccess): BufferAccess => ({
  ...access,
  strides: axes.map((axis): BufferStride => {
    const at = own.findIndex((each) => isSameAxis(each, axis));
    return at < 0 ? 0 : element(access.strides, at);
  }),
});
