import { element } from "../../../../language/values/element.js";
import { stridesOf } from "../../../../language/values/shape.js";
import { offsetsOfAll } from "../../offsets.js";
import { offsetAlong } from "../../values/tables.js";
import type { BufferStride } from "../../values/value.js";

/** Where the cells of a block are that a step copies or adds as one. */

/** Whether cells along some axes lie one behind the other. */
export function isRun(sizes: readonly number[], strides: readonly BufferStride[]): boolean {
  const ofNeighbours = stridesOf(sizes);
  return strides.every((stride, at) => sizes[at] === 1 || stride === ofNeighbours[at]);
}

/** How far they are from the first, in the order of the axes. */
export const offsetsAlong = (sizes: readonly number[], strides: readonly BufferStride[]): Int32Array =>
  offsetsOfAll(
    sizes.map((size, at) => ({ size, stride: element(strides, at) })),
    offsetAlong,
  );
