import { element } from "../../../language/values/element.js";
import { type Factor, sameNames } from "../sparse/factor.js";
import { type Axis, type AxisImage, type IndexedAxis, namesOf } from "./value.js";

/** Axes by their names: finding them, hiding them, and the order in which they are stored. */

export const indexedAxis = (name: string, size: number): IndexedAxis => ({ name, size });
export const factorAxis = (factor: Factor): Axis => ({ factor, size: factor.index.rows });

/** The same axes with other names. */
export function renamedAxes(axes: readonly Axis[], rename: (name: string) => string): Axis[] {
  return axes.map((axis) =>
    axis.factor === undefined
      ? { name: rename(axis.name), size: axis.size }
      : factorAxis({ names: axis.factor.names.map(rename), index: axis.factor.index }),
  );
}

/**
 * Dimensions that an inner computation must not see, because it is done for each of their indexes: no dimension of a
 * program begins like this, so nothing names them, and they come first in any order.
 */
const hiddenMark = "\u0000";

export const isHidden = (axis: Axis): boolean => namesOf(axis).every((name) => name.startsWith(hiddenMark));

/** A way to hide names, and to show those again that it hid. */
export interface Hiding {
  readonly hide: (name: string) => string;
  readonly show: (name: string) => string;
}

/** Outer hidings have smaller numbers, so that outer axes come first. */
export function hidingOf(number: number): Hiding {
  const prefix = `${hiddenMark}${number.toString().padStart(9, "0")}:`;
  return {
    hide: (name) => prefix + name,
    show: (name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name),
  };
}

/** Rows of labels first, then indexed dimensions; each by name. */
export function byStorage(left: Axis, right: Axis): number {
  if ((left.factor === undefined) !== (right.factor === undefined)) return left.factor === undefined ? 1 : -1;
  const [a = "", b = ""] = [namesOf(left)[0], namesOf(right)[0]];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether axes are in the order of storage already. */
export const isInOrder = (axes: readonly Axis[]): boolean =>
  axes.every((axis, at) => at === 0 || byStorage(element(axes, at - 1), axis) < 0);

/** The image of each of some axes among others that have it too; sizes may differ. */
export function imagesAmong(axes: readonly Axis[], among: readonly Axis[]): AxisImage[] {
  return axes.map((axis) => {
    const at = among.findIndex((other) => isSameAxis(axis, other));
    if (at < 0) throw new Error(`no axis ${namesOf(axis).join()}`);
    return { axis: at };
  });
}

export const isSameAxis = (axis: Axis, other: Axis): boolean =>
  axis.factor === undefined
    ? other.name === axis.name
    : other.factor?.index === axis.factor.index && sameNames(namesOf(other), namesOf(axis));
