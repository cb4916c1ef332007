import { element } from "../../../language/values/element.js";
import { byStorage } from "./axes.js";
import { isTable } from "./rows.js";
import { composed, sizeOf } from "./source.js";
import { type Axis, type AxisImage, cellsIn, type Source } from "./value.js";

/** Fewer cells are in the nearest cache, in whichever order they lie. */
const fewestCells = 1024;
/** Larger sources are not looked through. */
const mostInstructions = 200;
/** Along a shorter axis, cells that lie next to each other are of no use. */
const shortestLine = 4;

/** How cells that a source reads lie along the axes of a value: the stride of each, absent where it is no number. */
interface Reading {
  readonly cells: number;
  readonly strides: readonly (number | undefined)[];
}

/**
 * The order in which the axes of a value are stored: by their names; but where most of what it is computed from would be read with
 * long strides then, in the order of that. So what a transposed value becomes is computed from and stored in lines, and whoever
 * reads it finds it as near as before.
 */
export function orderOfStorage(axes: readonly Axis[], source: Source): readonly Axis[] {
  const named = [...axes].sort(byStorage);
  if (source.kind !== "computed" || sizeOf(source) > mostInstructions || cellsIn(axes) < fewestCells)
    return named;
  const last = named.findLast(({ factor, size }) => factor === undefined && size > 1);
  if (last === undefined) return named;
  const readings = largestOf(readingsOf(axes, source));
  const along = ({ strides }: Reading, axis: Axis): number =>
    Math.abs(strides[axes.indexOf(axis)] ?? Number.POSITIVE_INFINITY);
  const [first] = readings;
  if (first === undefined || readings.some((reading) => along(reading, last) <= 1)) return named;
  const hasLines = axes.some(
    (axis) => axis.factor === undefined && axis.size >= shortestLine && along(first, axis) === 1,
  );
  if (!hasLines) return named;
  // What is the same all along an axis is read again for each index of it, and so comes first, as rows do.
  const distance = (axis: Axis): number => along(first, axis) || Number.POSITIVE_INFINITY;
  const indexed = named.filter(({ factor }) => factor === undefined);
  const ordered = indexed.toSorted((one, other) => distance(other) - distance(one) || 0);
  return [...named.filter(({ factor }) => factor !== undefined), ...ordered];
}

/** Those of the most cells. */
function largestOf(readings: readonly Reading[]): readonly Reading[] {
  const most = readings.reduce((cells, each) => Math.max(cells, each.cells), 0);
  return readings.filter(({ cells }) => cells === most);
}

function readingsOf(axes: readonly Axis[], root: Source): readonly Reading[] {
  const readings: Reading[] = [];
  const visit = (source: Source, images: readonly AxisImage[] | undefined): void => {
    if (source.kind === "computed")
      for (const operand of source.operands) visit(operand.source, composed(operand.images, images));
    if (source.kind !== "stored") return;
    const strides = axes.map((): number | undefined => 0);
    for (const [at, stride] of source.access.strides.entries()) {
      const image: AxisImage = images === undefined ? { axis: at } : element(images, at);
      if ("at" in image) continue;
      const before = strides[image.axis];
      const step = image.rows === undefined ? 1 : isTable(image.rows) ? undefined : image.rows.step;
      const isEven = typeof stride === "number" && step !== undefined && before !== undefined;
      strides[image.axis] = isEven ? before + stride * step : undefined;
    }
    readings.push({ cells: cellsIn(axes.filter((_, at) => strides[at] !== 0)), strides });
  };
  visit(root, undefined);
  return readings;
}
