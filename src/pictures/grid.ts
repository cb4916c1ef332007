import { element, entry, numberAt } from "../language/values/element.js";
import type { Tensor } from "../language/values/tensor.js";

/**
 * The cells of a tensor on axes: one dimension runs across, and a second one, if there is one, runs down. Of a mapped
 * and an indexed dimension the mapped one runs down, since labels are read from left to right; otherwise the first.
 * Where there are more than fit, as many neighbours as needed become one by their mean, the same number all along an
 * axis; a mean stands between the least and the largest of its cells, NaN among them makes it NaN, and cells that are
 * not there do not count.
 */
export interface Axis {
  readonly name: string;
  readonly isIndexed: boolean;
  readonly count: number;
  /** The label at a position; a range of labels where a position stands for several. */
  readonly label: (at: number) => string;
  /** How many labels a position stands for; 1 as long as all fit. */
  readonly each: number;
}

/** The values of a picture. `cells` has a list for each row; undefined where there is no cell. */
export interface Grid {
  readonly rows: Axis;
  readonly columns: Axis;
  readonly cells: readonly (readonly (number | undefined)[])[];
}

/** A tensor of one or two dimensions, and where each of its cells goes. */
export interface Field {
  readonly tensor: Tensor;
  readonly rows: Axis;
  readonly columns: Axis;
  readonly rowOf: (position: number) => number;
  readonly columnOf: (position: number) => number;
}

/** The single row of a picture of one dimension. */
const noAxis: Axis = { name: "", isIndexed: true, count: 1, label: () => "", each: 1 };

export function fieldOf(tensor: Tensor): Field {
  const { type, sizes, labels } = tensor;
  const [first, second] = type.mapped.map(({ name }, at) =>
    mappedAxis(name, [...new Set(labels.map((row) => element(row, at)))].sort(byCodeUnits)),
  );
  const [outer, inner] = type.indexed.map(({ name }, at) => indexedAxis(name, element(sizes, at)));
  const across = second ?? inner ?? outer ?? first ?? noAxis;
  const down = type.rank < 2 ? noAxis : (first ?? outer ?? noAxis);
  if (second !== undefined && first !== undefined) {
    const [rowOf, columnOf] = [positionsOf(labels, first, 0), positionsOf(labels, second, 1)];
    return { tensor, rows: down, columns: across, rowOf, columnOf };
  }
  // One row after the other, as in the tensor itself.
  const columns = Math.max(across.count, 1);
  const rowOf = (position: number): number => Math.floor(position / columns);
  return { tensor, rows: down, columns: across, rowOf, columnOf: (position) => position % columns };
}

const byCodeUnits = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const indexedAxis = (name: string, count: number): Axis => ({
  name,
  isIndexed: true,
  count,
  label: (at) => `${at}`,
  each: 1,
});

const mappedAxis = (name: string, labels: readonly string[]): Axis => ({
  name,
  isIndexed: false,
  count: labels.length,
  label: (at) => element(labels, at),
  each: 1,
});

/** Where the label of a row of the tensor stands on an axis. */
function positionsOf(
  labels: readonly (readonly string[])[],
  axis: Axis,
  dimension: number,
): (at: number) => number {
  const positions = new Map(Array.from({ length: axis.count }, (_, at) => [axis.label(at), at]));
  return (position) => entry(positions, element(element(labels, position), dimension));
}

/** The cells of a field in at most so many rows and columns. */
export function gridOf({ tensor, rows, columns, rowOf, columnOf }: Field, most: GridLimits): Grid {
  const [down, across] = [shortened(rows, most.rows), shortened(columns, most.columns)];
  const means = new Means(down.count * across.count);
  const groupOf = (position: number): number =>
    Math.floor(rowOf(position) / down.each) * across.count + Math.floor(columnOf(position) / across.each);
  for (let at = 0; at < tensor.data.length; at++) means.expect(groupOf(at));
  for (let at = 0; at < tensor.data.length; at++) means.add(groupOf(at), tensor.at(at));
  const cells = Array.from({ length: down.count }, (_, row) =>
    Array.from({ length: across.count }, (_, column) => means.at(row * across.count + column)),
  );
  return { rows: down, columns: across, cells };
}

