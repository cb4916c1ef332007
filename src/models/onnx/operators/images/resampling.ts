import { mapTuple } from "../../../../language/source/lists.js";
import { element, numberAt } from "../../../../language/values/element.js";
import { axesFrom, axisName, replaced, type Shape, sizeAt } from "../../axes.js";
import { number, rename } from "../../expression.js";
import { type ElementType, elementTypes } from "../../file/element-type.js";
import type { NodeImport } from "../../node.js";
import { elementAt, generated, insideCell } from "../../operand.js";
import type { Value } from "../../value.js";
import { fitting } from "../../whole-numbers.js";
import type { Become, OperatorTable } from "../table.js";

/**
 * Images of another size: along each axis, an element of the result is a weighted sum of elements. The weights depend on sizes and
 * settings alone, so that they are a constant matrix for each axis.
 */

/** What weights are made from, for an axis of one size that becomes another. */
interface Sampling {
  readonly from: number;
  readonly to: number;
  readonly scale: number;
  /** How long the result is, which scales may leave a fraction of. */
  readonly length: number;
  /** The part of the axis that is looked at, from 0 to 1. */
  readonly region: readonly [start: number, end: number];
}

/** The function whose result is rounded as a float is. */
const { fround: float } = Math;

type CoordinateOf = (index: number, sampling: Sampling) => number;

const asymmetric: CoordinateOf = (index, { scale }) => float(index / scale);

/**
 * Where an element of the result lies among those of the input. Each step is rounded to a float, as in ONNX Runtime: which of two
 * neighbours is the nearest depends on it.
 */
const coordinates: Readonly<Record<string, CoordinateOf>> = {
  half_pixel: (index, { scale }) => float(float((index + 0.5) / scale) - 0.5),
  half_pixel_symmetric: (index, { from, to, scale }) => {
    const adjusted = float(to / float(scale * from));
    const offset = float((from / 2) * float(1 - adjusted));
    return float(float(offset + float((index + 0.5) / scale)) - 0.5);
  },
  pytorch_half_pixel: (index, { to, scale }) => (to > 1 ? float(float((index + 0.5) / scale) - 0.5) : 0),
  align_corners: (index, { from, length }) => (length > 1 ? float((index * (from - 1)) / (length - 1)) : 0),
  asymmetric,
  tf_half_pixel_for_nn: (index, { scale }) => float((index + 0.5) / scale),
  tf_crop_and_resize: (index, { from, to, region: [start, end] }) => {
    if (to <= 1) return float(0.5 * float(start + end) * (from - 1));
    const inside = float(float(float(index * float(end - start)) * (from - 1)) / (to - 1));
    return float(float(start * (from - 1)) + inside);
  },
};

const coordinateMode = "coordinate_transformation_mode";

type NearestOf = (position: number, scale: number) => number;

/** Which of the two neighbours is the nearest. */
const nearestModes: Readonly<Record<string, NearestOf>> = {
  round_prefer_floor: (position) => Math.ceil(position - 0.5),
  round_prefer_ceil: (position) => Math.floor(position + 0.5),
  floor: Math.floor,
  ceil: Math.ceil,
};

/** Before opset 11. */
const nearestOfOld: NearestOf = (position, scale) => (scale < 1 ? Math.ceil(position) : Math.floor(position));

/** How much an element counts at a distance. */
const kernels: Readonly<Record<string, (distance: number, a: number) => number>> = {
  linear: (distance) => Math.max(0, 1 - Math.abs(distance)),
  cubic: (distance, a) => {
    const x = Math.abs(distance);
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
  },
};

interface Settings {
  readonly mode: string;
  readonly coordinateOf: CoordinateOf;
  readonly nearestOf: NearestOf;
  readonly cubic: number;
  readonly isAntialiased: boolean;
  readonly excludesOutside: boolean;
  readonly outside: number;
}

