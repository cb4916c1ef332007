import { combined } from "../values/arithmetic.js";
import { indexedAxis } from "../values/axes.js";
import { viewed } from "../values/source.js";
import type { Tables } from "../values/tables.js";
import { type Axis, type AxisImage, cellsIn, constant, stored, type Value } from "../values/value.js";

/** How many zeros there are before the first index of an axis, and behind its last one. */
export interface Margin {
  readonly before: number;
  readonly behind: number;
}

/** So many cells may be added, whatever there were before. */
const mostAdded = 4096;

/**
 * Cells with zeros around them, so that labels which lead beyond an axis are there, with what a label that is not there has. Nothing
 * where it would be far more cells, or rows have labels.
 */
export function padded(value: Value, margins: readonly Margin[], tables: Tables): Value | undefined {
  const axes: Axis[] = [];
  const images: AxisImage[] = [];
  const conditions: Value[] = [];
  for (const [at, axis] of value.axes.entries()) {
    const { before, behind } = margins[at] ?? none;
    if (axis.factor !== undefined || axis.size === 0) return undefined;
    if (before === 0 && behind === 0) {
      axes.push(axis);
      images.push({ axis: at });
      continue;
    }
    const size = before + axis.size + behind;
    if (size > mostAdded && size > 2 * axis.size) return undefined;
    const widened = indexedAxis(axis.name, size);
    const rows = new Int32Array(size).map((_, index) => Math.min(Math.max(index - before, 0), axis.size - 1));
    const isThere = new Int32Array(size).fill(1, before, before + axis.size);
    axes.push(widened);
    images.push({ axis: at, rows });
    conditions.push({ axes: [widened], source: stored(tables.cells(isThere)) });
  }
  if (cellsIn(axes) > 2 * cellsIn(value.axes) + mostAdded) return undefined;
  return conditions.reduce(
    (cells, condition) => combined({ op: "select" }, [condition, cells, constant(0)]),
    viewed(axes, value.source, images),
  );
}

const none: Margin = { before: 0, behind: 0 };
