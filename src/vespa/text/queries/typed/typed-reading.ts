import { Combination } from "./combination.js";
import { Cursor } from "./cursor.js";
import { type FieldTerm, fieldTerm } from "./field-terms.js";
import type { Indexes } from "./indexes.js";
import type { Item } from "./items.js";
import { phrase } from "./phrases.js";
import { type Rules, rulesOfAll, rulesOfAny } from "./rules.js";
import type { TokenKind, TypedToken } from "./tokens.js";

/** How many parentheses may be open; nothing is said of texts with more. */
const mostLevels = 200;

/** More parentheses are open than anybody types. */
export class TooDeep extends Error {}

/** A typed query, read in the way of its type. */
export class TypedReading {
  private readonly cursor: Cursor;
  private level = 0;
  private rules: Rules = rulesOfAll;

  constructor(
    private readonly tokens: readonly TypedToken[],
    private readonly indexes: Indexes,
    private readonly usual: string | undefined,
  ) {
    this.cursor = new Cursor(tokens);
  }

  /** Items beside each other are all to be found; a minus makes one negative. Of those in parentheses any may be. */
  all(): Item | undefined {
    return this.list(true);
  }

  /** As `all`, but that parentheses have no meaning, and `OR` behind something is no word. */
  web(): Item | undefined {
    return this.list(false);
  }

  /** Any of the items may be found; what a plus stands before must be, and the others only add to its rank. */
  any(): Item | undefined {
    this.rules = rulesOfAny;
    return this.combination(true);
  }

  /** All words of a text are one phrase. */
  phrase(): Item | undefined {
    const words = this.tokens.filter(({ kind }) => inTexts.has(kind));
    return words.length === 0 ? undefined : phrase(new Cursor([quote, ...words, quote, end]));
  }

  /** Every word of a text by itself; what separates them has no meaning. */
  words(): Item {
    const all = this.tokens.filter(({ kind }) => inTexts.has(kind));
    return { kind: "or", items: all.flatMap((each) => phrase(new Cursor([each, end])) ?? []) };
  }

  private list(hasGroups: boolean): Item | undefined {
    const { cursor } = this;
    const items: Item[] = [];
    do {
      if (this.negative() !== undefined) continue;
      const item = this.positive() ?? this.term()?.item ?? (hasGroups ? this.group() : undefined);
      if (item === undefined) cursor.take();
      else if (hasGroups || items.length === 0 || !isOr(item)) items.push(item);
    } while (cursor.hasMore);
    return items.length === 0 ? undefined : { kind: "and", items };
  }

  private combination(isTop: boolean): Item | undefined {
    const { cursor } = this;
    const combination = new Combination(this.rules);
    do {
      const isFound = this.addTo(combination);
      if (!isFound && !isTop) break;
      if (!isFound) cursor.take();
    } while (cursor.hasMore);
    return combination.result();
  }

  /** Whether there was anything to be added. */
  private addTo(combination: Combination): boolean {
    const positive = this.positive();
    if (positive !== undefined) combination.addPositive(positive);
    else if (this.negative() !== undefined) combination.addNegative();
    else {
      const group = this.group();
      const item = group ?? this.term()?.item;
      if (group !== undefined) combination.addGroup(group);
      else if (item !== undefined) combination.addTerm(item);
      return item !== undefined;
    }
    return true;
  }

  private term(): FieldTerm | undefined {
    return fieldTerm(this.cursor, this.indexes, this.usual);
  }

  /** `(…)`, perhaps with pluses before. */
  private group(): Item | undefined {
    const { cursor } = this;
    return cursor.attempt(() => {
      cursor.skipAllNext("plus");
      if (!cursor.skipNext("open")) return undefined;
      if (++this.level > mostLevels) throw new TooDeep();
      const item = this.combination(false);
      this.level--;
      cursor.skipNext("close");
      return item;
    });
  }

  private positive(): Item | undefined {
    const { cursor } = this;
    return cursor.attempt(() =>
      cursor.skipAllNext("plus") && !cursor.isHere("space") ? (this.term()?.item ?? this.group()) : undefined,
    );
  }

  private negative(): Item | undefined {
    const { cursor } = this;
    const { skipMinus, hasNegativeNumbers } = this.rules;
    return cursor.attempt(() => {
      if (!skipMinus(cursor) || cursor.isHere("space")) return undefined;
      const term = this.term();
      if (term === undefined) return this.group();
      const isNumber = term.item.kind === "term" && term.item.isNumber && !term.hasIndex;
      return isNumber && hasNegativeNumbers ? undefined : term.item;
    });
  }
}

const isOr = (item: Item): boolean =>
  item.kind === "term" && item.pattern.kind === "words" && item.pattern.text === "OR";

const inTexts: ReadonlySet<TokenKind> = new Set(["word", "number"]);
const quote: TypedToken = { kind: "quote", text: '"', isWhole: false };
const end: TypedToken = { kind: "end", text: "", isWhole: false };
