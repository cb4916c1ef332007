import { element } from "../../../language/values/element.js";
import { axesFrom, cellsIn, type Shape, sizeAt } from "../axes.js";
import { divided, remainder, scaled, total } from "../expression.js";
import type { NodeImport } from "../node.js";
import { elementAt, generated, moved } from "../operand.js";
import type { Value } from "../value.js";
import type { Become } from "./table.js";

/** The same elements in the same order along other axes. */

export const reshape: Become = (node) => {
  const x = node.input(0);
  const listed = node.listed(1, "shape") ?? node.refuse({ kind: "input missing", position: 1 });
  const keepsZeros = node.integer("allowzero", 0) === 1;
  const sizes = listed.map((size, axis) => (size === 0 && !keepsZeros ? sizeAt(x.shape, axis) : size));
  const rest = cellsIn(sizes.filter((size) => size !== -1));
  const shape = sizes.map((size) => (size === -1 ? cellsIn(x.shape) / rest : size));
  defineReshaped(node, x, shape);
};

export const flatten: Become = (node) => {
  const x = node.input(0);
  const written = node.integer("axis", 1);
  const axis = written === x.shape.length ? written : node.axis(written, x.shape.length);
  defineReshaped(node, x, [cellsIn(x.shape.slice(0, axis)), cellsIn(x.shape.slice(axis))]);
};

/** The same elements in the same order along other axes. */
function defineReshaped(node: NodeImport, x: Value, shape: Shape): Value {
  if (cellsIn(shape) !== cellsIn(x.shape)) node.refuse({ kind: "shapes", shapes: [x.shape, shape] });
  return node.define(reshaped(node, x, shape), shape, x.element);
}

/** The text of a value along other axes. Where several axes become several others, it goes through one that has all elements. */
export function reshaped(node: NodeImport, value: Value, shape: Shape): string {
  const cells = cellsIn(shape);
  const isCrossed = cells > 0 && hasCrossedGroup(value.shape, shape);
  return reshapedAtOnce(
    isCrossed
      ? node.intermediate("flat", reshapedAtOnce(value, [cells]), [cells], value.element, [value])
      : value,
    shape,
  );
}

function reshapedAtOnce(x: Value, shape: Shape): string {
  const long = (sizes: Shape): number[] => axesFrom(0, sizes.length).filter((axis) => sizes[axis] !== 1);
  const [from, to] = [long(x.shape), long(shape)];
  if (cellsIn(shape) === 0) return x.text;
  if (`${from.map((axis) => x.shape[axis])}` === `${to.map((axis) => shape[axis])}`)
    return moved(x, shape.length, (axis) => to[from.indexOf(axis)] ?? axis);
  return generated(shape, x.element, (indexes) => elementAt(x, reshapedIndexes(x.shape, shape, indexes)));
}

/** Axes of one shape, and those of another that hold the same elements. */
interface AxisGroup {
  readonly from: readonly [start: number, end: number];
  readonly to: readonly [start: number, end: number];
}

/** Axes whose sizes multiply to the same number are a group of their own: an axis that becomes two does not concern the others. */
function axisGroups(from: Shape, to: Shape): AxisGroup[] {
  const groups: AxisGroup[] = [];
  let [source, target] = [0, 0];
  while (source < from.length) {
    const start = [source, target] as const;
    let [left, right] = [element(from, source++), 1];
    while (left !== right) {
      if (left < right) left *= element(from, source++);
      else right *= element(to, target++);
    }
    groups.push({ from: [start[0], source], to: [start[1], target] });
  }
  return groups;
}

/** Whether several axes become several others, so that no index of one is that of another. */
function hasCrossedGroup(from: Shape, to: Shape): boolean {
  const long = (shape: Shape, [start, end]: readonly [number, number]): number =>
    shape.slice(start, end).filter((size) => size !== 1).length;
  return axisGroups(from, to).some((group) => long(from, group.from) > 1 && long(to, group.to) > 1);
}

/** The indexes in one shape of the element at indexes in another. */
function reshapedIndexes(from: Shape, to: Shape, indexes: readonly string[]): string[] {
  const result = from.map(() => "0");
  for (const group of axisGroups(from, to)) {
    const position = flatIndex(to.slice(group.to[0], group.to[1]), indexes.slice(group.to[0], group.to[1]));
    const cells = cellsIn(from.slice(group.from[0], group.from[1]));
    let rest = cells;
    for (let axis = group.from[0]; axis < group.from[1]; axis++) {
      const size = element(from, axis);
      const before = rest;
      rest /= size;
      if (size === 1) continue;
      result[axis] = divided(before === cells ? position : remainder(position, before), rest);
    }
  }
  return result;
}

/** The position of an element among all of a shape, row by row. */
export function flatIndex(shape: Shape, indexes: readonly string[]): string {
  let stride = cellsIn(shape);
  const terms = shape.map((size, axis) => {
    stride /= size;
    return size === 1 ? "0" : scaled(indexes[axis] ?? "0", stride);
  });
  return total(terms);
}
