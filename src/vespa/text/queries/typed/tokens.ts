import type { Indexes, TypedIndex } from "./indexes.js";
import { wholeValue } from "./whole-values.js";

/** What a sign of a typed query can be; `end` stands behind the last one. */
export type TokenKind =
  | "word"
  | "number"
  | "space"
  | "quote"
  | "minus"
  | "plus"
  | "dot"
  | "comma"
  | "colon"
  | "open"
  | "close"
  | "openSquare"
  | "closeSquare"
  | "semicolon"
  | "greater"
  | "smaller"
  | "exclamation"
  | "underscore"
  | "hat"
  | "star"
  | "dollar"
  | "noise"
  | "end";

export interface TypedToken {
  readonly kind: TokenKind;
  readonly text: string;
  /** Whether it is a whole value of a field, and so is not taken apart. */
  readonly isWhole: boolean;
}

/** The characters of each kind, as they are written, and as East Asian keyboards write them. */
// biome-ignore format: a table
const characters: readonly (readonly [TokenKind, string])[] = [
  ["quote",       '"\u201C\u201D\u201E\u201F\u2039\u203A\u00AB\u00BB\u301D\u301E\u301F\uFF02'],
  ["minus",       "-\uFF0D"],
  ["plus",        "+\uFF0B"],
  ["dot",         ".\uFF0E"],
  ["comma",       ",\uFF0C"],
  ["colon",       ":\uFF1A"],
  ["open",        "(\uFF08"],
  ["close",       ")\uFF09"],
  ["openSquare",  "[\uFF3B"],
  ["closeSquare", "]\uFF3D"],
  ["semicolon",   ";\uFF1B"],
  ["greater",     ">\uFF1E"],
  ["smaller",     "<\uFF1C"],
  ["exclamation", "!\uFF01"],
  ["underscore",  "_\uFF3F"],
  ["hat",         "^\uFF3E"],
  ["star",        "*\uFF0A"],
  ["dollar",      "$\uFF04"],
];

const kinds = new Map(characters.flatMap(([kind, all]) => Array.from(all, (each) => [each, kind] as const)));

/** Letters and digits in a row with apostrophes among them, or a symbol such as an emoji. */
const word = /\p{So}|['\p{L}\p{N}\p{Mn}\p{Mc}]+/uy;
const isSymbol = /^\p{So}$/u;
const isNumber = /^[0-9]+$/;
const isApostrophes = /^'+$/;

/** The tokens of a text whose words are searched in an index, unless they say so themselves. */
export function tokensOf(
  text: string,
  defaultIndex: string | undefined,
  indexes: Indexes,
): readonly TypedToken[] {
  const tokens: TypedToken[] = [];
  const usual = defaultIndex === undefined ? undefined : indexes.find(defaultIndex);
  let index = usual;
  let depth = 0;
  const add = (kind: TokenKind, image: string, isWhole = false): void => {
    tokens.push({ kind, text: image, isWhole });
  };
  for (let at = 0; at < text.length; ) {
    if (index?.isWhole === true) {
      const value = wholeValue(text, at, index.terminator, depth);
      if (value.hasStar) add("star", "*");
      add("word", value.text, true);
      at = value.end;
      index = usual;
      if (at >= text.length) break;
    }
    word.lastIndex = at;
    const found = word.exec(text)?.[0];
    const image = found ?? text.charAt(at);
    const kind = found === undefined ? kindOf(image) : kindOfWord(found);
    if (kind === "colon") index = indexBefore(tokens, indexes) ?? usual;
    if (kind === "open") depth++;
    if (kind === "close") depth = Math.max(0, depth - 1);
    add(kind, image);
    // A symbol beyond the first 65,536 characters is two of Java's.
    if (image.length === 2 && isSymbol.test(image)) add("noise", image);
    at += image.length;
  }
  add("end", "");
  return tokens;
}

const kindOf = (character: string): TokenKind =>
  kinds.get(character) ?? (/\s/.test(character) ? "space" : "noise");

const kindOfWord = (image: string): TokenKind =>
  isNumber.test(image) ? "number" : isApostrophes.test(image) ? "noise" : "word";

const inNames: ReadonlySet<TokenKind> = new Set(["word", "number", "underscore", "dot"]);

/** The index that the tokens before a colon name. */
function indexBefore(tokens: readonly TypedToken[], indexes: Indexes): TypedIndex | undefined {
  let start = tokens.length;
  while (start > 0 && inNames.has(tokens[start - 1]?.kind ?? "end")) start--;
  const name = tokens
    .slice(start)
    .map(({ text }) => text)
    .join("");
  return name === "" ? undefined : indexes.find(name);
}
