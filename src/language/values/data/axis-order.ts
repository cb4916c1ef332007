import { requireArgument } from "../../source/arguments.js";
import { type OptionRules, texts } from "../../source/option-rule.js";
import type { TensorType } from "../../types/type.js";
import { problem, refuse, spanOfText } from "../messages.js";
import { offsetsOf, stridesOf } from "../shape.js";

/**
 * The order of the dimensions of a type where they have no names: as levels of nested data, and as axes of arrays. Each
 * entry is a position among the mapped, or among the indexed, dimensions of the type; the mapped ones come first.
 */
export interface AxisOrder {
  readonly mapped: readonly number[];
  readonly indexed: readonly number[];
}

/** The canonical order: mapped and indexed dimensions, each sorted by name. */
function canonicalOrder({ mapped, indexed }: TensorType): AxisOrder {
  return { mapped: [...mapped.keys()], indexed: [...indexed.keys()] };
}

/**
 * The order that the axes name: each dimension once, or each indexed one; canonical where there are no axes.
 * @throws SphexError for other axes.
 */
export function axisOrder(type: TensorType, axes: readonly string[] | undefined): AxisOrder {
  if (axes === undefined) return canonicalOrder(type);
  const areNames = Array.isArray(axes) && axes.every((each) => typeof each === "string");
  requireArgument("axes", "list", axes, areNames);
  const positions = (names: readonly string[]): number[] =>
    axes.map((axis) => names.indexOf(axis)).filter((at) => at >= 0);
  const [mappedNames, indexedNames] = [namesOf(type.mapped), namesOf(type.indexed)];
  const [mapped, indexed] = [positions(mappedNames), positions(indexedNames)];
  const isEachOnce = new Set(axes).size === axes.length && mapped.length + indexed.length === axes.length;
  const isComplete =
    indexed.length === indexedNames.length && [0, mappedNames.length].includes(mapped.length);
  if (!isEachOnce || !isComplete) {
    refuse(problem("value/axes", spanOfText("axes", axes.join()), { type, axes }));
  }
  return { mapped: mapped.length === 0 ? [...mappedNames.keys()] : mapped, indexed };
}

const namesOf = (dimensions: readonly { readonly name: string }[]): string[] =>
  dimensions.map(({ name }) => name);

/** Whether positions are in ascending order, so that nothing has to be moved. */
export const isAscending = (positions: readonly number[]): boolean =>
  positions.every((position, at) => position === at);

/** The dimension of each axis of an array, or of each level of nested data, outermost first. */
export interface AxesOptions {
  readonly axes?: readonly string[];
}

export const axesRules: OptionRules<AxesOptions> = { axes: texts };

/** The offsets in a block, which is row-major in canonical order, that a walk meets along axes in this order. */
export function offsetsAlong(order: readonly number[], sizes: readonly number[], rows = 1): Float64Array {
  return offsetsOf(permuted(sizes, order), permuted(stridesOf(sizes), order), rows);
}

/**
 * The items at these positions.
 * @throws RangeError for a position that the list does not have.
 */
export function permuted<T>(list: readonly T[], positions: readonly number[]): T[] {
  return positions.map((position) => {
    const item = list[position];
    if (item === undefined) throw new RangeError(`no item ${position} of ${list.length}`);
    return item;
  });
}
