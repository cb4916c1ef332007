import { axesFrom, axisName, cellsIn, type Shape, sizeAt } from "../../axes.js";
import { divided, generate, reduce, remainder, scaled, shifted, total } from "../../expression.js";
import type { NodeImport } from "../../node.js";
import { elementAt, generated, insideCell, isFiniteConstant, renamed } from "../../operand.js";
import type { Value } from "../../value.js";
import { perChannel } from "../normalisation.js";
import type { Become } from "../table.js";
import { channelIn, defineGrouped, defineWindows, inGroup, kernelNames } from "./windowed-sums.js";
import { kernelDimensions, kernelIndexes, stepDimensions, type Windows } from "./windows.js";

/**
 * Convolutions the other way round: each element of the input is multiplied by all weights of a window, and lies in the result where that
 * window does, added to those of its neighbours.
 */

export const transposedConvolution: Become = (node) => {
  const [x, weights, bias] = [node.input(0), node.input(1), node.optional(2)];
  const [, channels, ...spatial] = node.withAxes(x.shape, 2);
  const [, , ...kernel] = node.withAxes(weights.shape, 2);
  const groups = node.integer("group", 1);
  node.checkFit(weights.shape[0] === channels && Number.isInteger(channels / groups), [x, weights]);
  const list = (name: string): number[] => node.integers(name) ?? kernel.map(() => 1);
  const nothing = kernel.map(() => 0);
  const windows: Windows = {
    ...{ kernel, spatial, strides: list("strides"), dilations: list("dilations") },
    ...{ before: nothing, after: nothing, steps: spatial },
  };
  const result = transposedSizes(node, windows);
  // Where an element lies in no window, a weight that is not finite must not be multiplied by 0.
  const phases = groups === 1 && isFiniteConstant(weights) ? phasesOf(windows, result) : undefined;
  if (phases !== undefined) return definePhases(node, [x, weights, bias], phases, result);
  defineSearch(node, [x, weights, bias], windows, result);
};

/** What of a transposed convolution remains: its sizes, and how much is cut off in front of it. */
interface Result {
  readonly sizes: Shape;
  readonly before: Shape;
}

type Operands = readonly [x: Value, weights: Value, bias: Value | undefined];

function transposedSizes(node: NodeImport, windows: Windows): Result {
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

/** A transposed convolution as one with windows of the input: see `phasesOf`. */
interface Phases {
  /** How far apart elements of the result are that have the same weights. */
  readonly strides: readonly number[];
  /** The first window of the result. */
  readonly first: readonly number[];
  readonly windows: Windows;
}

/**
 * An element of the result is made of neighbours in the input, with weights that depend on its phase: how far it is behind a multiple of the
 * stride. For all phases at once these are windows with the filters of a phase beside each other. Nothing where windows are dilated, or are no
 * multiple of the stride, so that some phases have fewer weights than others, or where more is cut off than windows reach beyond the input.
 */
function phasesOf(
  { kernel, strides, dilations, spatial }: Windows,
  { sizes, before }: Result,
): Phases | undefined {
  const axes = kernel.map((length, at) => {
    const [stride, size, cut] = [sizeAt(strides, at), sizeAt(sizes, at), sizeAt(before, at)];
    const reach = length / stride;
    const first = Math.floor(cut / stride);
    const steps = Math.floor((size - 1 + cut) / stride) - first + 1;
    const ahead = reach - 1 - first;
    return { reach, first, steps, ahead, behind: steps + reach - 1 - ahead - sizeAt(spatial, at) };
  });
  const fits = axes.every(
    ({ reach, first, ahead, behind }) => Number.isInteger(reach) && first >= 0 && ahead >= 0 && behind >= 0,
  );
  if (!fits || dilations.some((dilation) => dilation !== 1)) return undefined;
  const ones = kernel.map(() => 1);
  const windows: Windows = {
    ...{ kernel: axes.map(({ reach }) => reach), spatial, strides: ones, dilations: ones },
    before: axes.map(({ ahead }) => ahead),
    after: axes.map(({ behind }) => behind),
    steps: axes.map(({ steps }) => steps),
  };
  return { strides, first: axes.map(({ first }) => first), windows };
}

function definePhases(node: NodeImport, [x, weights, bias]: Operands, phases: Phases, result: Result): void {
  const { strides, first, windows } = phases;
  const filters = phaseFilters(node, weights, phases);
  const count = cellsIn(strides);
  if (count === 1) return void defineWindows(node, x, filters, { windows, groups: 1, bias });
  const sums = node.inner("phases", (inner) =>
    defineWindows(inner, x, filters, { windows, groups: 1, bias: undefined }),
  );
  const shape = [sizeAt(x.shape, 0), sizeAt(weights.shape, 1), ...result.sizes];
  const text = generated(shape, x.element, ([n = "0", filter = "0", ...indexes]) => {
    const whole = indexes.map((index, at) => shifted(index, sizeAt(result.before, at)));
    const phase = whole.map((index, at) =>
      scaled(remainder(index, sizeAt(strides, at)), cellsIn(strides.slice(at + 1))),
    );
    const steps = whole.map((index, at) => shifted(divided(index, sizeAt(strides, at)), -sizeAt(first, at)));
    return elementAt(sums, [n, total([scaled(filter, count), ...phase]), ...steps]);
  });
  const rest = bias === undefined ? "" : ` + ${perChannel(node, bias, shape)}`;
  node.define(`${text}${rest}`, shape, x.element, 0, [sums, bias]);
}

/** The weights of each phase as a filter of its own, those of one filter beside each other: the last weight meets the first element. */
function phaseFilters(node: NodeImport, weights: Value, { strides, windows: { kernel } }: Phases): Value {
  const [channels, filters] = node.withAxes(weights.shape, 2);
  const count = cellsIn(strides);
  const shape = [filters * count, channels, ...kernel];
  const text = generated(shape, weights.element, ([filter = "0", channel = "0", ...indexes]) => {
    const spatial = indexes.map((index, at) => {
      const [stride, last] = [sizeAt(strides, at), sizeAt(kernel, at) - 1];
      const phase = remainder(divided(filter, cellsIn(strides.slice(at + 1))), stride);
      return total([phase, last === 0 ? "0" : `(${last} - ${index}) * ${stride}`]);
    });
    return elementAt(weights, [channel, divided(filter, count), ...spatial]);
  });
  return node.intermediate("filters", text, shape, weights.element, [weights]);
}

/** What an element of the result reads of the input for a weight of the kernel, and whether there is such an element. */
function transposedRead(
  x: Value,
  windows: Windows,
  { sizes, before }: Result,
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
function defineSearch(
  node: NodeImport,
  [x, weights, bias]: Operands,
  windows: Windows,
  result: Result,
): void {
  const [batch, channels] = node.withAxes(x.shape, 2);
  const [, perGroup] = node.withAxes(weights.shape, 2);
  const groups = node.integer("group", 1);
  const ownChannels = channels / groups;
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
  const terms = isFiniteConstant(weights)
    ? `${generate(cell, dimensions, `if(${isInside}, ${element}, 0)`)} * ${filter}`
    : generate(cell, [...dimensions, ...filters], `if(${isInside}, ${element} * ${weight}, 0)`);
  const names = inKernel.map(({ name }) => name);
  const sum = reduce("sum", terms, names);
  if (groups === 1) return void node.define(`${sum}${rest}`, shape, x.element);
  defineGrouped(node, sum, [batch, groups, perGroup, ...result.sizes], [x, weights], rest);
}
