import { storeCells } from "../../../language/types/cell.js";
import type { TensorType } from "../../../language/types/type.js";
import { element, intAt } from "../../../language/values/element.js";
import { cellsOf, stridesOf } from "../../../language/values/shape.js";
import { Tensor } from "../../../language/values/tensor.js";
import { labelledRows } from "./label-codes.js";

/** What a query answered: a list of values for each column. */
export type ResultColumns = readonly (readonly unknown[])[];

/** The tensor whose cells a statement answered: its columns are the dimensions in the order of the type, and the value. */
export function tensorOfColumns(type: TensorType, columns: ResultColumns): Tensor {
  const values = element(columns, type.rank);
  if (type.isScalar) return Tensor.scalar(Number(element(values.map(Number), 0)), type);
  const at = new Map(type.dimensions.map(({ name }, position) => [name, element(columns, position)]));
  const columnsOf = (dimensions: TensorType["dimensions"]): readonly (readonly unknown[])[] =>
    dimensions.map(({ name }) => at.get(name) ?? []);
  const indexes = columnsOf(type.indexed).map((column) => Int32Array.from(column, Number));
  const sizes = type.indexed.map(
    ({ size }, position) => size ?? 1 + element(indexes, position).reduce((a, b) => Math.max(a, b), -1),
  );
  const strides = stridesOf(sizes);
  const { labels, blocks } = labelledRows(columnsOf(type.mapped), values.length);
  const blockCells = cellsOf(sizes);
  const numbers = new Float64Array(labels.length * blockCells);
  for (let row = 0; row < values.length; row++) {
    let offset = intAt(blocks, row) * blockCells;
    for (const [position, column] of indexes.entries())
      offset += element(strides, position) * intAt(column, row);
    numbers[offset] = Number(values[row]);
  }
  return Tensor.of(type, sizes, labels, storeCells(type.cellType, numbers));
}
