import type { Span } from "../../../../language/source/span.js";
import type { CellType } from "../../../../language/types/cell.js";
import { element } from "../../../../language/values/element.js";
import { stridesOf } from "../../../../language/values/shape.js";
import { broadcast } from "../../values/arithmetic.js";
import { indexedAxis } from "../../values/axes.js";
import { loopAxes, type Storage, wholeBuffer } from "../../values/storage.js";
import type { Axis, BufferStride, LoopDraft, Value } from "../../values/value.js";
import { cellsIn } from "../../values/value.js";

/** A buffer that several loops fill, each its own cells. */
export class Assembly {
  private readonly loops: LoopDraft[] = [];
  private readonly strides: readonly number[];

  /** The axes are in the order of storage. */
  constructor(
    private readonly storage: Storage,
    private readonly axes: readonly Axis[],
    private readonly cellType: CellType,
  ) {
    this.strides = stridesOf(axes.map(({ size }) => size));
  }

  /** Adds a value, whose axes are those of the buffer with fewer rows, at some rows. */
  addRows(value: Value, rows: Int32Array): void {
    if (rows.length === 0) return;
    const strides = this.axes.map(({ factor }, at): BufferStride => {
      const stride = element(this.strides, at);
      return factor === undefined ? stride : this.storage.tables.strideOfRows(stride, rows);
    });
    this.loops.push({ kind: "loop", axes: loopAxes(value.axes), source: value.source, offset: 0, strides });
  }

  /** Adds a value at the indexes along an axis from a first one on. */
  addAlong(value: Value, name: string, first: number): void {
    const axes = this.axes.map((axis) =>
      axis.name === name ? indexedAxis(name, sizeAlong(value, name)) : axis,
    );
    if (cellsIn(axes) === 0) return;
    const at = this.axes.findIndex((axis) => axis.name === name);
    const { source } = broadcast(value, axes);
    const offset = first * element(this.strides, at);
    this.loops.push({ kind: "loop", axes: loopAxes(axes), source, offset, strides: this.strides });
  }

  finish(span: Span): Value {
    const { storage, axes, loops } = this;
    const buffer = storage.buffer(this.cellType, cellsIn(axes), { kind: "loops", loops }, span);
    return wholeBuffer(buffer, axes);
  }
}

/** A value without an axis has one index along it. */
export function sizeAlong({ axes }: Value, name: string): number {
  const axis = axes.find((each) => each.name === name);
  return axis === undefined ? 1 : axis.size;
}
