import { describeMoved } from "./gather.js";
import type { Buffer, BufferAccess, Scatter } from "./value.js";

/** All cells of a target that a scatter may come to: those along its own axes, at every label. */
export function targetOf(
  { sizes, strides, labels: [label] }: Scatter,
  target: Buffer,
): { readonly access: BufferAccess; readonly sizes: readonly number[] } {
  const all = [...strides, label.stride];
  return {
    access: { slot: target, cellType: target.cellType, offset: 0, strides: all },
    sizes: [...sizes, label.size],
  };
}

/** In a few words, for a person. */
export const describeScatter = (scatter: Scatter): string =>
  describeMoved(scatter.aggregator === "sum" ? "scatter" : `scatter by ${scatter.aggregator}`, scatter);
