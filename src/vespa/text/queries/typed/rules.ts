import type { Cursor } from "./cursor.js";
import type { GroupItem, Item } from "./items.js";

/** In what the types of queries differ that have parentheses. */
export interface Rules {
  /** Whether the signs come next that stand before what is not to be found. */
  readonly skipMinus: (cursor: Cursor) => boolean;
  /** Whether a minus before a number belongs to the number, unless there are two. */
  readonly hasNegativeNumbers: boolean;
  /** What a group behind other items makes of both, where this is special. */
  readonly join: (top: Item, group: Item) => Item | undefined;
}

export const rulesOfAny: Rules = {
  skipMinus: (cursor) => {
    cursor.skipAllNext("plus");
    return cursor.skipAllNext("minus");
  },
  hasNegativeNumbers: false,
  join: () => undefined,
};

export const rulesOfAll: Rules = {
  skipMinus: (cursor) => cursor.skipNext("minus"),
  hasNegativeNumbers: true,
  join: (top, group) => {
    if (group.kind !== "or") return undefined;
    if (top.kind === "rank") for (const each of top.items) group.items.unshift(each);
    return top.kind === "rank" ? group : isPhrase(top) ? orOf([top, group]) : undefined;
  },
};

export const orOf = (items: Item[]): GroupItem => ({ kind: "or", items });

const isPhrase = (item: Item): boolean =>
  item.kind === "term" && item.pattern.kind === "words" && item.pattern.words.length > 1;
