import { element } from "../../../../language/values/element.js";
import { indexedAxis } from "../../values/axes.js";
import { type Axis, cellsIn, type Value } from "../../values/value.js";
import { extremesOfSum } from "./index-sums.js";
import { VaryingLabels } from "./labels.js";
import type { WindowLabel } from "./window-label.js";

/** So many cells may be added, whatever there were before. */
const mostAdded = 4096;

/** A slice of cells which windows are read of, in place of the cells themselves. */
export interface WindowCells {
  /** Of each dimension that has other cells: those that are there in the order of the sums, and zeros beyond. */
  readonly labels: ReadonlyMap<string, VaryingLabels>;
  /** For each axis which sum its first index is for. */
  readonly first: readonly number[];
}

/**
 * What windows along all axes of a value are read of, whose labels may lead beyond them, or are functions of sums. Nothing where it would
 * be far more cells, or rows have labels.
 */
export function windowCells({ axes }: Value, windows: readonly WindowLabel[]): WindowCells | undefined {
  const labels = new Map<string, VaryingLabels>();
  const first: number[] = [];
  const widened = axes.map((axis, at): Axis => {
    const { least, most } = extremesOfSum(element(windows, at).sum);
    const own = element(windows, at).labels;
    const isWithin = own === undefined && least >= 0 && most < axis.size;
    first.push(isWithin ? 0 : own === undefined ? Math.min(0, least) : least);
    if (axis.factor !== undefined || isWithin) return axis;
    const around = own ?? zerosAround(axis.name, Math.min(0, least), Math.max(axis.size - 1, most));
    labels.set(axis.name, around);
    return around.axis;
  });
  if (labels.size === 0) return { labels, first };
  const isFew = widened.every(({ size }, at) => size <= mostAdded || size <= 2 * element(axes, at).size);
  const hasCells = cellsIn(axes) > 0 && axes.every(({ factor }) => factor === undefined);
  return hasCells && isFew && cellsIn(widened) <= 2 * cellsIn(axes) + mostAdded
    ? { labels, first }
    : undefined;
}

/** Labels from the first to the last, of which those beyond an axis lead to zeros. */
function zerosAround(dimension: string, first: number, last: number): VaryingLabels {
  const length = last - first + 1;
  return VaryingLabels.evenly(indexedAxis(dimension, length), { first, step: 1, length });
}
