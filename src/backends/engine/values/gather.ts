import { cellsOf } from "../../../language/values/shape.js";
import type { Buffer, BufferAccess, Gather } from "./value.js";

/** How many of the first axes labels differ along; the others are the block that is copied, or added, for each of their indexes. */
export const labelledAxes = ({ labels }: Gather): number =>
  labels.reduce(
    (most, { access }) => Math.max(most, access.strides.findLastIndex((stride) => stride !== 0) + 1),
    0,
  );

export const readsOfGather = ({ cells, labels }: Gather): readonly Buffer[] => [
  ...new Set([cells.slot, ...labels.map(({ access }) => access.slot)]),
];

/** All cells that a gather may come to: those along its own axes, at every label. */
export function reachOf({ sizes, cells, labels }: Gather): {
  readonly access: BufferAccess;
  readonly sizes: readonly number[];
} {
  const strides = [...cells.strides, ...labels.map(({ stride }) => stride)];
  return { access: { ...cells, strides }, sizes: [...sizes, ...labels.map(({ size }) => size)] };
}

/** In a few words, for a person. */
export const describeGather = (gather: Gather): string => describeMoved("gather", gather);

/** The same of what moves cells by labels, whatever it is called. */
export function describeMoved(name: string, moved: Gather): string {
  const { sizes } = moved;
  const outer = labelledAxes(moved);
  return `${name} of ${cellsOf(sizes)} cells, ${cellsOf(sizes.slice(outer))} at each of ${cellsOf(sizes.slice(0, outer))} labels`;
}
