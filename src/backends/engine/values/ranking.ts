import type { Segments } from "../sparse/group.js";

/**
 * What becomes of the cells of each line when they are looked at in order: the one in the middle, or the rank of each. A line
 * is the cells at all indexes of its axes, in canonical order; there is one for each index of the outer axes.
 */
export interface Ranking {
  readonly finds: RankingResult;
  /** Sizes of the outer axes, and of the axes of a line. */
  readonly outer: readonly number[];
  readonly line: readonly number[];
  /** Which rows of the first axis of a line belong together, where it is only some: each group has lines of its own. */
  readonly groups?: Segments | undefined;
}

export type RankingResult =
  | { readonly kind: "median" }
  /** From 0 for the highest, if descending, or for the lowest; NaN comes last. */
  | { readonly kind: "ranks"; readonly isDescending: boolean };

/** How many groups of lines there are. */
const groupsOf = ({ groups }: Ranking): number => (groups === undefined ? 1 : groups.starts.length - 1);

/** How many cells a ranking finds. */
export function cellsFound({ finds, outer, line, groups }: Ranking): number {
  const lines = product(outer) * (groups === undefined ? 1 : groups.starts.length - 1);
  return finds.kind === "median" ? lines : lines * product(line);
}

export const product = (sizes: readonly number[]): number => sizes.reduce((cells, size) => cells * size, 1);

/** In a few words, for a person. */
export function describeRanking(ranking: Ranking): string {
  const { finds, outer, line } = ranking;
  const what = finds.kind === "median" ? "median" : finds.isDescending ? "ranks, descending," : "ranks";
  const lines = product(outer) * groupsOf(ranking);
  return `${what} of ${lines} ${lines === 1 ? "line" : "lines"}, ${product(outer) * product(line)} cells`;
}
