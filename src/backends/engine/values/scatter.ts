import { cellsOf } from "../../../language/values/shape.js";
import { labelledAxesOf } from "./gather.js";
import type { Buffer, BufferAccess, Scatter } from "./value.js";

/** How many of the first axes the label differs along; the others are the block that is added for each of their indexes. */
export const outerAxes = ({ label }: Scatter): number => labelledAxesOf([label]);

export const readsOfScatter = ({ cells, label }: Scatter): readonly Buffer[] => [
  ...new Set([cells.slot, label.access.slot]),
];

/** All cells of a target that a scatter may come to: those along its own axes, at every label. */
export function targetOf(
  { sizes, strides, label }: Scatter,
  target: Buffer,
): { readonly access: BufferAccess; readonly sizes: readonly number[] } {
  const all = [...strides, label.stride];
  return {
    access: { slot: target, cellType: target.cellType, offset: 0, strides: all },
    sizes: [...sizes, label.size],
  };
}

/** In a few words, for a person. */
export function describeScatter(scatter: Scatter): string {
  const { sizes } = scatter;
  const outer = outerAxes(scatter);
  return `scatter of ${cellsOf(sizes)} cells, ${cellsOf(sizes.slice(outer))} at each of ${cellsOf(sizes.slice(0, outer))} labels`;
}
