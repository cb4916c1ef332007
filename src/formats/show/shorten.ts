/** What is left of a long list when its middle is left out, and how that is said. */
export interface Excerpt {
  readonly count: number;
  /** How many are kept at the beginning, and how many at the end. */
  readonly head: number;
  readonly tail: number;
}

/** At most so many of a list. To leave out just one would save nothing. */
export function atMost(most: number, count: number): Excerpt {
  if (count <= most + 1) return { count, head: count, tail: 0 };
  return { count, head: Math.ceil(most / 2), tail: Math.floor(most / 2) };
}

/** As many from both ends as have room beside each other, and at least one. */
export function fitting(
  count: number,
  width: number,
  gap: number,
  columnsOf: (at: number) => number,
): Excerpt {
  let [used, all] = [-gap, 0];
  while (all < count && used <= width) used += gap + columnsOf(all++);
  if (used <= width) return { count, head: count, tail: 0 };
  let [head, tail] = [0, 0];
  used = marker(count).length;
  while (head + tail < count - 1) {
    const isHead = head <= tail;
    used += gap + columnsOf(isHead ? head : count - 1 - tail);
    if (used > width && head > 0) break;
    if (isHead) head++;
    else tail++;
  }
  return { count, head: Math.max(head, 1), tail };
}

export const hiddenOf = ({ count, head, tail }: Excerpt): number => count - head - tail;

/** The places that are kept, those at the end apart. */
export function shownIndexes({ count, head, tail }: Excerpt): readonly [number[], number[]] {
  return [
    Array.from({ length: head }, (_, at) => at),
    Array.from({ length: tail }, (_, at) => count - tail + at),
  ];
}

export const marker = (hidden: number): string => `… ${hidden} more …`;
