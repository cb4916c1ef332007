import { entry } from "../../../language/values/element.js";
import type { Axis, Value } from "../values/value.js";

/** How a product of some factors is taken apart: into two products, or, where it is of one factor, not at all. */
export interface Order {
  /** How many products it takes. */
  readonly cost: number;
  /** The axes that are left when all that nothing else has is summed over: bit 0 for the first. */
  readonly axes: number;
  /** The factors: bit 0 for the first. */
  readonly factors: number;
  readonly parts?: readonly [Order, Order];
}

/** The order that takes the fewest products, of all that there are: by dynamic programming over the sets of factors. */
export function orderOf(
  values: readonly Value[],
  axes: readonly Axis[],
  retainedAxes: readonly Axis[],
): Order {
  const bitOf = new Map(axes.map((axis, at) => [axis, 1 << at]));
  const bitsOf = (subset: readonly Axis[]): number =>
    subset.reduce((bits, axis) => bits | entry(bitOf, axis), 0);
  const retained = bitsOf(retainedAxes);
  const ownAxes = values.map((value) => bitsOf(value.axes));
  const axesOf = (factors: number): number =>
    ownAxes.reduce((bits, each, at) => ((factors >> at) & 1 ? bits | each : bits), 0);
  const cells = (bits: number): number =>
    axes.reduce((product, { size }, at) => ((bits >> at) & 1 ? product * size : product), 1);
  const all = (1 << values.length) - 1;
  const best: Order[] = [];
  // Every part of a set of factors is a smaller number than the set.
  for (let factors = 1; factors <= all; factors++) {
    const required = retained | axesOf(all & ~factors);
    const isSingle = (factors & (factors - 1)) === 0;
    const own = axesOf(factors);
    // What one factor alone has is summed over before it is multiplied.
    const cost = (own & ~required) === 0 ? 0 : cells(own);
    let candidate: Order | undefined = isSingle ? { cost, axes: own & required, factors } : undefined;
    for (let subset = (factors - 1) & factors; subset > 0; subset = (subset - 1) & factors) {
      const [left, right] = [best[subset], best[factors & ~subset]];
      if (left === undefined || right === undefined || subset < (factors & ~subset)) continue;
      const combined = left.axes | right.axes;
      const sum = left.cost + right.cost + cells(combined);
      if (candidate === undefined || sum < candidate.cost)
        candidate = { cost: sum, axes: combined & required, factors, parts: [right, left] };
    }
    if (candidate !== undefined) best[factors] = candidate;
  }
  const order = best[all];
  if (order === undefined) throw new Error("every set of factors has an order");
  return order;
}