/** The weights of all elements of an axis, for each element of the result: row by row. */
function weightsOf(node: NodeImport, sampling: Sampling, settings: Settings): Float64Array {
  const { from, to, scale } = sampling;
  const weights = new Float64Array(node.few(to * from));
  const clamp = (at: number): number => Math.min(Math.max(at, 0), from - 1);
  for (let index = 0; index < to; index++) {
    const position = settings.coordinateOf(index, sampling);
    const add = (at: number, weight: number): void => {
      const cell = index * from + clamp(at);
      weights[cell] = numberAt(weights, cell) + weight;
    };
    if (settings.mode === "nearest") {
      add(settings.nearestOf(position, scale), 1);
      continue;
    }
    const kernel = kernels[settings.mode];
    if (kernel === undefined) return node.refuse({ kind: "attribute", name: "mode", value: settings.mode });
    const stretch = settings.isAntialiased ? Math.min(1, scale) : 1;
    const reach = (settings.mode === "cubic" ? 2 : 1) / stretch;
    const near = axesFrom(Math.floor(position - reach) + 1, Math.ceil(position + reach));
    const isCounted = (at: number): boolean => !settings.excludesOutside || (at >= 0 && at < from);
    const own = near
      .filter(isCounted)
      .map((at) => ({ at, weight: kernel((position - at) * stretch, settings.cubic) }));
    const sum = own.reduce((all, { weight }) => all + weight, 0);
    if (own.length === 0) add(Math.round(position), 1);
    for (const { at, weight } of own) add(at, weight / sum);
  }
  return weights;
}

/** The scales of all axes, and the sizes that they lead to. */
function targetOf(node: NodeImport, x: Value): { shape: number[]; scales: number[]; lengths: number[] } {
  const rank = x.shape.length;
  const axes = (node.integers("axes") ?? axesFrom(0, rank)).map((axis) => node.axis(axis, rank));
  const [scaleInput, sizeInput] =
    node.opset < 11 ? [node.optional(1), undefined] : [node.optional(2), node.optional(3)];
  const scales = x.shape.map(() => 1);
  const written = scaleInput === undefined ? [] : node.numbers(scaleInput, "scales");
  const attribute = node.floats("scales") ?? [];
  const list = written.length > 0 ? written : attribute;
  const found = list.length === 0 ? list : node.asMany(list, "scales", axes.length);
  for (const [at, scale] of found.entries()) scales[element(axes, at)] = scale;
  if (sizeInput === undefined || list.length > 0) {
    const lengths = x.shape.map((size, axis) => size * sizeAt(scales, axis));
    return { scales, shape: lengths.map(Math.floor), lengths };
  }
  const sizes = node.numbers(sizeInput, "sizes");
  const shape = x.shape.map((size, axis) => sizes[axes.indexOf(axis)] ?? size);
  const ratios = axes.map((axis) => sizeAt(shape, axis) / sizeAt(x.shape, axis));
  const policy = node.text("keep_aspect_ratio_policy", "stretch");
  if (policy === "stretch") {
    for (const [at, axis] of axes.entries()) scales[axis] = float(element(ratios, at));
    return { scales, shape, lengths: shape };
  }
  const common = ratios.reduce((a, b) => (policy === "not_larger" ? Math.min(a, b) : Math.max(a, b)));
  for (const axis of axes) {
    scales[axis] = common;
    shape[axis] = Math.floor(sizeAt(x.shape, axis) * common + 0.5);
  }
  return { scales, shape, lengths: shape };
}

const resize: Become = (node) => {
  const x = node.input(0);
  const rank = x.shape.length;
  const { shape, scales, lengths } = targetOf(node, x);
  const isOld = node.opset < 11;
  const settings: Settings = {
    mode: node.text("mode", "nearest"),
    coordinateOf: isOld ? asymmetric : node.choice(coordinateMode, coordinates, "half_pixel"),
    nearestOf: isOld ? nearestOfOld : node.choice("nearest_mode", nearestModes, "round_prefer_floor"),
    cubic: node.float("cubic_coeff_a", -0.75),
    isAntialiased: node.integer("antialias", 0) === 1,
    excludesOutside: node.integer("exclude_outside", 0) === 1,
    outside: node.float("extrapolation_value", 0),
  };
  const isCropped = !isOld && node.text(coordinateMode, "half_pixel") === "tf_crop_and_resize";
  const axes = (node.integers("axes") ?? axesFrom(0, rank)).map((axis) => node.axis(axis, rank));
  const roi = isCropped ? node.numbersOf(node.input(1), "roi", 2 * axes.length) : [];
  const samplings = x.shape.map((from, axis): Sampling => {
    const at = axes.indexOf(axis);
    const region =
      isCropped && at >= 0
        ? ([element(roi, at), element(roi, at + axes.length)] as const)
        : ([0, 1] as const);
    const [to, scale, length] = mapTuple([shape, scales, lengths], (each) => sizeAt(each, axis));
    return { from, to, scale, length, region };
  });
  let current = x;
  for (const [axis, sampling] of samplings.entries()) {
    if (sampling.from === sampling.to && sampling.scale === 1 && !isCropped) continue;
    current = resampled(node, current, axis, sampling, settings);
  }
  const cropped = isCropped ? outsideText(node, current, samplings, settings) : current.text;
  node.define(settings.mode === "nearest" ? cropped : stored(cropped, x.element, settings), shape, x.element);
};

