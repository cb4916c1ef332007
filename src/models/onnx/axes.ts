import { greatest } from "../../language/source/lists.js";
import { Refused } from "./refusal.js";

/**
 * Shapes of ONNX, and the names of their axes inside a program. An axis is named by its distance from the right: the last
 * is `z`, the one before it `y`, and so on, so that NumPy's broadcasting, which aligns shapes at the right, is the natural join.
 * The names sort as the axes lie. An axis of size 1 has no dimension.
 */
export type Shape = readonly number[];

const letters = "pqrstuvwxyz";

export const mostAxes = letters.length;

/** The name of an axis of a shape of so many. */
export function axisName(rank: number, axis: number): string {
  return letters.charAt(mostAxes - rank + axis);
}

/** A dimension of a tensor inside a program. */
export interface SizedDimension {
  readonly name: string;
  readonly size: number;
}

/** The dimensions of a shape: its axes that are longer than 1. */
export function dimensionsOf(shape: Shape): SizedDimension[] {
  return shape
    .map((size, axis) => ({ name: axisName(shape.length, axis), size }))
    .filter(({ size }) => size !== 1);
}

/** The names of those of the axes that have a dimension. */
export function namesOf(shape: Shape, axes: readonly number[] = shape.map((_, axis) => axis)): string[] {
  return axes.filter((axis) => shape[axis] !== 1).map((axis) => axisName(shape.length, axis));
}

export const cellsIn = (shape: Shape): number => shape.reduce((cells, size) => cells * size, 1);

/** The shape that all of these broadcast to; nothing where two sizes differ and neither is 1. */
export function broadcast(shapes: readonly Shape[]): number[] | undefined {
  const rank = greatest(shapes.map((shape) => shape.length));
  const result: number[] = [];
  for (let axis = 0; axis < rank; axis++) {
    const sizes = shapes.map((shape) => shape[shape.length - rank + axis] ?? 1).filter((size) => size !== 1);
    const size = sizes[0] ?? 1;
    if (sizes.some((each) => each !== size)) return undefined;
    result.push(size);
  }
  return result;
}

/** Whether what has a shape can be repeated so that it has another. */
export const spreadsTo = (shape: Shape, target: Shape): boolean =>
  `${broadcast([shape, target])}` === `${target}`;

/** All axes from one to before another. */
export const axesFrom = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);

/** The size of an axis. @throws Refused where a node asks for one that is not there. */
export function sizeAt(shape: Shape, axis: number): number {
  const size = shape[axis];
  if (size === undefined) throw new Refused({ kind: "axis", axis, axes: shape.length });
  return size;
}

export const without = (shape: Shape, axes: readonly number[]): number[] =>
  shape.filter((_, axis) => !axes.includes(axis));

/** The shape with size 1 along these axes. */
export const flattened = (shape: Shape, axes: readonly number[]): number[] =>
  shape.map((size, axis) => (axes.includes(axis) ? 1 : size));

export const replaced = (shape: Shape, axis: number, size: number): number[] =>
  shape.map((each, at) => (at === axis ? size : each));
