import { mapTuple } from "../../../language/source/lists.js";
import { axesFrom, axisName, type Shape, type SizedDimension, sizeAt } from "../axes.js";
import { divided, generate, reduce, remainder, rename, scaled, shifted, total } from "../expression.js";
import {
  elementAt,
  generated,
  insideCell,
  isFiniteConstant,
  isSingle,
  type NodeImport,
  renamed,
} from "../node.js";
import type { Value } from "../value.js";
import { perChannel } from "./normalisation.js";
import { centred, quantised, scalable } from "./quantisation.js";
import type { Become, OperatorTable } from "./table.js";
import {
  kernelDimensions,
  kernelIndexes,
  padded,
  readPositions,
  stepDimensions,
  type Windows,
  windowsOf,
} from "./windows.js";

/** Convolutions: sums of products of the elements in a window with weights. */

const convolution: Become = (node) => {
  const bias = node.optional(2);
  const x = node.input(0);
  defineConvolution(node, x, node.input(1), bias);
};

const inGroup = (name: string, size: number): SizedDimension[] => (size === 1 ? [] : [{ name, size }]);

/** The channel of the group g: `g * 4 + c`. */
function channelIn(groups: number, channel: string, channels: number): string {
  return total([groups === 1 ? "0" : scaled("g", channels), channels === 1 ? "0" : channel]);
}

/** The convolution of a value, with the bias of each filter. */
function defineConvolution(node: NodeImport, x: Value, weights: Value, bias?: Value): Value {
  const [batch, channels, ...spatial] = node.withAxes(x.shape, 2);
  const [filters, ownChannels, ...kernel] = node.withAxes(weights.shape, 2);
  const groups = node.integer("group", 1);
  if (ownChannels * groups !== channels) node.refuse({ kind: "shapes", shapes: [x.shape, weights.shape] });
  const windows = windowsOf(node, spatial, kernel);
  const rank = x.shape.length;
  const shape = [batch, filters, ...windows.steps];
  const rest = bias === undefined ? "" : ` + ${perChannel(node, bias, shape)}`;
  const group = inGroup("g", groups);
  const channel = inGroup("c", ownChannels);
  const outer = inGroup(axisName(rank, 0), batch);
  const around = padded(node, x, windows, "0");
  const channelAt = channelIn(groups, "c", ownChannels);
  const element = elementAt(around, [axisName(rank, 0), channelAt, ...readPositions(windows)]);
  const patches = generate(
    insideCell(x.element),
    [...outer, ...group, ...channel, ...stepDimensions(windows), ...kernelDimensions(windows)],
    element,
  );
  const summed = [...channel, ...kernelDimensions(windows)].map(({ name }) => name);
  const product = (filter: string): string => reduce("sum", `${patches} * ${filter}`, summed);
  if (groups === 1) {
    const names = [axisName(rank, 1), "c", ...kernelNames(windows)];
    return node.define(`${product(renamed(weights, names))}${rest}`, shape, x.element);
  }
  const perGroup = filters / groups;
  const filter = generate(
    insideCell(weights.element),
    [...group, ...inGroup("m", perGroup), ...channel, ...kernelDimensions(windows)],
    elementAt(weights, [channelIn(groups, "m", perGroup), "c", ...kernelIndexes(windows)]),
  );
  if (perGroup === 1)
    return node.define(`${rename(product(filter), [["g", axisName(rank, 1)]])}${rest}`, shape, x.element);
  return defineGrouped(
    node,
    product(filter),
    [batch, groups, perGroup, ...windows.steps],
    [x, weights],
    rest,
  );
}

/** Defines a sum with dimensions for the groups and for the filters of each, `g` and `m`, as a value with one axis for both. */
function defineGrouped(
  node: NodeImport,
  sum: string,
  grouped: readonly [batch: number, groups: number, perGroup: number, ...sizes: number[]],
  from: readonly [x: Value, weights: Value],
  rest: string,
): Value {
  const [batch, groups, perGroup, ...sizes] = grouped;
  const [{ element }] = from;
  const rank = grouped.length;
  const pairs = [
    ["g", axisName(rank, 1)] as const,
    ...(perGroup === 1 ? [] : [["m", axisName(rank, 2)] as const]),
    ...(batch === 1 ? [] : [[axisName(rank - 1, 0), axisName(rank, 0)] as const]),
  ];
  const parts = node.intermediate("groups", rename(sum, pairs), grouped, element, from);
  const shape = [batch, groups * perGroup, ...sizes];
  const text = generated(shape, element, ([n = "0", c = "0", ...steps]) =>
    elementAt(parts, [n, divided(c, perGroup), remainder(c, perGroup), ...steps]),
  );
  return node.define(`${text}${rest}`, shape, element);
}

const kernelNames = ({ kernel }: Windows): string[] => kernel.map((_, at) => `k${at}`);

const convInteger: Become = (node) => {
  const x = centred(node, node.input(0), node.optional(2), 0);
  defineConvolution(node, x, centred(node, node.input(1), node.optional(3), 0));
};

const qLinearConv: Become = (node) => {
  const [x, scaleX, zeroX, w, scaleW, zeroW, scale, zero] = mapTuple([0, 1, 2, 3, 4, 5, 6, 7], (at) =>
    node.input(at),
  );
  const sums = node.inner("sums", (inner) =>
    defineConvolution(inner, centred(node, x, zeroX, 0), centred(node, w, zeroW, 0), node.optional(8)),
  );
  const filterScale = isSingle(scaleW) ? scaleW.text : perChannel(node, scaleW, sums.shape);
  const real = `${scalable(sums)} * (${scaleX.text} * ${filterScale} / ${scale.text})`;
  node.define(quantised(real, zero.text, zero.element), sums.shape, zero.element);
};

