import { axisName, type SizedDimension } from "../../axes.js";
import { divided, generate, reduce, remainder, rename, scaled, total } from "../../expression.js";
import type { NodeImport } from "../../node.js";
import { elementAt, generated, insideCell, renamed } from "../../operand.js";
import type { Value } from "../../value.js";
import { perChannel } from "../normalisation.js";
import {
  kernelDimensions,
  kernelIndexes,
  padded,
  readPositions,
  stepDimensions,
  type Windows,
} from "./windows.js";

/** Sums of products of what lies in windows with the weights of filters, of which a group sees channels of its own. */

/** A dimension for channels or filters, where there are several. */
export const inGroup = (name: string, size: number): SizedDimension[] => (size === 1 ? [] : [{ name, size }]);

/** The channel of the group g: `g * 4 + c`. */
export function channelIn(groups: number, channel: string, channels: number): string {
  return total([groups === 1 ? "0" : scaled("g", channels), channels === 1 ? "0" : channel]);
}

/** How many groups of channels and filters there are, in which windows, and what is added for each filter. */
interface Filtering {
  readonly windows: Windows;
  readonly groups: number;
  readonly bias: Value | undefined;
}

/** Defines the sums of products of the elements in windows with weights, whose axes are filter, channel and those of a window. */
export function defineWindows(
  node: NodeImport,
  x: Value,
  weights: Value,
  { windows, groups, bias }: Filtering,
): Value {
  const [batch] = node.withAxes(x.shape, 2);
  const [filters, ownChannels] = node.withAxes(weights.shape, 2);
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
export function defineGrouped(
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

export const kernelNames = ({ kernel }: Windows): string[] => kernel.map((_, at) => `k${at}`);
