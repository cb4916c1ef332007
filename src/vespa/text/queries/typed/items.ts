import type { TermPattern } from "../query-term.js";

/** A part of a typed query. */
export type Item = TermItem | GroupItem | ExclusionItem;

/** What is searched for, before it is a term: an index and a weight may be said of it later. */
export interface TermItem {
  readonly kind: "term";
  readonly pattern: TermPattern;
  /** A number, which a minus before it may belong to. */
  readonly isNumber: boolean;
  index: string | undefined;
  weight: number;
}

/** Items that belong together. The weight of a group is not that of its terms, but that of the `segments` of a word is. */
export interface GroupItem {
  readonly kind: "segments" | "and" | "or" | "rank";
  readonly items: Item[];
}

/** What is to be found without the negative items, of which nothing is ranked. */
export interface ExclusionItem {
  readonly kind: "not";
  positive: Item | undefined;
  hasNegative: boolean;
}

const usualWeight = 100;

export const termItem = (pattern: TermPattern, isNumber = false): TermItem => ({
  ...{ kind: "term", pattern, isNumber },
  ...{ index: undefined, weight: usualWeight },
});

/** The terms of an item in the order of an engine. */
export function termsIn(item: Item | undefined): readonly TermItem[] {
  const terms: TermItem[] = [];
  const open = item === undefined ? [] : [item];
  const exclusions = new Set<Item>();
  for (let next = open.pop(); next !== undefined; next = open.pop())
    if (next.kind === "term") terms.push(next);
    else if (next.kind !== "not") for (const each of next.items.slice().reverse()) open.push(each);
    else if (next.positive !== undefined && !exclusions.has(next)) {
      // What combines items may put one into itself.
      exclusions.add(next);
      open.push(next.positive);
    }
  return terms;
}
