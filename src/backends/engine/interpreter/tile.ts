import { element, intAt } from "../../../language/values/element.js";
import { type Access, type Loop, offsetAlong } from "../loop.js";
import { offsetsOfAll } from "../offsets.js";

/**
 * A loop in tiles of at most `tileCells` iterations, each computed at once. A tile is all indexes of
 * the last axes, times a part of the axis before them, which is split; the axes before that one are walked around it.
 */
export const tileCells = 2048;

export interface Tiling {
  /** How many of the first axes are walked around the tile. */
  readonly outer: number;
  /** The axis behind them, which is split into parts of this length; nothing where the loop has no axis. */
  readonly split: { readonly size: number; readonly length: number };
  /** Iterations of all axes behind the one that is split. */
  readonly inner: number;
}

export function tilingOf({ axes }: Loop): Tiling {
  let first = axes.length;
  let inner = 1;
  for (; first > 1; first--) {
    const { size } = element(axes, first - 1);
    if (inner * size > tileCells) break;
    inner *= size;
  }
  const size = first === 0 ? 1 : element(axes, first - 1).size;
  const length = Math.max(1, Math.floor(tileCells / Math.max(inner, 1)));
  return { outer: Math.max(first - 1, 0), split: { size, length: Math.min(length, size) }, inner };
}

/** The offsets of all iterations of the axes from `first` on, the last axis fastest. */
export function innerOffsets(
  { axes }: Loop,
  { strides }: Pick<Access, "strides">,
  first: number,
): Int32Array {
  const inner = axes.slice(first).map(({ size }, at) => ({ size, stride: element(strides, first + at) }));
  return offsetsOfAll(inner, offsetAlong);
}

/** Calls with the indexes of the outer axes, the last one fastest; the first axis only between `from` and `to`. */
export function forEachTile(
  { axes }: Loop,
  outer: number,
  from: number,
  to: number,
  visit: (indexes: Int32Array) => void,
): void {
  const indexes = new Int32Array(outer);
  if (outer === 0) {
    visit(indexes);
    return;
  }
  for (indexes[0] = from; intAt(indexes, 0) < to; ) {
    visit(indexes);
    let axis = outer - 1;
    while (axis > 0 && intAt(indexes, axis) + 1 === element(axes, axis).size) indexes[axis--] = 0;
    indexes[axis] = intAt(indexes, axis) + 1;
  }
}

/** Where the tile at these indexes begins. */
export function tileStart({ offset, strides }: Access, indexes: Int32Array): number {
  let start = offset;
  for (let axis = 0; axis < indexes.length; axis++)
    start += offsetAlong(element(strides, axis), intAt(indexes, axis));
  return start;
}
