import { type CellArray, readCell } from "../../../language/types/cell.js";
import { offsetAlong } from "../values/tables.js";
import type { BufferAccess } from "../values/value.js";

/** The rows that a filter retains, rising: those whose cells are not 0. */
export function rowsWithCells(
  { cellType, offset, strides: [stride = 0] }: BufferAccess,
  rows: number,
  cells: CellArray,
): Int32Array {
  if (cells instanceof Float64Array && typeof stride === "number")
    return rowsNotZero(cells, offset, stride, rows);
  const chosen = Array.from({ length: rows }, (_, row) => row);
  const cellAt = (row: number): number => readCell(cellType, cells, offset + offsetAlong(stride, row));
  return Int32Array.from(chosen.filter((row) => cellAt(row) !== 0));
}

/** Of doubles that lie evenly, as they mostly do: a filter of many rows retains few. */
function rowsNotZero(cells: Float64Array, offset: number, stride: number, rows: number): Int32Array {
  let count = 0;
  for (let row = 0, at = offset; row < rows; row++, at += stride) count += +(cells[at] !== 0); // the plan's verifier saw that it is there
  const chosen = new Int32Array(count);
  for (let row = 0, at = offset, next = 0; next < count; row++, at += stride)
    if (cells[at] !== 0) chosen[next++] = row;
  return chosen;
}
