import type { Node, NodeOf } from "../../../../language/core/operations.js";
import type { Span } from "../../../../language/source/span.js";
import { type CellType, cellTypes } from "../../../../language/types/cell.js";
import { element } from "../../../../language/values/element.js";
import { combined, rounded } from "../../values/arithmetic.js";
import { byStorage, indexedAxis, isSameAxis } from "../../values/axes.js";
import { wholeBuffer } from "../../values/storage.js";
import {
  type Axis,
  type BufferAccess,
  type BufferStride,
  cellsIn,
  constant,
  type GatherLabel,
  stored,
  type Value,
} from "../../values/value.js";
import type { PlanState } from "../plan-state.js";
import { type Planned, unsupported } from "../planned.js";
import type { Scope } from "../scope.js";
import { type NumberedRows, numberedRows } from "./numbered-rows.js";

/**
 * A slice at labels that only cells tell, as rows of a table by their numbers: the labels are stored, and a step of its own
 * copies the cells where they say. Numbers are the labels of indexed dimensions alone.
 */
export function gather(
  { type, span, tensor }: NodeOf<"slice">,
  value: Value,
  labels: ReadonlyMap<string, Node>,
  state: PlanState,
  scope: Scope,
): Planned {
  // A label that is not there is 0 in a dense result, and leaves no row in another.
  if (!type.isDense) return unsupported("labels that cells decide, of a result with rows");
  const found = [...labels].map(([dimension, node]): LabelledAxis => {
    const label = scope.value(node);
    const { span } = node;
    const numbered = numberedRows(value, dimension);
    if (numbered !== undefined) return { at: numbered.at, label: rowsAt(numbered, label, span, state), span };
    return { at: value.axes.findIndex(({ name }) => name === dimension), label, span };
  });
  if (found.some(({ at }) => at < 0)) return unsupported("labels that cells decide, of rows");
  return rounded(copiedCells(value, tensor.type.cellType, found, state, span), type);
}

/** The rows of labels that are numbers; −1 where there is none, which is no row. */
function rowsAt({ rows }: NumberedRows, label: Value, span: Span, state: PlanState): Value {
  // No dimension of a label has this name.
  const table = { axes: [indexedAxis("", rows.length)], source: stored(state.storage.tables.cells(rows)) };
  const found = copiedCells(table, "int", [{ at: 0, label, span }], state, span);
  return combined({ op: "apply", function: "subtract" }, [found, constant(1)]);
}

/** A label for an axis of the cells. */
interface LabelledAxis {
  /** Where the axis is among those of the cells. */
  readonly at: number;
  readonly label: Value;
  readonly span: Span;
}

/** Cells, of which those at labels are copied; 0 where a label is not there. */
export function copiedCells(
  value: Value,
  cellType: CellType,
  labelled: readonly LabelledAxis[],
  { storage }: PlanState,
  span: Span,
): Value {
  const outer = distinct(labelled.flatMap(({ label }) => label.axes));
  const isOuter = (axis: Axis): boolean => outer.some((each) => isSameAxis(each, axis));
  const inner = value.axes.filter((axis, at) => labelled.every((each) => each.at !== at) && !isOuter(axis));
  const axes = [...outer.sort(byStorage), ...inner.sort(byStorage)];
  const labels = labelled.map(({ label, span }) => storage.store(label, "double", span).source.access);
  const numbers = numbersOf(cellType);
  const { access } = storage.store(value, numbers, span).source;
  const gather = {
    sizes: axes.map(({ size }) => size),
    cells: along(axes, value.axes, access),
    labels: labelled.map(
      ({ at, label }, each): GatherLabel => ({
        access: along(axes, label.axes, element(labels, each)),
        stride: element(access.strides, at),
        size: element(value.axes, at).size,
      }),
    ),
  };
  const buffer = storage.buffer(numbers, cellsIn(axes), { kind: "gather", gather }, span);
  return wholeBuffer(buffer, axes);
}

/** Cells are copied and added as numbers, not as bits of numbers. */
export const numbersOf = (cellType: CellType): CellType =>
  cellTypes[cellType].encoding === undefined ? cellType : "double";

export const distinct = (axes: readonly Axis[]): Axis[] =>
  axes.filter((axis, at) => axes.findIndex((each) => isSameAxis(each, axis)) === at);

/** The same cells with a stride for each of some axes, in their order. */
export const along = (axes: readonly Axis[], own: readonly Axis[], access: BufferAccess): BufferAccess => ({
  ...access,
  strides: axes.map((axis): BufferStride => {
    const at = own.findIndex((each) => isSameAxis(each, axis));
    return at < 0 ? 0 : element(access.strides, at);
  }),
});

/** Where the numbers of a value are, stored, with a stride for each of some axes, in their order. */
export function numbersAlong(
  value: Value,
  cellType: CellType,
  axes: readonly Axis[],
  { storage }: PlanState,
  span: Span,
): BufferAccess {
  const stored = storage.storeAlong(value, axes, numbersOf(cellType), span);
  return along(axes, stored.axes, stored.source.access);
}