/** The sizes and the padding in front of a transposed convolution. */
function transposedSizes(node: NodeImport, windows: Windows): { sizes: number[]; before: number[] } {
  const { kernel, strides, dilations, spatial } = windows;
  const extra = node.integers("output_padding") ?? kernel.map(() => 0);
  const full = spatial.map(
    (size, at) =>
      (size - 1) * sizeAt(strides, at) +
      sizeAt(extra, at) +
      (sizeAt(kernel, at) - 1) * sizeAt(dilations, at) +
      1,
  );
  const mode = node.text("auto_pad", "NOTSET");
  const isUpper = mode === "SAME_UPPER";
  const required = node.integers("output_shape")?.slice(-kernel.length);
  if (required !== undefined || mode.startsWith("SAME")) {
    const sizes = required ?? spatial.map((size, at) => size * sizeAt(strides, at));
    const missing = full.map((size, at) => size - sizeAt(sizes, at));
    return {
      sizes,
      before: missing.map((cells) => (isUpper ? Math.floor(cells / 2) : Math.ceil(cells / 2))),
    };
  }
  const pads = node.integers("pads") ?? axesFrom(0, 2 * kernel.length).map(() => 0);
  const sizes = full.map((size, at) => size - sizeAt(pads, at) - sizeAt(pads, at + kernel.length));
  return { sizes, before: pads.slice(0, kernel.length) };
}

/** What an element of the result reads of the input for a weight of the kernel, and whether there is such an element. */
function transposedRead(
  x: Value,
  windows: Windows,
  { sizes, before }: { readonly sizes: Shape; readonly before: Shape },
  channel: string,
): { readonly element: string; readonly isInside: string } {
  const rank = x.shape.length;
  const kernelAt = kernelIndexes(windows);
  const sources = sizes.map((size, at) => {
    const index = shifted(size === 1 ? "0" : axisName(rank, at + 2), sizeAt(before, at));
    return kernelAt[at] === "0"
      ? index
      : `${index} - ${scaled(kernelAt[at] ?? "0", sizeAt(windows.dilations, at))}`;
  });
  const conditions = sources.flatMap((source, at) => {
    const stride = sizeAt(windows.strides, at);
    const position = `(${source})`;
    return [
      `${position} >= 0`,
      `${position} < ${sizeAt(windows.spatial, at) * stride}`,
      ...(stride === 1 ? [] : [`${position} % ${stride} == 0`]),
    ];
  });
  const positions = sources.map((source, at) => divided(source, sizeAt(windows.strides, at)));
  return {
    element: elementAt(x, [axisName(rank, 0), channel, ...positions]),
    isInside: conditions.join(" && "),
  };
}

/** Each element of the result looks for the windows that it lies in. */
const transposedConvolution: Become = (node) => {
  const [x, weights, bias] = [node.input(0), node.input(1), node.optional(2)];
  const [batch, channels, ...spatial] = node.withAxes(x.shape, 2);
  const [, perGroup, ...kernel] = node.withAxes(weights.shape, 2);
  const groups = node.integer("group", 1);
  const ownChannels = channels / groups;
  node.checkFit(weights.shape[0] === channels && Number.isInteger(ownChannels), [x, weights]);
  const list = (name: string): number[] => node.integers(name) ?? kernel.map(() => 1);
  const nothing = kernel.map(() => 0);
  const windows: Windows = {
    ...{ kernel, spatial, strides: list("strides"), dilations: list("dilations") },
    ...{ before: nothing, after: nothing, steps: spatial },
  };
  const result = transposedSizes(node, windows);
  const rank = x.shape.length;
  const shape = [batch, groups * perGroup, ...result.sizes];
  const rest = bias === undefined ? "" : ` + ${perChannel(node, bias, shape)}`;
  const filterAxis = groups === 1 ? axisName(rank, 1) : "m";
  const [group, channel, filters] = [
    inGroup("g", groups),
    inGroup("c", ownChannels),
    inGroup(filterAxis, perGroup),
  ];
  const inKernel = [...channel, ...kernelDimensions(windows)];
  const dimensions = [
    ...inGroup(axisName(rank, 0), batch),
    ...[...group, ...channel, ...stepDimensions({ ...windows, steps: result.sizes })],
    ...kernelDimensions(windows),
  ];
  const channelAt = channelIn(groups, "c", ownChannels);
  const { element, isInside } = transposedRead(x, windows, result, channelAt);
  const weight = elementAt(weights, [channelAt, filterAxis, ...kernelIndexes(windows)]);
  const filter =
    groups === 1
      ? renamed(weights, ["c", filterAxis, ...kernelNames(windows)])
      : generate(insideCell(weights.element), [...group, ...filters, ...inKernel], weight);
  const cell = insideCell(x.element);
  // Where an element lies in no window, a weight that is not finite must not be multiplied by 0.
  const terms = isFiniteConstant(weights)
    ? `${generate(cell, dimensions, `if(${isInside}, ${element}, 0)`)} * ${filter}`
    : generate(cell, [...dimensions, ...filters], `if(${isInside}, ${element} * ${weight}, 0)`);
  const names = inKernel.map(({ name }) => name);
  const sum = reduce("sum", terms, names);
  if (groups === 1) return void node.define(`${sum}${rest}`, shape, x.element);
  defineGrouped(node, sum, [batch, groups, perGroup, ...result.sizes], [x, weights], rest);
};

// biome-ignore format: a table
export const convolutions: OperatorTable = {
  Conv:          { 1: convolution },
  ConvInteger:   { 10: convInteger },
  ConvTranspose: { 1: transposedConvolution },
  QLinearConv:   { 10: qLinearConv },
};
