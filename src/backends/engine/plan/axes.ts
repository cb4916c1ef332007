import { type Factor, sameNames } from "../sparse/factor.js";
import { type Axis, namesOf, type Place } from "./value.js";

/** Axes by their names: finding them, hiding them, and the order in which they are stored. */

export const indexedAxis = (name: string, size: number): Axis => ({ name, size });
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
 * Dimensions that an inner computation must not see, because it is done for each of their places: no dimension of a
 * program begins like this, so nothing names them, and they come first in any order.
 */
const hiddenMark = "\u0000";

export const isHidden = (axis: Axis): boolean => namesOf(axis).every((name) => name.startsWith(hiddenMark));

let hidings = 0;

/** A way to hide names, and to show those again that it hid. */
export function hiding(): { hide: (name: string) => string; show: (name: string) => string } {
  const prefix = `${hiddenMark}${(hidings++).toString().padStart(9, "0")}:`;
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

/** For each of some axes, where it is among others that have it too; sizes may differ. */
export function placesAmong(axes: readonly Axis[], among: readonly Axis[]): Place[] {
  return axes.map((axis) => {
    const at = among.findIndex((other) =>
      axis.factor === undefined
        ? other.name === axis.name
        : other.factor?.index === axis.factor.index && sameNames(namesOf(other), namesOf(axis)),
    );
    if (at < 0) throw new Error(`no axis ${namesOf(axis).join()}`);
    return { axis: at };
  });
}
