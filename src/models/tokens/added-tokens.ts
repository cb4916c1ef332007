import type { JsonReader } from "../json-reader.js";
import { whiteSpace, wordCharacter } from "./characters.js";
import { Dictionary } from "./dictionary.js";
import type { Normalizer } from "./normalizers.js";

/** Tokens that are found in a text before it is cut into pieces: those that mark something, and words that were added later. */

/** A token, or a text that is none yet, and where it begins in the text that it is part of. */
type Found = { readonly id: number } | { readonly text: string; readonly start: number };

/** A token, or a normalized text that is none yet, and whether the whole text begins with it. */
export type TextSection = { readonly id: number } | { readonly text: string; readonly isFirst: boolean };

interface AddedToken {
  readonly id: number;
  readonly content: string;
  /** Whether it is none within a word. */
  readonly isWord: boolean;
  /** Whether the blanks before it, and behind, are part of it. */
  readonly takesLeft: boolean;
  readonly takesRight: boolean;
  /** Whether it is looked for in the normalized text, as it is when normalized. */
  readonly isNormalized: boolean;
}

export class AddedTokens {
  private readonly written: TokenFinder;
  private readonly normalized: TokenFinder;

  private constructor(
    private readonly tokens: readonly AddedToken[],
    private readonly normalize: Normalizer,
  ) {
    this.written = new TokenFinder(tokens.filter((each) => !each.isNormalized));
    this.normalized = new TokenFinder(
      tokens
        .filter((each) => each.isNormalized)
        .map((each) => ({ ...each, content: normalize(each.content) })),
    );
  }

  static read(part: JsonReader, normalize: Normalizer): AddedTokens {
    const tokens = part.isAbsent ? [] : part.list.map(addedToken);
    return new AddedTokens(tokens, normalize);
  }

  /** Each text with its number. */
  get vocabulary(): [string, number][] {
    return this.tokens.map(({ id, content }) => [content, id]);
  }

  /** A text as tokens and normalized texts between them, none of which is empty. */
  sections(text: string): TextSection[] {
    return this.written.cut(text).flatMap((section) => {
      if ("id" in section) return [section];
      const text = this.normalize(section.text);
      const isFirst = section.start === 0 && this.keepsFirst(section.text);
      return this.normalized
        .cut(text)
        .map((part) => ("id" in part ? part : { text: part.text, isFirst: isFirst && part.start === 0 }));
    });
  }

  /** Whether the first character of a text is not left out of the normalized one, which has another beginning then. */
  private keepsFirst([first = ""]: string): boolean {
    return this.normalize(first) !== "";
  }
}

function addedToken(part: JsonReader): AddedToken {
  const flag = (name: string, otherwise: boolean): boolean => part.at(name).flagOr(otherwise);
  return {
    id: part.at("id").count(Number.MAX_SAFE_INTEGER),
    content: part.at("content").text,
    isWord: flag("single_word", false),
    takesLeft: flag("lstrip", false),
    takesRight: flag("rstrip", false),
    isNormalized: flag("normalized", !flag("special", false)),
  };
}

/** Finds tokens in a text: from the left, the longest of those that begin at one place. */
class TokenFinder {
  private readonly dictionary: Dictionary<AddedToken>;

  constructor(tokens: readonly AddedToken[]) {
    this.dictionary = new Dictionary(tokens.map((token) => [token.content, token]));
  }

  cut(text: string): Found[] {
    const sections: Found[] = [];
    let end = 0;
    const textUntil = (start: number): void => {
      if (start > end) sections.push({ text: text.slice(end, start), start: end });
    };
    for (let at = 0; at < text.length; ) {
      const found = this.dictionary.longestAt(text, at);
      if (found === undefined) {
        at++;
        continue;
      }
      const [length, token] = found;
      const behind = at + length;
      if (!token.isWord || !(isWordBefore(text, at) || isWordBehind(text, behind))) {
        textUntil(token.takesLeft ? Math.max(end, blanksBefore(text, at)) : at);
        sections.push({ id: token.id });
        end = token.takesRight ? blanksBehind(text, behind) : behind;
      }
      at = Math.max(behind, end);
    }
    textUntil(text.length);
    return sections;
  }
}

const word = new RegExp(`[${wordCharacter}]`, "u");
const blank = new RegExp(`[${whiteSpace}]`, "u");

/** The character that ends before a place in a text, of one or two units. */
const isWordBefore = (text: string, at: number): boolean =>
  word.test(Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? "");

const isWordBehind = (text: string, at: number): boolean =>
  word.test(Array.from(text.slice(at, at + 2))[0] ?? "");

/** Where the blanks begin that end before a place; all of them have one unit. */
function blanksBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && blank.test(text.charAt(start - 1))) start--;
  return start;
}

function blanksBehind(text: string, at: number): number {
  let end = at;
  while (end < text.length && blank.test(text.charAt(end))) end++;
  return end;
}
