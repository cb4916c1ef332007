import { wordsOf } from "../../words.js";
import { TooManySteps } from "./cursor.js";
import type { Indexes } from "./indexes.js";
import { type Item, type TermItem, termItem, termsIn } from "./items.js";
import { tokensOf } from "./tokens.js";
import { TooDeep, TypedReading } from "./typed-reading.js";

/** How long a text may be of which anything is said. */
const mostCharacters = 20_000;

interface TypedText {
  readonly text: string;
  readonly indexes: Indexes;
  /** Where words are searched that say no field; the engine's own default if nothing. */
  readonly index: string | undefined;
}

type TypeReader = (typed: TypedText) => Item | undefined;

const reading =
  (read: (reading: TypedReading) => Item | undefined): TypeReader =>
  ({ text, indexes, index }) =>
    read(new TypedReading(tokensOf(text, index, indexes), indexes, index));

/** The types of queries that people type; those that programs write are not read. */
// biome-ignore format: a table
const readers: Readonly<Record<string, TypeReader>> = {
  weakAnd:     reading((typed) => typed.all()),
  all:         reading((typed) => typed.all()),
  any:         reading((typed) => typed.any()),
  web:         reading((typed) => typed.web()),
  phrase:      reading((typed) => typed.phrase()),
  tokenize:    reading((typed) => typed.words()),
  linguistics: ({ text }) => ({ kind: "or", items: wordsOf(text).map((word) => termItem({ kind: "words", text: word, words: [word] })) }),
};

const byLowerCase = new Map(Object.entries(readers).map(([type, read]) => [type.toLowerCase(), read]));

/**
 * The terms of a typed query in their order. Nothing where its type is none that is read here, or where the text is longer or
 * more nested than anybody types.
 */
export function typedTerms(type: string, typed: TypedText): readonly TermItem[] | undefined {
  const read = byLowerCase.get(type.toLowerCase());
  if (read === undefined || typed.text.length > mostCharacters) return undefined;
  try {
    return termsIn(read(typed));
  } catch (error) {
    if (error instanceof TooManySteps || error instanceof TooDeep) return undefined;
    throw error;
  }
}
