import { element } from "../../../language/values/element.js";
import { indexedAxis } from "../values/axes.js";
import { type Axis, cellsIn, type Value } from "../values/value.js";
import { VaryingLabels } from "./labels.js";

/** How many zeros there are before the first index of an axis, and behind its last one. */
export interface Margin {
  readonly before: number;
  readonly behind: number;
}

/** So many cells may be added, whatever there were before. */
const mostAdded = 4096;

/**
 * Labels at which a slice of cells has zeros around them, so that labels which lead beyond an axis are there. Nothing where it would be far
 * more cells, or rows have labels.
 */
export function labelsAround(
  { axes }: Value,
  margins: readonly Margin[],
): ReadonlyMap<string, VaryingLabels> | undefined {
  const labels = new Map<string, VaryingLabels>();
  const widened = axes.map((axis, at): Axis => {
    const { before, behind } = element(margins, at);
    if (axis.factor !== undefined || (before === 0 && behind === 0)) return axis;
    const wide = indexedAxis(axis.name, before + axis.size + behind);
    labels.set(axis.name, VaryingLabels.evenly(wide, { first: -before, step: 1, length: wide.size }));
    return wide;
  });
  const isFew = widened.every(({ size }, at) => size <= mostAdded || size <= 2 * element(axes, at).size);
  const hasCells = cellsIn(axes) > 0 && axes.every(({ factor }) => factor === undefined);
  return hasCells && isFew && cellsIn(widened) <= 2 * cellsIn(axes) + mostAdded ? labels : undefined;
}
