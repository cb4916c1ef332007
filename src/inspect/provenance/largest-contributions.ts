import { visit } from "../../language/core/operations.js";
import { atOnce, SliceMeter, type Slices, sortedInSlices } from "../../language/limits/slices.js";
import { type ContributingCell, contributions } from "./contributions.js";
import type { Cell } from "./scope.js";

/** Contributions with their values: which of very many are listed. */

interface Valued {
  readonly value: number | undefined;
}

export type WeighedCell = ContributingCell & Valued;

/** The most contributions to one cell that are listed. */
const mostListed = 100_000;

/** To find a contribution takes as long as to copy so many cells. */
export const cellsPerContribution = 64;

/** Contributions to a cell, and how many others there are. */
export interface LargestContributions {
  readonly cells: readonly WeighedCell[];
  readonly others: number;
}

/** The contributions to a cell in canonical order, the heaviest of them where there are too many, and how many others. */
export const largestContributions = (cell: Cell): LargestContributions =>
  atOnce(largestContributionSlices(cell));

/** As `largestContributions`, in slices. */
export function* largestContributionSlices({ scope, node, address }: Cell): Slices<LargestContributions> {
  const meter = new SliceMeter();
  let cells: WeighedCell[] = [];
  let count = 0;
  for (const cell of visit(contributions, node, scope, address)) {
    scope.meter.spend(1, node.span);
    cells.push({ ...cell, value: cell.scope.value(cell.node, cell.address) });
    count++;
    if (cells.length === 2 * mostListed) cells = yield* heaviestSlices(cells, mostListed);
    if (meter.isFull(cellsPerContribution)) yield;
  }
  cells = yield* heaviestSlices(cells, mostListed);
  return { cells, others: count - cells.length };
}

/** The largest values, in their order: those that are not finite before all others, then by absolute value. */
export const heaviest = <T extends Valued>(all: readonly T[], most: number): T[] =>
  atOnce(heaviestSlices(all, most));

function* heaviestSlices<T extends Valued>(all: readonly T[], most: number): Slices<T[]> {
  if (all.length <= most) return [...all];
  const chosen = new Set((yield* sortedInSlices(all, byWeight)).slice(0, most));
  yield;
  return all.filter((each) => chosen.has(each));
}

export const byWeight = (one: Valued, other: Valued): number =>
  Math.sign(weightOf(other) - weightOf(one)) || 0;

/** Two that are not finite weigh the same: Infinity minus itself is NaN, which is no difference to `byWeight`. */
const weightOf = ({ value = 0 }: Valued): number =>
  Number.isNaN(value) ? Number.POSITIVE_INFINITY : Math.abs(value);
