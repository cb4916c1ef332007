import { axesFrom, axisName, dimensionsOf, type Shape, sizeAt } from "../../axes.js";
import { generate, reduce } from "../../expression.js";
import type { NodeImport } from "../../node.js";
import { elementAt, generated, insideCell } from "../../operand.js";
import type { Value } from "../../value.js";
import type { Become, OperatorTable } from "../table.js";

/** Images sampled at positions that are data: each element of the result is a weighted sum of the neighbours of a position. */

/** How a position is sampled along an axis: how many neighbours count, which is the first, and how much one counts. */
interface Mode {
  readonly neighbours: number;
  /** What is added to the position, rounded down, for the first of them. */
  readonly first: number;
  /** The weight of a neighbour by its number, for a position with this fraction. */
  readonly weight: (neighbour: string, fraction: string) => string;
}

const nearest: Mode = { neighbours: 1, first: 0, weight: () => "1" };
const linear: Mode = { neighbours: 2, first: 0, weight: (at, fraction) => `abs(1 - ${at} - ${fraction})` };
const cubic: Mode = {
  neighbours: 4,
  first: -1,
  weight: (at, fraction) => `cubic_weight(abs(${fraction} + 1 - ${at}))`,
};

const modes: Readonly<Record<string, Mode>> = { nearest, linear, bilinear: linear, cubic, bicubic: cubic };

/** An axis of the input: from where to where positions lie within it, and what becomes of those beyond. */
interface Axis {
  readonly size: number;
  readonly low: number;
  readonly high: number;
  readonly padding: string;
}

/** A position, moved into the axis where it is beyond its ends; for zeros it stays outside, where nothing is read. */
function padded(position: string, { size, low, high, padding }: Axis): string {
  const within = `max(0, min(${size - 1}, ${position}))`;
  if (padding === "zeros") return position;
  if (padding === "border")
    return `if(${position} < ${low} || ${position} > ${high}, ${within}, ${position})`;
  return high === low ? "0" : `reflected(${position}, ${low}, ${high - low})`;
}

const gridSample: Become = (node) => {
  const [x, grid] = [node.input(0), node.input(1)];
  const rank = x.shape.length;
  const spatial = axesFrom(2, rank);
  const mode = node.choice("mode", modes, node.opset < 20 ? "bilinear" : "linear");
  const padding = node.text("padding_mode", "zeros");
  if (!["zeros", "border", "reflection"].includes(padding))
    return node.refuse({ kind: "attribute", name: "padding_mode", value: padding });
  const fits = grid.shape.length === rank && grid.shape[0] === x.shape[0];
  if (!fits || sizeAt(grid.shape, rank - 1) !== spatial.length)
    node.refuse({ kind: "shapes", shapes: [x.shape, grid.shape] });
  const isAligned = node.integer("align_corners", 0) === 1;
  const outer = grid.shape.slice(0, -1);
  const along = spatial.map((axis) => {
    const size = sizeAt(x.shape, axis);
    const [low, high] = isAligned ? [0, size - 1] : [-0.5, size - 0.5];
    // The grid lists the last axis first.
    const column = rank - 1 - axis;
    return neighboursOf({ node, grid, column, mode, axis: { size, low, high, padding }, isAligned });
  });
  const shape: Shape = [...x.shape.slice(0, 2), ...outer.slice(1)];
  const indexes = shape.map((size, axis) => (size === 1 ? "0" : axisName(rank, axis)));
  const own = [indexes[0] ?? "0", ...indexes.slice(2)];
  const names = mode.neighbours === 1 ? [] : spatial.map((_, at) => `k${at}`);
  const chosen = along.map(({ index }, at) => elementAt(index, [...own, names[at] ?? "0"]));
  const weights = along.map(({ weight }, at) => elementAt(weight, [...own, names[at] ?? "0"]));
  const element = elementAt(x, [indexes[0] ?? "0", indexes[1] ?? "0", ...chosen]);
  const kernel = names.map((name) => ({ name, size: mode.neighbours }));
  const body = [element, ...weights].join(" * ");
  const text = generate(insideCell(x.element), [...kernel, ...dimensionsOf(shape)], body);
  node.define(reduce("sum", text, names), shape, x.element);
};

/** How an axis of the input is sampled: the grid that has the positions along it, and in which column. */
interface SampledAxis {
  readonly node: NodeImport;
  readonly grid: Value;
  readonly column: number;
  readonly mode: Mode;
  readonly axis: Axis;
  readonly isAligned: boolean;
}

/** The indexes of the neighbours of each position along an axis, and their weights; the last axis counts the neighbours. */
function neighboursOf(sampling: SampledAxis): { readonly index: Value; readonly weight: Value } {
  const position = positionsOf(sampling);
  const index = indexesOf(sampling, position);
  return { index, weight: weightsOf(sampling, position, index) };
}

/** A value with numbers for each position of the grid. */
function perPosition(
  { node, grid }: SampledAxis,
  suffix: string,
  numbers: number,
  body: (at: readonly string[]) => string,
  from: Value,
): Value {
  const shape = [...grid.shape.slice(0, -1), numbers];
  return node.intermediate(suffix, generated(shape, "double", body), shape, "double", [from]);
}

/** The index of the last axis, which counts the neighbours; 0 where there is one. */
const neighbourAt = ({ grid }: SampledAxis, at: readonly string[]): string =>
  at[grid.shape.length - 1] ?? "0";

/** The positions along the axis in cells of the input, moved into it where its end decides. */
function positionsOf(sampling: SampledAxis): Value {
  const { grid, column, mode, axis, isAligned } = sampling;
  const scaled = (at: readonly string[]): string => {
    const coordinate = elementAt(grid, [...at.slice(0, -1), `${column}`]);
    return isAligned
      ? `(${coordinate} + 1) / 2 * ${axis.size - 1}`
      : `((${coordinate} + 1) * ${axis.size} - 1) / 2`;
  };
  const rounded = (at: readonly string[]): string =>
    mode.neighbours === 1 ? `round_even(${scaled(at)})` : scaled(at);
  const exact = perPosition(sampling, "position", 1, rounded, grid);
  // Of the four neighbours of a cubic each is moved into the axis by itself.
  const isMoved = axis.padding !== "zeros" && mode !== cubic;
  const moved = (at: readonly string[]): string => padded(elementAt(exact, at), axis);
  return isMoved ? perPosition(sampling, "within", 1, moved, exact) : exact;
}

function indexesOf(sampling: SampledAxis, position: Value): Value {
  const { mode, axis } = sampling;
  const index = (at: readonly string[]): string => {
    const first = `floor(${elementAt(position, at)}) + ${mode.first}`;
    return padded(`(${first} + ${neighbourAt(sampling, at)})`, axis);
  };
  return perPosition(sampling, "neighbour", mode.neighbours, index, position);
}

function weightsOf(sampling: SampledAxis, position: Value, index: Value): Value {
  const { mode, axis } = sampling;
  // An axis of one element has no dimension that could be read beyond its end.
  const isRead = axis.size === 1 && axis.padding === "zeros";
  const weight = (at: readonly string[]): string => {
    const own = elementAt(position, at);
    const plain = mode.weight(neighbourAt(sampling, at), `(${own} - floor(${own}))`);
    return isRead ? `if(${elementAt(index, at)} == 0, ${plain}, 0)` : plain;
  };
  return perPosition(sampling, "weight", mode.neighbours, weight, index);
}

// biome-ignore format: a table
export const gridSampling: OperatorTable = {
  GridSample: { 16: gridSample },
};
