import type { JsonReader } from "../json-reader.js";
import { anyOf, lettersOfBytes, numeric, punctuation, whiteSpace, wordCharacter } from "./characters.js";
import { type ReadPart, readerOf } from "./part.js";
import { patternOf, textPattern } from "./pattern.js";
import { behaviorOf, split } from "./splitting.js";

/** Part of a text, none of whose tokens goes beyond it. */
export interface Piece {
  readonly text: string;
  /** Whether it begins the whole text. */
  readonly isFirst: boolean;
}

/** The pieces of a piece. */
export type PreTokenizer = (piece: Piece) => Piece[];

/** @throws where there is no pre-tokenizer of its kind. */
export const preTokenizerOf: ReadPart<PreTokenizer> = readerOf("pre-tokenizer", {
  BertPreTokenizer: () => inTurn([withoutSpaces, cutter((text) => split(text, marks, "isolated"))]),
  ByteLevel: byteLevel,
  CharDelimiterSplit: (part) => {
    const delimiter = textPattern(part.at("delimiter").text);
    return cutter((text) => split(text, delimiter, "removed"));
  },
  Digits: (part) => {
    const behavior = part.at("individual_digits").flagOr(false) ? "isolated" : "contiguous";
    return cutter((text) => split(text, numbers, behavior));
  },
  FixedLength: (part) => {
    const length = part.at("length").count(Number.MAX_SAFE_INTEGER);
    return length === 0 ? part.at("length").fail("number of what there is") : cutter(chunks(length));
  },
  Metaspace: metaspace,
  Punctuation: (part) => {
    const behavior = behaviorOf(part.at("behavior"));
    return cutter((text) => split(text, marks, behavior));
  },
  Sequence: (part) => inTurn(part.at("pretokenizers").list.map(preTokenizerOf)),
  Split: (part) => {
    const [pattern, behavior] = [patternOf(part.at("pattern")), behaviorOf(part.at("behavior"))];
    const isInverted = part.at("invert").flagOr(false);
    return cutter((text) => split(text, pattern, behavior, isInverted));
  },
  Whitespace: () => cutter((text) => split(text, words, "removed", true)),
  WhitespaceSplit: () => withoutSpaces,
});

/** Pieces of a text; only the one that it begins with can be the first of the whole text. */
const cutter =
  (cut: (text: string) => readonly string[]): PreTokenizer =>
  ({ text, isFirst }) =>
    cut(text).map((each, at) => ({ text: each, isFirst: isFirst && at === 0 && text.startsWith(each) }));

const inTurn =
  (steps: readonly PreTokenizer[]): PreTokenizer =>
  (piece) =>
    steps.reduce<Piece[]>((pieces, step) => pieces.flatMap(step), [piece]);

/** Texts of so many characters, the last of fewer. */
const chunks =
  (length: number) =>
  (text: string): string[] => {
    const characters = Array.from(text);
    return Array.from({ length: Math.ceil(characters.length / length) }, (_, at) =>
      characters.slice(at * length, (at + 1) * length).join(""),
    );
  };

/** The words of GPT-2, or a whole text, as the letters of their bytes. */
function byteLevel(part: JsonReader): PreTokenizer {
  const [hasPrefix, hasWords] = [part.at("add_prefix_space").flagOr(true), part.at("use_regex").flagOr(true)];
  return ({ text, isFirst }) => {
    const whole = hasPrefix && !text.startsWith(" ") ? ` ${text}` : text;
    const pieces = hasWords ? split(whole, gptWords, "isolated") : [whole];
    return pieces.map((each, at) => ({ text: lettersOfBytes(each), isFirst: isFirst && at === 0 }));
  };
}

/** Words that begin with a sign for the blank before them, which the first one may be given. */
function metaspace(part: JsonReader): PreTokenizer {
  const sign = part.at("replacement").textOr("▁");
  // Older files say only whether there is one.
  const otherwise = part.at("add_prefix_space").flagOr(true) ? "always" : "never";
  const scheme = part.at("prepend_scheme").textOr(otherwise);
  const pattern = textPattern(sign);
  const isSplit = part.at("split").flagOr(true);
  return ({ text, isFirst }) => {
    const signs = text.replaceAll(" ", sign);
    const isPrefixed = scheme === "always" || (scheme === "first" && isFirst);
    const whole = isPrefixed && !signs.startsWith(sign) ? sign + signs : signs;
    const pieces = isSplit ? split(whole, pattern, "merged_with_next") : [whole];
    return pieces.map((each, at) => ({ text: each, isFirst: isFirst && at === 0 }));
  };
}

const marks = anyOf(punctuation);
const numbers = anyOf(numeric);
const spaces = anyOf(whiteSpace);
const withoutSpaces = cutter((text) => split(text, spaces, "removed"));
const words = new RegExp(`[${wordCharacter}]+|[^${wordCharacter}${whiteSpace}]+`, "gu");

/** Endings of English, words with the blank before them, and blanks, the last of which may be that of a word. */
const gptWordPattern = [
  "'s|'t|'re|'ve|'m|'ll|'d",
  " ?\\p{L}+| ?\\p{N}+",
  ` ?[^${whiteSpace}\\p{L}\\p{N}]+`,
  `[${whiteSpace}]+(?![^${whiteSpace}])`,
  `[${whiteSpace}]+`,
].join("|");
const gptWords = new RegExp(gptWordPattern, "gu");
