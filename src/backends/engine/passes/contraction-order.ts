import { element, entry } from "../../../language/values/element.js";
import type { Axis, Value } from "../values/value.js";

/** How a product of some factors is taken apart: into two products, or, where it is of one factor, not at all. */
export interface Order {
  /** How many products it takes. */
  readonly cost: number;
  /** The axes that are left when all that nothing else has is summed over: bit 0 for the first. */
  readonly axes: number;
  /** Which of the factors it is, where it is of one. */
  readonly factor?: number;
  readonly parts?: readonly [Order, Order];
}

/** All orders of so many factors are tried; of more, some are. */
const fewFactors = 8;

/** The order that takes the fewest products, or, of many factors, few. */
export function orderOf(
  values: readonly Value[],
  axes: readonly Axis[],
  retainedAxes: readonly Axis[],
): Order {
  const bitOf = new Map(axes.map((axis, at) => [axis, 1 << at]));
  const bitsOf = (subset: readonly Axis[]): number =>
    subset.reduce((bits, axis) => bits | entry(bitOf, axis), 0);
  const network = new Network(axes.map(({ size }) => size));
  const retained = bitsOf(retainedAxes);
  const singles = values.map(({ axes: own }, factor): Order => ({ ...network.alone(bitsOf(own)), factor }));
  if (values.length <= fewFactors) return network.best(network.reduced(singles, retained), retained);
  return network.improved(network.greedy(network.reduced(singles, retained), retained), retained);
}

/** Factors by the axes that they have, as bits. */
class Network {
  private readonly sizes = new Map<number, number>();

  constructor(private readonly axisSizes: readonly number[]) {}

  alone(axes: number): Order {
    return { cost: 0, axes };
  }

  /** What one factor alone has is summed over before it is multiplied. */
  reduced(singles: readonly Order[], retained: number): readonly Order[] {
    return singles.map((single, at) => {
      const others = singles.reduce((bits, { axes }, other) => (other === at ? bits : bits | axes), retained);
      const isAllRequired = (single.axes & ~others) === 0;
      return isAllRequired
        ? single
        : { ...single, cost: this.cells(single.axes), axes: single.axes & others };
    });
  }

  /** The order that takes the fewest products, of all that there are: by dynamic programming over the sets of parts. */
  best(parts: readonly Order[], retained: number): Order {
    const all = (1 << parts.length) - 1;
    const axesOf: number[] = [0];
    for (let set = 1; set <= all; set++) {
      const last = 31 - Math.clz32(set);
      axesOf[set] = element(axesOf, set & ~(1 << last)) | element(parts, last).axes;
    }
    const best: Order[] = [];
    // Every part of a set is a smaller number than the set.
    for (let set = 1; set <= all; set++) {
      const required = retained | element(axesOf, all & ~set);
      let candidate: Order | undefined =
        (set & (set - 1)) === 0 ? element(parts, 31 - Math.clz32(set)) : undefined;
      for (let subset = (set - 1) & set; subset > 0; subset = (subset - 1) & set) {
        if (subset < (set & ~subset)) break;
        const [left, right] = [element(best, set & ~subset), element(best, subset)];
        const together = left.axes | right.axes;
        const cost = left.cost + right.cost + this.cells(together);
        if (candidate === undefined || cost < candidate.cost)
          candidate = { cost, axes: together & required, parts: [left, right] };
      }
      if (candidate === undefined) throw new Error("every set of factors has an order");
      best[set] = candidate;
    }
    return element(best, all);
  }

  /** Multiplies again and again the two parts whose product is the least larger than they are. */
  greedy(singles: readonly Order[], retained: number): Order {
    const parts = [...singles];
    while (parts.length > 1) {
      let [first, second, least] = [0, 1, Number.POSITIVE_INFINITY];
      for (let left = 0; left < parts.length; left++)
        for (let right = left + 1; right < parts.length; right++) {
          const growth = this.growth(parts, left, right, retained);
          if (growth < least) [first, second, least] = [left, right, growth];
        }
      const others = this.axesBeside(parts, first, second, retained);
      const joined = this.joined(element(parts, first), element(parts, second), others);
      parts.splice(second, 1);
      parts[first] = joined;
    }
    return element(parts, 0);
  }

  /** The order with the orders within it that have few parts made the best for these, as long as that is better. */
  improved(order: Order, retained: number): Order {
    for (let before = order; ; ) {
      const after = this.rearranged(before, retained);
      if (after.cost >= before.cost) return before;
      before = after;
    }
  }

  private rearranged(order: Order, required: number): Order {
    if (order.parts === undefined) return order;
    const better = this.best(partsWithin(order, fewFactors), required);
    return this.withParts(better.cost < order.cost ? better : order, required);
  }

  /** The order with its parts rearranged. */
  private withParts(order: Order, required: number): Order {
    if (order.parts === undefined) return order;
    const [left, right] = order.parts;
    const [ofLeft, ofRight] = [this.rearranged(left, left.axes), this.rearranged(right, right.axes)];
    if (ofLeft === left && ofRight === right) return order;
    return this.joined(ofLeft, ofRight, required);
  }

  private joined(left: Order, right: Order, required: number): Order {
    const together = left.axes | right.axes;
    const cost = left.cost + right.cost + this.cells(together);
    return { cost, axes: together & required, parts: [left, right] };
  }

  private growth(parts: readonly Order[], left: number, right: number, retained: number): number {
    const [a, b] = [element(parts, left).axes, element(parts, right).axes];
    const result = (a | b) & this.axesBeside(parts, left, right, retained);
    // What shares nothing is multiplied at the end.
    const isShared = (a & b) !== 0;
    return (
      this.cells(result) - this.cells(a) - this.cells(b) + (isShared ? 0 : this.cells(a | b) * parts.length)
    );
  }

  private axesBeside(parts: readonly Order[], left: number, right: number, retained: number): number {
    return parts.reduce((bits, { axes }, at) => (at === left || at === right ? bits : bits | axes), retained);
  }

  private cells(axes: number): number {
    const cached = this.sizes.get(axes);
    if (cached !== undefined) return cached;
    const cells = this.axisSizes.reduce(
      (product, size, at) => ((axes >> at) & 1 ? product * size : product),
      1,
    );
    this.sizes.set(axes, cells);
    return cells;
  }
}

/** So many parts of an order, or fewer: its largest ones taken apart. */
function partsWithin(order: Order, most: number): readonly Order[] {
  const parts: Order[] = [order];
  while (parts.length < most) {
    let [costliest, cost] = [-1, 0];
    for (const [at, part] of parts.entries())
      if (part.parts !== undefined && part.cost > cost) [costliest, cost] = [at, part.cost];
    const [left, right] = parts[costliest]?.parts ?? [];
    if (left === undefined || right === undefined) break;
    parts.splice(costliest, 1, left, right);
  }
  return parts;
}
