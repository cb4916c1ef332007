import { type Slices, sliceCells } from "../../limits/slices.js";
import { readCell } from "../../types/cell.js";
import type { TensorType } from "../../types/type.js";
import { absent, element } from "../element.js";
import { kindOf, problem, refuse, typeSpan } from "../messages.js";
import { cellsOf, stridesOf } from "../shape.js";
import type { AxisOrder } from "./axis-order.js";
import { isNumberArray, type NumberArray } from "./number-array.js";

/** Arrays as other libraries have them: known by what they have, since none of their classes is. */

/** Cells of an array that lie apart, as those of `ndarray`: at `offset` and the products of index and stride. */
export interface StridedArray {
  readonly data: NumberArray;
  readonly shape: readonly number[];
  /** Those of a row-major array by default; `stride` is another name for it. */
  readonly strides?: readonly number[];
  readonly stride?: readonly number[];
  readonly offset?: number;
}

/** A column of numbers, or of lists of them, as a `Vector` of Arrow. */
export interface Column {
  readonly length: number;
  readonly nullCount: number;
  /** What its numbers are; Arrow has half floats, which have a precision of 0, and whole numbers of 16 bits in arrays of one class. */
  readonly type?: object;
  toArray(): unknown;
}

/** Whether a value for a dense tensor is an array with strides; of other tensors these names may be labels. */
export function isStridedArray(type: TensorType, value: unknown): value is StridedArray {
  if (!type.isDense || typeof value !== "object" || value === null) return false;
  return "data" in value && isNumberArray(value.data) && "shape" in value && Array.isArray(value.shape);
}

export const isColumn = (value: unknown): value is Column =>
  typeof value === "object" &&
  value !== null &&
  "nullCount" in value &&
  "toArray" in value &&
  typeof value.toArray === "function";

/**
 * The numbers of a column, or the rows of a column of lists, each a column again.
 * @throws SphexError where it has nulls, or something else, such as decimals, each of which is four numbers of its array.
 */
export function columnItems(type: TensorType, column: Column): NumberArray | readonly Column[] {
  const { nullCount, length } = column;
  if (nullCount > 0) refuse(problem("value/nulls", typeSpan(type), { type, nulls: nullCount }));
  const refuseRows = (found?: number): never =>
    refuse(problem("value/column", typeSpan(type), { type, rows: length, found }));
  // Of Arrow, what counts units is a date, a time of day, a moment or a duration, some of them in arrays of whole numbers.
  if (typeof column.type === "object" && column.type !== null && "unit" in column.type) refuseRows();
  const items = column.toArray();
  if (isNumberArray(items)) {
    if (items.length !== length) refuseRows(items.length);
    return items instanceof Uint16Array ? numbersOf16Bits(type, column, items) : items;
  }
  if (Array.isArray(items) && items.length > 0 && items.every(isColumn)) return items;
  return refuse(problem("value/shape", typeSpan(type), { type, expected: "array", found: kindOf(column) }));
}

/** The numbers of a column of 16 bits, which are bits only where both they and the cells are half floats. */
function numbersOf16Bits({ cellType }: TensorType, { type }: Column, array: Uint16Array): NumberArray {
  if (type === undefined) return array;
  const isHalf = "precision" in type;
  if (!isHalf) return Int32Array.from(array);
  if (cellType === "half") return array;
  return Float32Array.from({ length: array.length }, (_, at) => readCell("half", array, at));
}

/**
 * The sizes of a dense tensor along its dimensions, and its cells back to back in the order of the axes.
 * @throws SphexError where the shape is not that of the type, or a cell would lie outside of the data.
 */
export function* packed(
  type: TensorType,
  array: StridedArray,
  { indexed }: AxisOrder,
): Slices<{ sizes: readonly number[]; data: NumberArray }> {
  const { data, shape, offset = 0, strides = array.stride ?? stridesOf(shape) } = array;
  const sizes = [...type.declaredSizes];
  const isSound =
    shape.length === indexed.length &&
    strides.length === shape.length &&
    shape.every((size) => Number.isSafeInteger(size) && size >= 0) &&
    [offset, ...strides].every((each) => Number.isSafeInteger(each)) &&
    isWithin(data.length, shape, strides, offset);
  if (!isSound)
    refuse(problem("value/strides", typeSpan(type), { type, shape, strides, cells: data.length }));
  for (const [level, dimension] of indexed.entries()) {
    const { name, size: declared } = element(type.indexed, dimension);
    const found = element(shape, level);
    if (declared !== undefined && declared !== found)
      refuse(problem("value/size", typeSpan(type), { type, dimension: name, found, expected: declared }));
    sizes[dimension] = found;
  }
  return { sizes, data: yield* contiguous(data, shape, strides, offset) };
}

/** Whether the first and the last cell that strides lead to are cells of the data. */
function isWithin(
  cells: number,
  shape: readonly number[],
  strides: readonly number[],
  offset: number,
): boolean {
  if (shape.includes(0)) return true;
  let [least, most] = [offset, offset];
  for (const [at, size] of shape.entries()) {
    const reach = (size - 1) * element(strides, at);
    if (reach < 0) least += reach;
    else most += reach;
  }
  // Strides of 0 repeat cells, but an array is not to become larger than any that could be passed as it is.
  return least >= 0 && most < cells && cellsOf(shape) <= Math.max(cells, mostRepeated);
}

/** The most cells that an array with strides of 0 may come to. */
const mostRepeated = 2 ** 24;

function* contiguous(
  data: NumberArray,
  shape: readonly number[],
  strides: readonly number[],
  offset: number,
): Slices<NumberArray> {
  const count = cellsOf(shape);
  const copy = data.slice(0, 0);
  const target = new (copy.constructor as { new (length: number): NumberArray })(count); // of the same class
  const fastestFirst = shape
    .map((size, level) => ({ size, stride: element(strides, level), index: 0 }))
    .reverse();
  let from = offset;
  for (let to = 0; to < count; to++) {
    if (to % sliceCells === sliceCells - 1) yield;
    (target as Float64Array)[to] = (data as Float64Array)[from] ?? absent(from, data.length); // of one class
    for (const axis of fastestFirst) {
      const at = axis.index + 1;
      axis.index = at < axis.size ? at : 0;
      from += at < axis.size ? axis.stride : axis.stride * (1 - axis.size);
      if (at < axis.size) break;
    }
  }
  return target;
}
