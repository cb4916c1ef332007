import type { CellType } from "../../language/types/cell.js";
import { element } from "../../language/values/element.js";
import { axisName, cellsIn, dimensionsOf, type Shape } from "./axes.js";
import { generate, rename } from "./expression.js";
import { type ElementType, elementTypes } from "./file/element-type.js";
import { Refused } from "./refusal.js";
import type { Value } from "./value.js";

/** Values as operands of an expression: all of one, one element, with its axes elsewhere or under other names. */

/** The type that cells of a value have inside a program. */
export const insideCell = (element: ElementType): CellType => elementTypes[element].inside;

/** One element of a value: an index for each of its axes. */
export function elementAt(value: Value, indexes: readonly string[]): string {
  const rank = value.shape.length;
  const selections = value.shape.flatMap((size, axis) =>
    size === 1 ? [] : [`${axisName(rank, axis)}:(${indexes[axis] ?? "0"})`],
  );
  return selections.length === 0 ? value.text : `${value.text}{${selections.join(", ")}}`;
}

/** A tensor of a shape, each element of which is an expression of the indexes along its axes. */
export function generated(
  shape: Shape,
  element: ElementType,
  body: (indexes: readonly string[]) => string,
): string {
  const indexes = shape.map((size, axis) => (size === 1 ? "0" : axisName(shape.length, axis)));
  return generate(insideCell(element), dimensionsOf(shape), body(indexes));
}

/** A value whose axes lie elsewhere: axis `i` is axis `target(i)` of a shape of another rank. */
export function moved(value: Value, rank: number, target: (axis: number) => number): string {
  const pairs = value.shape.flatMap((size, axis) =>
    size === 1 ? [] : [[axisName(value.shape.length, axis), axisName(rank, target(axis))] as const],
  );
  return rename(value.text, pairs);
}

/** A value as an operand whose axes have names of one's own; those of size 1 have no dimension. */
export function renamed(value: Value, names: readonly string[]): string {
  const rank = value.shape.length;
  if (names.length < rank) throw new Refused({ kind: "shapes", shapes: [value.shape] });
  return rename(
    value.text,
    value.shape.flatMap((size, axis) =>
      size === 1 ? [] : [[axisName(rank, axis), element(names, axis)] as const],
    ),
  );
}

export const isSingle = ({ shape }: Value): boolean => cellsIn(shape) === 1;

/** Whether an import knows all elements, and none is infinite or NaN: then 0 times each is 0. */
export function isFiniteConstant({ numbers }: Value): boolean {
  if (numbers === undefined) return false;
  for (const each of numbers) if (!Number.isFinite(each)) return false;
  return true;
}