/** The label of each dimension of the cell at a position; undefined where a position is a mean of several cells. */
export function addressAt(
  { rows, columns }: Grid,
  row: number,
  column: number,
): Readonly<Record<string, string>> | undefined {
  if (rows.each > 1 || columns.each > 1) return undefined;
  const across = [columns.name, columns.label(column)] as const;
  return Object.fromEntries(rows.name === "" ? [across] : [[rows.name, rows.label(row)], across]);
}

export interface GridLimits {
  readonly rows: number;
  readonly columns: number;
}

/** An axis with at most so many positions. */
export function shortened(axis: Axis, most: number): Axis {
  if (axis.count <= most) return axis;
  const each = Math.ceil(axis.count / Math.max(1, most));
  const dash = axis.isIndexed ? "–" : "…";
  const label = (at: number): string => {
    const [from, to] = [at * each, Math.min((at + 1) * each, axis.count) - 1];
    return from === to ? axis.label(from) : `${axis.label(from)}${dash}${axis.label(to)}`;
  };
  return { ...axis, count: Math.ceil(axis.count / each), each, label };
}

/** Means of some groups of numbers. Dividing before adding up keeps large ones from leaving the range. */
class Means {
  private readonly counts: Float64Array;
  private readonly sums: Float64Array;
  private readonly least: Float64Array;
  private readonly largest: Float64Array;

  constructor(groups: number) {
    this.counts = new Float64Array(groups);
    this.sums = new Float64Array(groups);
    this.least = new Float64Array(groups).fill(Number.POSITIVE_INFINITY);
    this.largest = new Float64Array(groups).fill(Number.NEGATIVE_INFINITY);
  }

  /** Announces a number for the group; all are announced before the first is added. */
  expect(group: number): void {
    this.counts[group] = numberAt(this.counts, group) + 1;
  }

  add(group: number, value: number): void {
    this.sums[group] = numberAt(this.sums, group) + value / numberAt(this.counts, group);
    this.least[group] = Math.min(numberAt(this.least, group), value);
    this.largest[group] = Math.max(numberAt(this.largest, group), value);
  }

  at(group: number): number | undefined {
    if (this.counts[group] === 0) return undefined;
    const [least, largest] = [numberAt(this.least, group), numberAt(this.largest, group)];
    return Math.min(Math.max(numberAt(this.sums, group), least), largest);
  }
}

/** A note that values are means; `what` is the name of their marks in the picture. */
export function noteOf({ rows, columns }: Grid, what: string): string | undefined {
  const [first, second] = [rows, columns].filter(({ each }) => each > 1);
  if (first === undefined) return undefined;
  const others = second === undefined ? "" : ` × ${second.each} of ${second.name}`;
  return `each ${what} is the mean of ${first.each} cells of ${first.name}${others}`;
}

/** The kinds of cells that are not on a scale. */
export type Special = "missing" | "nan" | "plus" | "minus";

export function specialOf(value: number | undefined): Special | undefined {
  if (value === undefined) return "missing";
  if (Number.isNaN(value)) return "nan";
  return Number.isFinite(value) ? undefined : value > 0 ? "plus" : "minus";
}

/** Those that a grid has, in the order of a legend. */
export function specialsIn({ cells }: Grid): Special[] {
  const present = new Set(cells.flatMap((row) => row.map(specialOf)));
  const all: readonly Special[] = ["nan", "plus", "minus", "missing"];
  return all.filter((each) => present.has(each));
}

export const specialLabels: Readonly<Record<Special, string>> = {
  nan: "NaN",
  plus: "∞",
  minus: "-∞",
  missing: "no cell",
};
