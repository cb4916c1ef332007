import type { JsonReader } from "../json-reader.js";
import { anyOf, ideograph, lettersOfBytes, whiteSpace } from "./characters.js";
import { charsmap } from "./charsmap.js";
import { type ReadPart, readerOf } from "./part.js";
import { patternOf } from "./pattern.js";

/** What is made of a text before it is cut into pieces. */
export type Normalizer = (text: string) => string;

/** @throws where there is no normalizer of its kind. */
export const normalizerOf: ReadPart<Normalizer> = readerOf("normalizer", {
  BertNormalizer: bert,
  ByteLevel: () => lettersOfBytes,
  Lowercase: () => lowerCase,
  NFC: () => (text) => text.normalize("NFC"),
  NFD: () => (text) => text.normalize("NFD"),
  NFKC: () => (text) => text.normalize("NFKC"),
  NFKD: () => (text) => text.normalize("NFKD"),
  Nmt: () => (text) => text.replace(unprinted, "").replace(blanks, " "),
  Precompiled: (part) => charsmap(part.at("precompiled_charsmap")),
  Prepend: (part) => {
    const begin = part.at("prepend").text;
    return (text) => (text === "" ? text : begin + text);
  },
  Replace: (part) => {
    const [pattern, content] = [patternOf(part.at("pattern")), part.at("content").text];
    return (text) => text.replace(pattern, () => content);
  },
  Sequence: (part) => inTurn(part.at("normalizers").list.map(normalizerOf)),
  Strip: (part) => {
    const [left, right] = [part.at("strip_left").flagOr(false), part.at("strip_right").flagOr(false)];
    const ends = [...(left ? [start] : []), ...(right ? [end] : [])];
    return (text) => ends.reduce((rest, each) => rest.replace(each, ""), text);
  },
  StripAccents: () => (text) => text.replace(marks, ""),
});

const inTurn =
  (steps: readonly Normalizer[]): Normalizer =>
  (text) =>
    steps.reduce((result, step) => step(result), text);

/** What a BERT is trained with: no controls, one kind of blank, ideographs as words, and as a rule small letters without accents. */
function bert(part: JsonReader): Normalizer {
  const isLower = part.at("lowercase").flagOr(true);
  const steps: readonly [boolean, Normalizer][] = [
    [part.at("clean_text").flagOr(true), (text) => text.replace(controls, "").replace(spaces, " ")],
    [part.at("handle_chinese_chars").flagOr(true), (text) => text.replace(ideographs, " $& ")],
    [part.at("strip_accents").flagOr(isLower), (text) => text.normalize("NFD").replace(accents, "")],
    [isLower, lowerCase],
  ];
  return inTurn(steps.flatMap(([isAsked, step]) => (isAsked ? [step] : [])));
}

/** Each letter by itself: a sigma is the same at the end of a word. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes("ς") ? Array.from(text, (letter) => letter.toLowerCase()).join("") : lower;
}

const controls = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}]/gu;
const spaces = anyOf(whiteSpace);
const ideographs = anyOf(ideograph);
const accents = /\p{Mn}/gu;
const marks = /\p{M}/gu;
const start = new RegExp(`^[${whiteSpace}]+`, "u");
const end = new RegExp(`(?<![${whiteSpace}])[${whiteSpace}]+$`, "u");

/** The controls and blanks of the normalizer of Sentencepiece's machine translation. */
const unprinted = anyOf("\\x01-\\x08\\x0b\\x0e-\\x1f\\x7f\\x8f\\x9f");
const blanks = anyOf("\\t\\n\\f\\r\\u1680\\u200b-\\u200f\\u2028\\u2029\\u2581\\ufeff\\ufffd");
