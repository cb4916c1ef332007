import { cellsPerRow, SliceMeter, type Slices } from "../../language/limits/slices.js";
import { SphexError } from "../../language/source/problem.js";
import { TensorType } from "../../language/types/type.js";
import { cellsOfArray } from "../../language/values/data/array-cells.js";
import { axisOrder } from "../../language/values/data/axis-order.js";
import { isCellArray, isNumberArray } from "../../language/values/data/number-array.js";
import { compareLabels } from "../../language/values/data/rows.js";
import type { TransferableTensor } from "../../language/values/data/transferable.js";
import { spanOfText } from "../../language/values/messages.js";
import { cellsOf } from "../../language/values/shape.js";
import { Tensor } from "../../language/values/tensor.js";
import { problem, type TransferFault } from "../messages.js";
import { parseType } from "../options.js";

/** Tensors that come from elsewhere: as plain data from another thread, or as tensors of another copy of this library. */

/** Whether a value says that it is a tensor as plain data. */
export const isTransferable = (value: unknown): value is TransferableTensor =>
  typeof value === "object" && value !== null && "sphexTensor" in value;

/** Whether a value is what `structuredClone` and `postMessage` make of a tensor: its fields, without its class. */
export function isClone(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("blockCells" in value && "type" in value))
    return false;
  return typeof value.type === "object" && value.type !== null && "cellType" in value.type;
}

/** Whether a value is a tensor of another copy of this library, which has no class in common with ours. */
export function isForeign(value: unknown): value is { toTransferable(): unknown } {
  if (typeof value !== "object" || value === null || value instanceof Tensor) return false;
  return "toTransferable" in value && typeof value.toTransferable === "function";
}

/**
 * A tensor from plain data, of which nothing is shared: who has it may change it.
 * @throws SphexError where it is not as `Tensor.toTransferable` makes it.
 */
export function* transferredSlices(name: string, value: unknown): Slices<Tensor> {
  const refuse = (reason: TransferFault): never => {
    throw new SphexError([problem("input/transferred", spanOfText(name, name), { name, reason })]);
  };
  if (!isTransferable(value)) return refuse(isClone(value) ? "clone" : "version");
  const { sphexTensor, type: text, sizes, labels, data }: Readonly<Record<string, unknown>> = { ...value };
  if (sphexTensor !== 1) return refuse("version");
  const type = typeof text === "string" ? parseType(text) : refuse("type");
  if (!isSizes(sizes, type)) return refuse("sizes");
  const rows = yield* rowsOf(labels, type);
  if (rows === undefined) return refuse("labels");
  if (!isNumberArray(data) || !isCellArray(data, type.cellType)) return refuse("cells");
  if (data.length !== rows.length * cellsOf(sizes)) return refuse("cells");
  if (type.isScalar) return Tensor.from(TensorType.scalar, data);
  const cells = yield* cellsOfArray(type.cellType, data, axisOrder(type, undefined), sizes);
  return Tensor.of(type, [...sizes], rows, cells);
}

function isSizes(value: unknown, { indexed }: TensorType): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length === indexed.length &&
    indexed.every(
      ({ size }, at) => Number.isInteger(value[at]) && value[at] >= 0 && (size ?? value[at]) === value[at],
    )
  );
}

/** A copy of rows of labels, each higher than the one before it; nothing of anything else. */
function* rowsOf(
  value: unknown,
  { mapped, isDense }: TensorType,
): Slices<readonly (readonly string[])[] | undefined> {
  if (!Array.isArray(value) || (isDense && value.length !== 1)) return undefined;
  const rows: readonly unknown[] = value;
  const areTexts = (row: unknown): row is readonly string[] =>
    Array.isArray(row) && row.length === mapped.length && row.every((label) => typeof label === "string");
  const copies: (readonly string[])[] = [];
  const meter = new SliceMeter();
  for (const row of rows) {
    const before = copies.at(-1);
    if (!areTexts(row) || (before !== undefined && compareLabels(before, row) >= 0)) return undefined;
    copies.push([...row]);
    if (meter.isFull(cellsPerRow)) yield;
  }
  return copies;
}
