/**
 * Classes of characters, as the tokenizers of Hugging Face have them: those of Unicode, and not those of JavaScript's escapes, whose
 * `\w` and `\d` know ASCII alone and whose `\s` has a mark of the order of bytes. Each is the inside of a class in brackets.
 */

export const whiteSpace = "\\p{White_Space}";

/** Punctuation of Unicode, and what ASCII has beside letters, digits, white space and controls. */
export const punctuation = "\\p{P}!-\\/:-@\\[-`{-~";

/** What words are made of. */
export const wordCharacter = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d";

/** Digits, and every other number. */
export const numeric = "\\p{N}";

/** What BERT writes between blanks: the ideographs of its list, which leaves out those of later planes. */
export const ideograph = [
  "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2a6df}",
  "\\u{2a700}-\\u{2b81f}\\u{2b920}-\\u{2ceaf}\\u{2f800}-\\u{2fa1f}",
].join("");

/** A regular expression of one character of a class, for all of a text. */
export const anyOf = (characters: string): RegExp => new RegExp(`[${characters}]`, "gu");

/** The letters that stand for the 256 bytes in vocabularies of bytes: themselves where they can be seen, others behind U+0100. */
const byteLetters: readonly string[] = (() => {
  let hidden = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    const isVisible = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
    return String.fromCharCode(isVisible ? byte : 0x100 + hidden++);
  });
})();

const utf8 = new TextEncoder();

/** A text as the letters of its bytes. */
export const lettersOfBytes = (text: string): string =>
  Array.from(utf8.encode(text), (byte) => byteLetters[byte]).join("");

/** A text as tokens of its bytes, `<0x0A>`. */
export const tokensOfBytes = (text: string): string[] =>
  Array.from(utf8.encode(text), (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
