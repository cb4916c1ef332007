import { wordsOf } from "../../words.js";
import type { TermPattern } from "../query-term.js";
import type { Cursor } from "./cursor.js";
import { type Item, type TermItem, termItem } from "./items.js";
import { numberWord } from "./numbers.js";
import type { TokenKind, TypedToken } from "./tokens.js";

/** A word of a phrase: the words that it is to an index are several where an apostrophe or a symbol is in it. */
interface PhraseWord {
  readonly token: TypedToken;
  readonly isQuoted: boolean;
}

/** What separates words that are written together; in quotes parentheses, too. */
const separators: ReadonlySet<TokenKind> = new Set([
  ...(["dot", "comma", "plus", "minus", "underscore", "hat", "dollar", "star", "colon", "noise"] as const),
]);
const parentheses: ReadonlySet<TokenKind> = new Set(["open", "close"]);

/**
 * A word, `"a phrase"`, or words that are written together, `wi-fi`: in quotes these are one term, and without they are terms
 * each by itself. A star before or behind a single word makes it a part of a word.
 */
export function phrase(cursor: Cursor): Item | undefined {
  return cursor.attempt(() => {
    const reading = new PhraseReading(cursor);
    reading.read();
    return reading.item();
  });
}

class PhraseReading {
  private readonly words: PhraseWord[] = [];
  private isQuoted = false;
  /** Whether what separates the first two words stands in quotes. */
  private isPhrase = false;
  private starBefore = false;
  private starBehind = false;

  constructor(private readonly cursor: Cursor) {}

  read(): void {
    const { cursor } = this;
    this.quotes();
    do {
      const starBefore = cursor.skipNext("star");
      this.quotes();
      const token = cursor.isNext("word") || cursor.isNext("number") ? cursor.take() : undefined;
      if (token === undefined) {
        this.quotes();
        if (!this.isQuoted || !cursor.hasMore) return;
        cursor.at++;
        continue;
      }
      this.add(token, starBefore);
      if (!this.isQuoted && cursor.isNext("quote")) return;
      const isAtWord = this.skipSeparators();
      if (!isAtWord && cursor.skipAllHere("quote")) this.isQuoted = !this.isQuoted;
      if (!isAtWord && !this.isQuoted) return;
      if (this.isQuoted && cursor.skipAllNext("quote")) return;
    } while (cursor.hasMore);
  }

  private quotes(): void {
    if (this.cursor.skipAllNext("quote")) this.isQuoted = !this.isQuoted;
  }

  private add(token: TypedToken, starBefore: boolean): void {
    this.words.push({ token, isQuoted: this.isQuoted });
    if (this.words.length === 1) {
      this.starBefore = starBefore;
      this.starBehind = this.cursor.skipHere("star");
    }
    if (this.words.length === 2) this.isPhrase = this.isQuoted;
  }

  /** Whether a word follows what separates words. */
  private skipSeparators(): boolean {
    const { cursor } = this;
    const isSeparator = (): boolean =>
      separators.has(cursor.here.kind) || (this.isQuoted && parentheses.has(cursor.here.kind));
    while (cursor.hasMore && isSeparator()) cursor.at++;
    return cursor.isHere("word") || cursor.isHere("number");
  }

  item(): Item | undefined {
    const [first, second] = this.words;
    if (first === undefined) return undefined;
    if (second !== undefined) {
      if (this.isPhrase) return phraseOf(this.words.map(({ token }) => token));
      return { kind: "and", items: this.words.flatMap(itemsOf) };
    }
    const text = formOf(first.token);
    const [only, ...more] = itemsOf(first);
    if (only === undefined || more.length > 0) return only && { kind: "segments", items: [only, ...more] };
    if (this.starBehind) return termItem({ kind: this.starBefore ? "substring" : "prefix", text });
    return this.starBefore ? termItem({ kind: "suffix", text }) : only;
  }
}

const phraseOf = (tokens: readonly TypedToken[]): TermItem =>
  termItem({
    ...{ kind: "words", text: tokens.map(({ text }) => text).join(" ") },
    words: tokens.flatMap(wordsIn),
  });

/** A word as a part of words is looked for: of apostrophes only those within it would make it several. */
const formOf = ({ text, isWhole }: TypedToken): string =>
  isWhole ? text : text.normalize("NFKC").replaceAll("'", "");

/** The terms of a token. */
function itemsOf({ token, isQuoted }: PhraseWord): readonly TermItem[] {
  const words = wordsIn(token);
  return words.length > 1 && !isQuoted
    ? words.map((text) => termItem({ kind: "words", text, words: [text] }))
    : [termItem(patternOf(token, words), token.kind === "number")];
}

const wordsIn = ({ kind, text, isWhole }: TypedToken): readonly string[] =>
  kind === "number" || isWhole ? [text] : wordsOf(text);

const patternOf = ({ kind, text }: TypedToken, words: readonly string[]): TermPattern =>
  kind === "number" ? numberWord(text) : { kind: "words", text, words };