/** Sums of weights as elements of a type: ONNX Runtime cuts fractions of whole numbers off, and rounds them where it smooths. */
function stored(text: string, element: ElementType, { isAntialiased, mode }: Settings): string {
  const { range } = elementTypes[element];
  if (range === undefined) return text;
  const whole = isAntialiased ? `floor(${text} + 0.5)` : fitting(text, element);
  const [least, most] = range;
  return mode === "cubic" ? `min(max(${whole}, ${number(least)}), ${number(most)})` : whole;
}

/** A value resampled along one axis. */
function resampled(node: NodeImport, x: Value, axis: number, sampling: Sampling, settings: Settings): Value {
  const { from, to } = sampling;
  const rank = x.shape.length;
  const name = axisName(rank, axis);
  const shape = replaced(x.shape, axis, to);
  const weights = weightsOf(node, sampling, settings);
  if (settings.mode === "nearest") {
    const chosen = axesFrom(0, to).map((index) =>
      weights.subarray(index * from, (index + 1) * from).indexOf(1),
    );
    const table = node.table("nearest", chosen, [to], "int64");
    const text = generated(shape, x.element, (at) =>
      elementAt(
        x,
        at.map((index, each) => (each === axis ? elementAt(table, [index]) : index)),
      ),
    );
    return node.intermediate("resized", text, shape, x.element, [x]);
  }
  if (from === 1) {
    const repeated = to === 1 ? x.text : `${x.text} * tensor<${insideCell(x.element)}>(${name}[${to}])(1)`;
    return node.intermediate("resized", repeated, shape, x.element, [x]);
  }
  const matrix = node.table("weights", weights, [to, from], "float");
  const pairs = [...(to === 1 ? [] : [[axisName(2, 0), name] as const]), [axisName(2, 1), "k"] as const];
  const text = `sum(${rename(x.text, [[name, "k"]])} * ${rename(matrix.text, pairs)}, k)`;
  return node.intermediate("resized", text, shape, x.element, [x]);
}

/** Elements that lie outside of the input have a value of their own. */
function outsideText(
  node: NodeImport,
  value: Value,
  samplings: readonly Sampling[],
  settings: Settings,
): string {
  const tables = samplings.map((sampling): Value | undefined => {
    const inside = axesFrom(0, sampling.to).map((index) => {
      const position = settings.coordinateOf(index, sampling);
      return position >= 0 && position <= sampling.from - 1 ? 1 : 0;
    });
    return inside.every((each) => each === 1)
      ? undefined
      : node.table("inside", inside, [sampling.to], "bool");
  });
  if (tables.every((table) => table === undefined)) return value.text;
  return generated(value.shape, value.element, (at) => {
    const conditions = at.flatMap((index, axis) => {
      const table = tables[axis];
      return table === undefined ? [] : [`${elementAt(table, [index])} == 1`];
    });
    return `if(${conditions.join(" && ")}, ${elementAt(value, at)}, ${number(settings.outside)})`;
  });
}

/** The pieces of an affine transformation's grid: theta times the coordinates of each element, from -1 to 1. */
const affineGrid: Become = (node) => {
  const theta = node.input(0);
  const size = node.numbers(node.input(1), "size");
  const [batch, , ...spatial] = node.withAxes(size, 3);
  const isAligned = node.integer("align_corners", 0) === 1;
  const rank = spatial.length;
  const shape: Shape = [batch, ...spatial, rank];
  const coordinate = (index: string, count: number): string =>
    isAligned
      ? count === 1
        ? "0"
        : `(${index} * ${number(2 / (count - 1))} - 1)`
      : `((2 * ${index} + 1) / ${count} - 1)`;
  const text = generated(shape, theta.element, (at) => {
    const [b = "0", row = "0"] = [at[0], at[rank + 1]];
    const terms = [...spatial].reverse().map((count, column) => {
      const index = at[rank - column] ?? "0";
      return `${elementAt(theta, [b, row, `${column}`])} * ${coordinate(index, count)}`;
    });
    return [...terms, elementAt(theta, [b, row, `${rank}`])].join(" + ");
  });
  node.define(text, shape, theta.element);
};

// biome-ignore format: a table
export const resampling: OperatorTable = {
  AffineGrid: { 20: affineGrid },
  Resize:     { 10: resize },
  Upsample:   { 7: resize },
};
