import type { Cursor } from "./cursor.js";
import type { Indexes } from "./indexes.js";
import { type Item, termsIn } from "./items.js";
import { numberTerm } from "./numbers.js";
import { phrase } from "./phrases.js";
import type { TokenKind } from "./tokens.js";

/** A term, `field:` before it, and `!200` behind. */
export interface FieldTerm {
  readonly item: Item;
  readonly hasIndex: boolean;
}

/** The term that comes next, in a field that it names or in the usual one. */
export function fieldTerm(
  cursor: Cursor,
  indexes: Indexes,
  usual: string | undefined,
): FieldTerm | undefined {
  return cursor.attempt(() => {
    const own = indexName(cursor, indexes);
    const index = own ?? usual;
    const item =
      numberTerm(cursor) ??
      phrase(cursor) ??
      (index !== undefined && skipToWord(cursor) ? phrase(cursor) : undefined);
    if (item === undefined) return undefined;
    const weight = weightIn(cursor);
    for (const term of termsIn(item)) {
      term.index = index;
      if (weight !== undefined && item.kind !== "and") term.weight = weight;
    }
    return { item, hasIndex: own !== undefined };
  });
}

const inNames: ReadonlySet<TokenKind> = new Set(["word", "number", "underscore"]);

/** `title:`, the name as the schema writes it; one that stands before nothing to search for is passed over. */
function indexName(cursor: Cursor, indexes: Indexes): string | undefined {
  const name = cursor.attempt(() => indexes.find(writtenName(cursor) ?? "")?.name);
  const { at } = cursor;
  if (name !== undefined && skipNothing(cursor)) return cursor.attempt(() => indexName(cursor, indexes));
  cursor.at = at;
  return name;
}

/** Names with dots in them, up to a colon; spaces may only stand before them. */
function writtenName(cursor: Cursor): string | undefined {
  cursor.skipNext("openSquare");
  if (![...inNames].some((each) => cursor.isNext(each))) return undefined;
  let name = cursor.take().text;
  const part = (): void => {
    for (; inNames.has(cursor.here.kind); cursor.at++) name += cursor.here.text;
  };
  part();
  while (cursor.skipHere("dot")) {
    if (!cursor.isHere("word") && !cursor.isHere("number")) return undefined;
    name += ".";
    part();
  }
  return cursor.skipHere("colon") ? name : undefined;
}

/** Goes on to where a space or the end comes before any word, if it does; words in quotes count, whatever spaces are before them. */
function skipNothing(cursor: Cursor): boolean {
  for (let isQuoted = false; cursor.hasMore; ) {
    if (cursor.isHere("quote")) {
      cursor.skipAllNext("quote");
      isQuoted = !isQuoted;
      continue;
    }
    if (!isQuoted && cursor.isHere("space")) return true;
    if (cursor.isHere("word") || cursor.isHere("number")) return false;
    cursor.at++;
  }
  return true;
}

/** Whether a word follows before a space does. */
function skipToWord(cursor: Cursor): boolean {
  for (; cursor.hasMore; cursor.at++) {
    if (cursor.isHere("space")) return false;
    if (cursor.isHere("word") || cursor.isHere("number")) return true;
  }
  return false;
}

/** `!200`; each `!` without a number is half of the usual weight more. */
function weightIn(cursor: Cursor): number | undefined {
  return cursor.attempt(() => {
    if (!cursor.skipHere("exclamation")) return undefined;
    if (cursor.isHere("number")) {
      const weight = Number(cursor.take().text);
      return weight <= mostWeight ? weight : undefined;
    }
    let weight = 150;
    while (cursor.skipHere("exclamation")) weight += 50;
    return weight;
  });
}

/** Of a number of 32 bits. */
const mostWeight = 2 ** 31 - 1;
