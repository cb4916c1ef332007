import { wholeLabel } from "../../../language/values/text.js";
import { closures } from "../interpreter/lowering.js";
import { bodyOf } from "./flatten.js";
import type { Planner } from "./planner.js";
import { NoWay } from "./signals.js";
import { type Axis, stored, type Value } from "./value.js";

/** The labels of a slice: one for all, or one for each place of an axis. */
export type Labelled =
  | { readonly kind: "everywhere"; readonly text: string }
  | {
      readonly kind: "along";
      readonly axis: Axis;
      /**
       * The row of each place, and where some have none, a value that tells which have. Labels are indexes below the
       * size, unless `rowOf` finds them.
       */
      readonly rows: (size: number, rowOf?: (label: string) => number) => Rows;
    };

interface Rows {
  readonly rows: Int32Array | undefined;
  readonly condition: Value | undefined;
}

/**
 * Labels that are computed from the places along one axis alone: they are found while planning. Labels that depend on
 * cells, or on several axes at once, are not.
 */
export function labelsAlong(planner: Planner, value: Value): Labelled {
  const [axis] = value.axes;
  if (axis === undefined || value.axes.length > 1) throw new NoWay();
  const isPlace = value.source.kind === "place";
  const places = (): readonly number[] => Array.from(numbersOf(planner, value, axis), Math.trunc);
  const labels = (): string[] => Array.from(numbersOf(planner, value, axis), wholeLabel);
  return {
    kind: "along",
    axis,
    rows: (size, rowOf) => {
      if (isPlace && axis.size <= size && rowOf === undefined)
        return { rows: undefined, condition: undefined };
      const found = rowOf === undefined ? places() : labels().map(rowOf);
      const isThere = found.map((row) => row >= 0 && row < size);
      const rows = Int32Array.from(found, (row, at) => (isThere[at] === true ? row : 0));
      if (isThere.every(Boolean)) return { rows, condition: undefined };
      if (size === 0) throw new NoWay();
      const access = planner.tables.values(Int32Array.from(isThere, Number));
      return { rows, condition: { axes: [axis], source: stored(access) } };
    },
  };
}

/** The numbers that a value is along its axis, if no cell is needed to know them. */
function numbersOf(planner: Planner, { source }: Value, { size }: Axis): Float64Array {
  const body = bodyOf(source, 1, planner.tables);
  if (body.sources.length > 0) throw new NoWay();
  const cells = new Float64Array(size);
  const block = { cellType: "double" as const, length: size, address: 0, cells };
  const target = { slot: { block }, cellType: "double" as const, offset: 0, steps: [1] };
  const step = closures({
    axes: [{ size, isReduced: false }],
    sources: [],
    body: body.instructions,
    target,
  });
  step.run(0, size);
  return cells;
}
