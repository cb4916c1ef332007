import type { Span } from "../../language/source/span.js";
import { cellTypes, writeCell } from "../../language/types/cell.js";
import type { TensorType } from "../../language/types/type.js";
import type { Rows } from "../../language/values/data/rows.js";
import { numberAt } from "../../language/values/element.js";
import { cellsOf } from "../../language/values/shape.js";
import { Tensor } from "../../language/values/tensor.js";
import type { Steps } from "../meter.js";
import type { EvaluationContext, ReferenceValue } from "./context.js";

type Labels = readonly (readonly string[])[];

/** The cells of a tensor as numbers. */
export function* numbersOf({ options }: EvaluationContext, tensor: Tensor, span: Span): Steps<Float64Array> {
  const numbers = new Float64Array(tensor.data.length);
  for (let at = 0; at < numbers.length; at++) {
    numbers[at] = tensor.at(at);
    if (options.meter.spend(1, span)) yield;
  }
  return numbers;
}

/** A tensor of these numbers, each stored by the rule of the cell type. Rows are sorted. */
export function* stored(
  { options }: EvaluationContext,
  type: TensorType,
  sizes: readonly number[],
  labels: Labels,
  numbers: Float64Array,
  span: Span,
): Steps<ReferenceValue> {
  if (type.isScalar) return numberAt(numbers, 0);
  if (type.cellType === "double") return Tensor.of(type, sizes, labels, numbers);
  const cells = cellTypes[type.cellType].allocate(numbers.length);
  for (let at = 0; at < numbers.length; at++) {
    writeCell(type.cellType, cells, at, numberAt(numbers, at));
    if (options.meter.spend(1, span)) yield;
  }
  return Tensor.of(type, sizes, labels, cells);
}

/** The tensor that rows have become. */
export function* storedRows(run: EvaluationContext, rows: Rows, span: Span): Steps<ReferenceValue> {
  const { labels, numbers } = rows.sorted();
  return yield* stored(run, rows.type, rows.sizes, labels, numbers, span);
}

/** Refuses a tensor that the limits do not allow. */
export function allow(
  { options }: EvaluationContext,
  type: TensorType,
  sizes: readonly number[],
  rows: number,
  span: Span,
): void {
  const cells = cellsOf(sizes) * (type.isDense ? 1 : rows);
  options.meter.allow(cells, span, rows);
  options.meter.allowBytes(cells * cellTypes[type.cellType].width, span);
}
