import { intAt, numberAt } from "../../../../language/values/element.js";
import { wholeLabel } from "../../../../language/values/text.js";
import { bodyOf, maximumDepth } from "../../ir/body.js";
import { evenNumbers, numbersOf } from "../../ir/index-numbers.js";
import {
  type AxisRows,
  isIndexItself,
  isWithinSize,
  type Progression,
  rowAt,
  rowsOf,
} from "../../values/rows.js";
import { depthOf } from "../../values/source.js";
import type { Tables } from "../../values/tables.js";
import { type Axis, stored, type Value } from "../../values/value.js";
import { type Unsupported, unsupported } from "../planned.js";

/** The labels of a slice: one for all, or one for each index of an axis. */
export type SliceLabel = { readonly kind: "uniform"; readonly text: string } | VaryingLabels;

/** Labels that are computed from the indexes along an axis, none of which any cell decides. */
export class VaryingLabels {
  readonly kind = "varying";
  private computed: Float64Array | undefined;

  constructor(
    readonly axis: Axis,
    /** What they are where they are evenly spaced whole numbers. */
    readonly even: Progression | undefined,
    private readonly compute: () => Float64Array,
  ) {}

  static evenly(axis: Axis, even: Progression): VaryingLabels {
    const rowOf = (_: unknown, index: number): number => rowAt(even, index);
    return new VaryingLabels(axis, even, () => Float64Array.from({ length: even.length }, rowOf));
  }

  /** The numbers that the labels are made of, one for each index. */
  get numbers(): Float64Array {
    this.computed ??= this.compute();
    return this.computed;
  }
}

/** The row of each index, and where some have none, a value that tells which have. */
export interface RowLookup {
  readonly rows: AxisRows | undefined;
  readonly condition: Value | undefined;
}

/**
 * Labels that are computed from the indexes along one axis alone: they are found while planning. Labels that depend on
 * cells, or on several axes at once, are not.
 */
export function varyingLabels(value: Value, tables: Tables): VaryingLabels | Unsupported {
  const [axis] = value.axes;
  if (axis === undefined || value.axes.length > 1) return unsupported("a label that several axes decide");
  if (depthOf(value.source) > maximumDepth) return unsupported("a label of a long computation");
  const body = bodyOf(value.source, 1, tables);
  if (body.sources.some(({ slot }) => slot.origin.kind !== "cells"))
    return unsupported("a label that cells decide");
  return new VaryingLabels(axis, evenNumbers(body, axis.size), () => numbersOf(body, axis.size));
}

/** Labels that are indexes below a size. */
export function lookUpIndexes(labels: VaryingLabels, size: number, tables: Tables): RowLookup | Unsupported {
  const { even } = labels;
  if (even !== undefined && isWithinSize(even, size))
    return { rows: isIndexItself(even) ? undefined : even, condition: undefined };
  return lookUpRows(labels, indexesOf(labels.numbers), size, tables);
}

/** Labels that are names of rows: `rowOf` finds them, and says −1 for those that are not there. */
export function lookUpNames(
  labels: VaryingLabels,
  size: number,
  rowOf: (label: string) => number,
  tables: Tables,
): RowLookup | Unsupported {
  const { numbers } = labels;
  const rows = new Int32Array(numbers.length);
  for (let at = 0; at < rows.length; at++) rows[at] = rowOf(wholeLabel(numberAt(numbers, at)));
  return lookUpRows(labels, rows, size, tables);
}

/** The indexes that numbers mean; −1 for each that is none that fits. */
function indexesOf(numbers: Float64Array): Int32Array {
  const indexes = new Int32Array(numbers.length);
  for (let at = 0; at < indexes.length; at++) {
    const whole = Math.trunc(numberAt(numbers, at));
    indexes[at] = whole >= 0 && whole < 2 ** 31 ? whole : -1;
  }
  return indexes;
}

function lookUpRows(
  { axis }: VaryingLabels,
  candidates: Int32Array,
  size: number,
  tables: Tables,
): RowLookup | Unsupported {
  if (candidates.length === 0) return { rows: candidates, condition: undefined };
  if (isWithinSize(candidates, size)) return { rows: rowsOf(candidates), condition: undefined };
  if (size === 0) return unsupported("labels of a tensor without cells");
  const isPresent = new Int32Array(candidates.length);
  const rows = new Int32Array(candidates.length);
  for (let at = 0; at < rows.length; at++) {
    const row = intAt(candidates, at);
    if (row < 0 || row >= size) continue;
    isPresent[at] = 1;
    rows[at] = row;
  }
  return { rows, condition: { axes: [axis], source: stored(tables.cells(isPresent)) } };
}
