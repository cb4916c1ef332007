import type { TensorType } from "../types/type.js";
import { absent } from "./element.js";

/** Row-major layout of a dense block: the last dimension varies fastest. */

/** How many cells a block of these sizes has. */
export function cellsOf(sizes: readonly number[]): number {
  return sizes.reduce((cells, size) => cells * size, 1);
}

/** A size or a stride: a read of its own, which meets lists of numbers alone. */
function sizeAt(sizes: readonly number[], at: number): number {
  const size = sizes[at];
  return size === undefined ? absent(at, sizes.length) : size;
}

/** How far apart neighbours along each dimension lie. */
export function stridesOf(sizes: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length).fill(1);
  let stride = 1;
  for (let at = sizes.length - 1; at >= 0; at--) {
    strides[at] = stride;
    stride *= sizeAt(sizes, at);
  }
  return strides;
}

/** The indexes of the cell at an offset. */
export function indexesAt(offset: number, sizes: readonly number[]): number[] {
  const indexes = new Array<number>(sizes.length).fill(0);
  let rest = offset;
  for (let at = sizes.length - 1; at >= 0; at--) {
    const size = sizeAt(sizes, at);
    indexes[at] = rest % size;
    rest = Math.floor(rest / size);
  }
  return indexes;
}

/**
 * The offsets that a walk over `sizes` in row-major order meets in another block, which has these strides for the
 * walk's dimensions: 0 where it lacks one. For a tensor without rows nothing is walked, however large its blocks would be.
 */
export function offsetsOf(sizes: readonly number[], strides: readonly number[], rows = 1): Float64Array {
  const offsets = new Float64Array(rows === 0 ? 0 : cellsOf(sizes));
  if (offsets.length === 0) return offsets;
  let filled = 1;
  // From the fastest dimension outwards, the offsets so far are repeated, each time a stride further. None of them is absent:
  // a read that says so takes a tenth longer.
  for (let at = sizes.length - 1; at >= 0; at--) {
    const [size, stride] = [sizeAt(sizes, at), sizeAt(strides, at)];
    for (let index = 1; index < size; index++) {
      for (let cell = 0; cell < filled; cell++)
        offsets[index * filled + cell] = (offsets[cell] ?? 0) + index * stride;
    }
    filled *= size;
  }
  return offsets;
}

/** Whether the dimensions of a type are those of a tensor, with its sizes where they have any. */
export function hasShapeOf(
  { type, sizes }: { readonly type: TensorType; readonly sizes: readonly number[] },
  { dimensions, indexed }: TensorType,
): boolean {
  const own = type.dimensions;
  return (
    own.length === dimensions.length &&
    dimensions.every(({ name, kind }, at) => own[at]?.name === name && own[at]?.kind === kind) &&
    indexed.every(({ size }, at) => size === undefined || size === sizes[at])
  );
}
