import { type Access, distanceAlong, type Loop } from "../loop.js";

/**
 * The walk of a loop in tiles: pieces of at most `tileCells` places that are computed at once. A tile is all places of
 * the last axes, times a piece of the axis before them, which is cut; the axes before that one are walked around it.
 */
export const tileCells = 2048;

export interface Tiling {
  /** How many of the first axes are walked around the tile. */
  readonly outer: number;
  /** The axis behind them, which is cut into pieces of so many places; nothing where the loop has no axis. */
  readonly cut: { readonly size: number; readonly piece: number };
  /** Places of all axes behind the one that is cut. */
  readonly inner: number;
}

export function tilingOf({ axes }: Loop): Tiling {
  let first = axes.length;
  let inner = 1;
  for (; first > 1; first--) {
    const size = axes[first - 1]?.size ?? 1;
    if (inner * size > tileCells) break;
    inner *= size;
  }
  const size = axes[first - 1]?.size ?? 1;
  const piece = Math.max(1, Math.floor(tileCells / Math.max(inner, 1)));
  return { outer: Math.max(first - 1, 0), cut: { size, piece: Math.min(piece, size) }, inner };
}

/** The distances of all places of the axes from `first` on, the last axis fastest. */
export function offsetsBehind({ axes }: Loop, { steps }: Pick<Access, "steps">, first: number): Int32Array {
  let offsets = new Int32Array(1);
  for (let axis = first; axis < axes.length; axis++) {
    const { size } = axes[axis] ?? { size: 1 };
    const next = new Int32Array(offsets.length * size);
    let at = 0;
    for (const offset of offsets)
      for (let place = 0; place < size; place++) next[at++] = offset + distanceAlong(steps[axis] ?? 0, place);
    offsets = next;
  }
  return offsets;
}

/** Calls with the places of the outer axes, the last one fastest; the first axis only between `from` and `to`. */
export function aroundTile(
  { axes }: Loop,
  outer: number,
  from: number,
  to: number,
  visit: (places: Int32Array) => void,
): void {
  const places = new Int32Array(outer);
  if (outer === 0) {
    visit(places);
    return;
  }
  for (places[0] = from; (places[0] ?? 0) < to; ) {
    visit(places);
    let axis = outer - 1;
    while (axis > 0 && (places[axis] ?? 0) + 1 === axes[axis]?.size) places[axis--] = 0;
    places[axis] = (places[axis] ?? 0) + 1;
  }
}

/** Where the tile at these places begins. */
export function startOf({ offset, steps }: Access, places: Int32Array): number {
  let start = offset;
  for (let axis = 0; axis < places.length; axis++)
    start += distanceAlong(steps[axis] ?? 0, places[axis] ?? 0);
  return start;
}
