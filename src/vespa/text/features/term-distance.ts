import type { Occurrence } from "../occurrences.js";

/** How far apart two terms are at least, where the first comes before the second, and where the first then is. */
export interface TermDistance {
  readonly distance: number;
  readonly position: number;
}

/** What distances and positions are where there are none. */
export const far = 1_000_000;

/**
 * The least distance in one element from the last word of a term, of so many words, to another. With a gap, which is how
 * many words an element counts as more than it has, the second may be in the next element, too.
 */
export function termDistance(
  before: readonly Occurrence[],
  behind: readonly Occurrence[],
  words: number,
  gap?: number,
): TermDistance {
  let best: TermDistance = { distance: far, position: far };
  let [first, second] = [0, 0];
  for (
    let [a, b] = [before[0], behind[0]];
    a !== undefined && b !== undefined;
    [a, b] = [before[first], behind[second]]
  ) {
    const last = a.position + words - 1;
    if (a.element > b.element || (a.element === b.element && last >= b.position)) second++;
    else if (a.element + (gap === undefined ? 0 : 1) < b.element) first++;
    else {
      const distance = b.position + (a.element === b.element ? 0 : a.length + (gap ?? 0)) - last;
      if (distance < best.distance) best = { distance, position: a.position };
      first++;
    }
  }
  return best;
}
