import { visit } from "../../language/core/operations.js";
import { contributions, type Part } from "./contributions.js";
import type { Cell } from "./scope.js";

/** Contributions with their values: which of very many are worth telling of. */

interface Valued {
  readonly value: number | undefined;
}

export type Weighed = Part & Valued;

/** Contributions to one cell that are listed at most. */
const mostListed = 100_000;

/** The contributions to a cell in canonical order, the heaviest of them where there are too many, and how many others. */
export function partsOf({ scope, node, address }: Cell): {
  readonly parts: readonly Weighed[];
  readonly others: number;
} {
  let parts: Weighed[] = [];
  let count = 0;
  for (const part of visit(contributions, node, scope, address)) {
    scope.meter.spend(1, node.span);
    parts.push({ ...part, value: part.scope.value(part.node, part.address) });
    count++;
    if (parts.length === 2 * mostListed) parts = heaviest(parts, mostListed);
  }
  parts = heaviest(parts, mostListed);
  return { parts, others: count - parts.length };
}

/** So many of the things whose values weigh most, in their order: what is not finite before all else, then by size. */
export function heaviest<T extends Valued>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  const chosen = new Set([...all].sort(byWeight).slice(0, most));
  return all.filter((each) => chosen.has(each));
}

export const byWeight = (one: Valued, other: Valued): number =>
  Math.sign(weightOf(other) - weightOf(one)) || 0;

/** Two that are not finite weigh the same: Infinity minus itself is NaN, which is no difference to `byWeight`. */
const weightOf = ({ value = 0 }: Valued): number =>
  Number.isNaN(value) ? Number.POSITIVE_INFINITY : Math.abs(value);
