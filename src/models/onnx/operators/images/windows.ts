import { axesFrom, axisName, dimensionsOf, type Shape, type SizedDimension, sizeAt } from "../../axes.js";
import { scaled, shifted, total } from "../../expression.js";
import type { NodeImport } from "../../node.js";
import { elementAt, generated } from "../../operand.js";
import type { Value } from "../../value.js";

/** Where the windows of a convolution or a pooling lie along the axes behind batch and channel. */
export interface Windows {
  readonly kernel: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** How many windows there are along each axis. */
  readonly steps: readonly number[];
  /** The sizes of what they lie in. */
  readonly spatial: readonly number[];
}

export function windowsOf(node: NodeImport, spatial: Shape, kernel: readonly number[]): Windows {
  if (kernel.length !== spatial.length) node.refuse({ kind: "shapes", shapes: [spatial, kernel] });
  const list = (name: string): number[] => {
    const written = node.integers(name);
    return written === undefined || written.length === 0 ? kernel.map(() => 1) : written;
  };
  const [strides, dilations] = [list("strides"), list("dilations")];
  const reach = kernel.map((size, at) => (size - 1) * sizeAt(dilations, at) + 1);
  const mode = node.text("auto_pad", "NOTSET");
  const common = { kernel, strides, dilations, spatial };
  if (mode.startsWith("SAME")) {
    const steps = spatial.map((size, at) => Math.ceil(size / sizeAt(strides, at)));
    const missing = steps.map((count, at) =>
      Math.max(0, (count - 1) * sizeAt(strides, at) + sizeAt(reach, at) - sizeAt(spatial, at)),
    );
    const before = missing.map((cells) =>
      mode === "SAME_UPPER" ? Math.floor(cells / 2) : Math.ceil(cells / 2),
    );
    return { ...common, steps, before, after: missing.map((cells, at) => cells - sizeAt(before, at)) };
  }
  const written = mode === "NOTSET" ? (node.integers("pads") ?? []) : [];
  const pads = written.length > 0 ? written : axesFrom(0, 2 * kernel.length).map(() => 0);
  const [before, after] = [pads.slice(0, kernel.length), pads.slice(kernel.length)];
  const isCeiling = node.integer("ceil_mode", 0) === 1;
  const steps = spatial.map((size, at) => {
    const [first, last, stride] = [sizeAt(before, at), sizeAt(after, at), sizeAt(strides, at)];
    const room = (size + first + last - sizeAt(reach, at)) / stride;
    const count = isCeiling ? Math.ceil(room) + 1 : Math.floor(room) + 1;
    // A last window that would begin behind everything is left out.
    return isCeiling && (count - 1) * stride >= size + first ? count - 1 : count;
  });
  if (steps.some((count) => count < 1)) node.refuse({ kind: "shapes", shapes: [spatial, kernel] });
  return { ...common, steps, before, after };
}

/** The names of the directions of a window that are longer than 1. */
export function kernelDimensions({ kernel }: Windows): SizedDimension[] {
  return kernel.map((size, at) => ({ name: `k${at}`, size })).filter(({ size }) => size !== 1);
}

/** The direction of each axis of a window as an index. */
export const kernelIndexes = ({ kernel }: Windows): string[] =>
  kernel.map((size, at) => (size === 1 ? "0" : `k${at}`));

/** The dimensions of the windows along the axes behind batch and channel. */
export function stepDimensions({ steps }: Windows): SizedDimension[] {
  const rank = steps.length + 2;
  return dimensionsOf([1, 1, ...steps].slice(0, rank));
}

/** Where a window reads, for each axis, counted from the first element that there is. */
export function positions(windows: Windows): string[] {
  return readPositions(windows).map((position, at) => shifted(position, -sizeAt(windows.before, at)));
}

/** Where a window reads in what is padded already. */
export function readPositions(windows: Windows): string[] {
  const rank = windows.steps.length + 2;
  return windows.steps.map((count, at) => {
    const step = count === 1 ? "0" : scaled(axisName(rank, at + 2), sizeAt(windows.strides, at));
    const inside = scaled(kernelIndexes(windows)[at] ?? "0", sizeAt(windows.dilations, at));
    return total([step, inside]);
  });
}

/** Whether a window reads what is there: conditions only for axes along which some window reaches beyond. */
export function conditions(windows: Windows): string[] {
  return positions(windows).flatMap((position, at) => [
    ...(sizeAt(windows.before, at) > 0 ? [`${position} >= 0`] : []),
    ...(isBeyond(windows, at, sizeAt(windows.spatial, at)) ? [`${position} < ${windows.spatial[at]}`] : []),
  ]);
}

/** A value with as much around it as its windows reach beyond it, so that each window reads what is there. */
export function padded(node: NodeImport, x: Value, windows: Windows, outside: string): Value {
  if (conditions(windows).length === 0) return x;
  const [batch, channels] = node.withAxes(x.shape, 2);
  const sizes = windows.spatial.map((size, at) => {
    const before = sizeAt(windows.before, at);
    return Math.max(before + size, lastRead(windows, at) + 1);
  });
  const shape = [batch, channels, ...sizes];
  const text = generated(shape, x.element, (indexes) => {
    const spatial = indexes.slice(2);
    const inner = spatial.map((index, at) => shifted(index, -sizeAt(windows.before, at)));
    const element = elementAt(x, [...indexes.slice(0, 2), ...inner]);
    // Beyond a tensor its elements are 0.
    if (outside === "0" && windows.spatial.every((size) => size !== 1)) return element;
    const inside = spatial.flatMap((index, at) => {
      const before = sizeAt(windows.before, at);
      const end = before + sizeAt(windows.spatial, at);
      return [
        ...(before > 0 ? [`${index} >= ${before}`] : []),
        ...(end < sizeAt(sizes, at) ? [`${index} < ${end}`] : []),
      ];
    });
    return `if(${inside.join(" && ")}, ${element}, ${outside})`;
  });
  return node.intermediate("padded", text, shape, x.element, [x]);
}

/** The last position that a window reads in what is padded. */
function lastRead({ steps, strides, kernel, dilations }: Windows, at: number): number {
  return (sizeAt(steps, at) - 1) * sizeAt(strides, at) + (sizeAt(kernel, at) - 1) * sizeAt(dilations, at);
}

/** Whether the last window ends behind a position along an axis. */
export const isBeyond = (windows: Windows, at: number, end: number): boolean =>
  lastRead(windows, at) + 1 - sizeAt(windows.before, at) > end;
