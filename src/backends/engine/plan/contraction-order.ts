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
export function orderOf(values: readonly Value[], axes: readonly Axis[], keptAxes: readonly Axis[]): Order {
  const bitOf = new Map(axes.map((axis, at) => [axis, 1 << at]));
  const bitsOf = (some: readonly Axis[]): number =>
    some.reduce((bits, axis) => bits | (bitOf.get(axis) ?? 0), 0);
  const kept = bitsOf(keptAxes);
  const own = values.map((value) => bitsOf(value.axes));
  const axesOf = (factors: number): number =>
    own.reduce((bits, each, at) => ((factors >> at) & 1 ? bits | each : bits), 0);
  const cells = (bits: number): number =>
    axes.reduce((product, { size }, at) => ((bits >> at) & 1 ? product * size : product), 1);
  const all = (1 << values.length) - 1;
  const best: Order[] = [];
  // Every part of a set of factors is a smaller number than the set.
  for (let factors = 1; factors <= all; factors++) {
    const needed = kept | axesOf(all & ~factors);
    const isOne = (factors & (factors - 1)) === 0;
    const alone = axesOf(factors);
    // What one factor alone has is summed over before it is multiplied.
    const cost = (alone & ~needed) === 0 ? 0 : cells(alone);
    let found: Order | undefined = isOne ? { cost, axes: alone & needed, factors } : undefined;
    for (let some = (factors - 1) & factors; some > 0; some = (some - 1) & factors) {
      const [left, right] = [best[some], best[factors & ~some]];
      if (left === undefined || right === undefined || some < (factors & ~some)) continue;
      const around = left.axes | right.axes;
      const sum = left.cost + right.cost + cells(around);
      if (found === undefined || sum < found.cost)
        found = { cost: sum, axes: around & needed, factors, parts: [right, left] };
    }
    if (found !== undefined) best[factors] = found;
  }
  const order = best[all];
  if (order === undefined) throw new Error("every set of factors has an order");
  return order;
}
