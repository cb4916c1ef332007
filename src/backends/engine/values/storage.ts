import type { Span } from "../../../language/source/span.js";
import type { CellType } from "../../../language/types/cell.js";
import { element, entry } from "../../../language/values/element.js";
import { stridesOf } from "../../../language/values/shape.js";
import type { LoopAxis } from "../loop.js";
import { byStorage, isSameAxis } from "./axes.js";
import { computed } from "./source.js";
import { orderOfStorage } from "./storage-order.js";
import { Tables } from "./tables.js";
import {
  type Axis,
  type Buffer,
  type BufferAccess,
  cellsIn,
  type LoopDraft,
  type Producer,
  type Source,
  type Stored,
  stored,
  type Value,
} from "./value.js";

/** Buffers for values that must have cells. Each source is stored once, however many values use it. */
export class Storage {
  readonly tables = new Tables();
  /** What computes each buffer, before any pass has changed it. */
  private readonly producers = new Map<Buffer, Producer>();
  /** Stored copies of sources that are computed. */
  private readonly copies = new Map<Source, { sizes: readonly number[]; copy: Stored }[]>();

  /** The value with its cells in a buffer, as this type; one that is there already stays as it is. */
  store(value: Value, cellType: CellType, span: Span): StoredValue {
    return this.stored(value, cellType, span, orderOfStorage);
  }

  /** The same for a value that leaves: its axes lie in the order of their names, unless it is there already. */
  storeByName(value: Value, cellType: CellType, span: Span): StoredValue {
    return this.stored(value, cellType, span, (axes) => [...axes].sort(byStorage));
  }

  /** The same for a value that is read along axes in an order, whose axes lie so unless it is there already. */
  storeAlong(value: Value, order: readonly Axis[], cellType: CellType, span: Span): StoredValue {
    const positionOf = (axis: Axis): number => order.findIndex((each) => isSameAxis(each, axis));
    return this.stored(value, cellType, span, (axes) =>
      [...axes].sort((a, b) => positionOf(a) - positionOf(b)),
    );
  }

  private stored(
    { axes, source }: Value,
    cellType: CellType,
    span: Span,
    order: typeof orderOfStorage,
  ): StoredValue {
    if (source.kind === "stored" && source.access.cellType === cellType) return { axes, source };
    const copies = this.copies.get(source) ?? [];
    const existing = copies.find(
      ({ sizes, copy }) =>
        copy.access.cellType === cellType &&
        sizes.length === axes.length &&
        axes.every(({ size }, at) => size <= element(sizes, at)),
    );
    if (existing !== undefined) return { axes, source: existing.copy };
    const copy =
      source.kind === "constant"
        ? this.oneCell(axes, source, cellType, span)
        : this.copy(axes, source, cellType, span, order(axes, source));
    this.copies.set(source, [...copies, { sizes: axes.map(({ size }) => size), copy }]);
    return { axes, source: copy };
  }

  /** Where the cells of a source that is computed are stored, if they are. */
  copyOf(source: Source): Stored | undefined {
    return this.copies.get(source)?.at(-1)?.copy;
  }

  /** A constant is stored once for all of its axes. */
  private oneCell(axes: readonly Axis[], source: Source, cellType: CellType, span: Span): Stored {
    const loop: LoopDraft = { kind: "loop", axes: [], source, offset: 0, strides: [] };
    const buffer = this.buffer(cellType, 1, { kind: "loops", loops: [loop] }, span);
    return stored({ slot: buffer, cellType, offset: 0, strides: axes.map(() => 0) });
  }

  /** New cells for all indexes of the axes, in an order of them. */
  private copy(
    axes: readonly Axis[],
    source: Source,
    cellType: CellType,
    span: Span,
    order: readonly Axis[],
  ): Stored {
    const target = storageOf(axes, order);
    const buffer = this.buffer(
      cellType,
      cellsIn(axes),
      { kind: "loops", loops: [fillLoop(target, source)] },
      span,
    );
    return stored({ slot: buffer, cellType, offset: 0, strides: target.strides });
  }

  /** A buffer that a producer computes. */
  buffer(cellType: CellType, length: number, producer: Producer, span: Span): Buffer {
    const buffer: Buffer = { cellType, length, origin: { kind: "computed", span } };
    this.producers.set(buffer, producer);
    return buffer;
  }

  /** What a buffer was made to be computed by. @throws Error where nothing computes it. */
  producerOf(buffer: Buffer): Producer {
    return entry(this.producers, buffer);
  }
}

/** A value whose cells are in a buffer. */
export interface StoredValue extends Value {
  readonly source: Stored;
}

/** How the axes of a value lie in a buffer of their own. */
export interface AxisStorage {
  /** In the order in which they are stored. */
  readonly sorted: readonly Axis[];
  /** For each sorted axis. */
  readonly sortedStrides: readonly number[];
  /** For each axis of the value. */
  readonly strides: readonly number[];
  /** For each axis of the value, where it is among the sorted ones. */
  readonly images: readonly { readonly axis: number }[];
}

/** Axes in the order of storage, or in another, one cell behind the other. */
export function storageOf(
  axes: readonly Axis[],
  sorted: readonly Axis[] = [...axes].sort(byStorage),
): AxisStorage {
  const sortedStrides = stridesOf(sorted.map(({ size }) => size));
  const images = axes.map((axis) => ({ axis: sorted.indexOf(axis) }));
  const strides = images.map(({ axis }) => element(sortedStrides, axis));
  return { sorted, sortedStrides, strides, images };
}

export const loopAxes = (axes: readonly Axis[]): LoopAxis[] =>
  axes.map(({ size }) => ({ size, isReduced: false }));

/** A loop that computes a source, whose axes were stored so, into all of a buffer. */
function fillLoop({ sorted, sortedStrides, images }: AxisStorage, source: Source): LoopDraft {
  const permuted = computed(sorted, { op: "view" }, [{ source, images }]).source;
  return { kind: "loop", axes: loopAxes(sorted), source: permuted, offset: 0, strides: sortedStrides };
}

/** The whole of a buffer whose axes are these, in this order. */
export const wholeBuffer = (buffer: Buffer, axes: readonly Axis[]): StoredValue => ({
  axes,
  source: stored(accessOf(buffer, axes)),
});

const accessOf = (buffer: Buffer, axes: readonly Axis[]): BufferAccess => ({
  slot: buffer,
  cellType: buffer.cellType,
  offset: 0,
  strides: stridesOf(axes.map(({ size }) => size)),
});
