import { visit } from "../../language/core/operations.js";
import { type ContributingCell, contributions } from "./contributions.js";
import type { Cell } from "./scope.js";

/** Contributions with their values: which of very many are listed. */

interface Valued {
  readonly value: number | undefined;
}

export type WeighedCell = ContributingCell & Valued;

/** The most contributions to one cell that are listed. */
const mostListed = 100_000;

/** The contributions to a cell in canonical order, the heaviest of them where there are too many, and how many others. */
export function largestContributions({ scope, node, address }: Cell): {
  readonly cells: readonly WeighedCell[];
  readonly others: number;
} {
  let cells: WeighedCell[] = [];
  let count = 0;
  for (const cell of visit(contributions, node, scope, address)) {
    scope.meter.spend(1, node.span);
    cells.push({ ...cell, value: cell.scope.value(cell.node, cell.address) });
    count++;
    if (cells.length === 2 * mostListed) cells = heaviest(cells, mostListed);
  }
  cells = heaviest(cells, mostListed);
  return { cells, others: count - cells.length };
}

/** The largest values, in their order: those that are not finite before all others, then by absolute value. */
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
