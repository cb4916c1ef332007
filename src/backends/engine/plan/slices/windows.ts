import type { NodeOf } from "../../../../language/core/operations.js";
import { element } from "../../../../language/values/element.js";
import { isSameAxis } from "../../values/axes.js";
import { movedBy, rowAt, rowsOf } from "../../values/rows.js";
import type { Tables } from "../../values/tables.js";
import { type Axis, type BufferStride, stored, type Value } from "../../values/value.js";
import type { PlanState } from "../plan-state.js";
import { isValue, type Planned, unsupported } from "../planned.js";
import type { IndexSum } from "./index-sums.js";
import type { SliceLabel } from "./labels.js";
import { sliceView } from "./slice-view.js";
import { windowCells } from "./window-cells.js";
import type { WindowLabel } from "./window-label.js";

/**
 * A slice at labels that are sums of terms, or functions of sums: the cells are stored, and read with a stride for each term. Where some labels are
 * not there, or the labels are a function, that is a copy of the cells in the order of the sums, with zeros for what is not there.
 */
export function windowed(
  node: NodeOf<"slice">,
  value: Value,
  labels: ReadonlyMap<string, SliceLabel>,
  windows: ReadonlyMap<string, WindowLabel>,
  state: PlanState,
): Planned {
  const { storage } = state;
  const found: WindowLabel[] = [];
  for (const axis of value.axes) {
    if (axis.factor !== undefined) return unsupported("labels that several axes decide, of rows");
    const label = windows.get(axis.name) ?? windowOf(labels.get(axis.name), axis);
    if (label === undefined) return unsupported("labels that several axes decide, one without an index");
    found.push(label);
  }
  const around = windowCells(value, found);
  if (around === undefined) return unsupported("labels that several axes decide, many of them absent");
  const read = around.labels.size === 0 ? value : sliceView(node, value, around.labels, state);
  if (!isValue(read)) return read;
  const { axes: readAxes, source } = storage.store(read, node.tensor.type.cellType, node.span);
  const strided = new StridedAxes(storage.tables, source.access.offset);
  for (const [at, { sum }] of found.entries()) {
    const base = sum.base - element(around.first, at);
    // What has zeros around it has its axes in order; those of the value are not, where it is renamed, or a batch.
    const from = readAxes.findIndex((axis) => isSameAxis(axis, element(value.axes, at)));
    if (!strided.add(element(source.access.strides, from), { ...sum, base }))
      return unsupported("labels that several axes decide, of rows in another order");
  }
  const { axes, offset, strides } = strided;
  return { axes, source: stored({ ...source.access, offset, strides }) };
}

/** A label of one axis, or of none, as a sum; nothing of an axis without an index. */
function windowOf(label: SliceLabel | undefined, axis: Axis): WindowLabel | undefined {
  const sum = sumOf(label, axis);
  return sum && { kind: "window", sum, labels: undefined };
}

function sumOf(label: SliceLabel | undefined, axis: Axis): IndexSum | undefined {
  if (label === undefined) {
    const rows = { first: 0, step: 1, length: axis.size };
    return { kind: "sum", base: 0, terms: [{ axis, rows }] };
  }
  if (label.kind === "uniform") return { kind: "sum", base: Number(label.text), terms: [] };
  if (label.axis.size === 0) return undefined;
  const rows = label.even ?? rowsOf(Int32Array.from(label.numbers));
  const base = rowAt(rows, 0);
  return { kind: "sum", base, terms: [{ axis: label.axis, rows: movedBy(rows, -base) }] };
}

/** The axes of a strided read, each once however many terms it has. */
class StridedAxes {
  readonly axes: Axis[] = [];
  readonly strides: BufferStride[] = [];
  private readonly positions = new Map<string, number>();

  constructor(
    private readonly tables: Tables,
    public offset: number,
  ) {}

  /** Adds what the labels of an axis with this stride are read at. False where the stride is no number. */
  add(stride: BufferStride, { base, terms }: IndexSum): boolean {
    if (typeof stride !== "number") return false;
    this.offset += stride * base;
    for (const { axis, rows } of terms) {
      if (axis.name === undefined) return false;
      const at = this.positions.get(axis.name) ?? this.axes.push(axis) - 1;
      this.positions.set(axis.name, at);
      this.strides[at] = this.tables.sum(this.strides[at] ?? none, this.tables.along(stride, rows).stride);
    }
    return true;
  }
}

/** The stride of an axis that nothing was read along. */
const none: BufferStride = 0;
