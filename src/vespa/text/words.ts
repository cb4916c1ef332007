import type { JsonValue } from "../../formats/json/value.js";
import { fedText, fedWhole } from "../documents/fed-values.js";
import { membersOf } from "../documents/members.js";
import type { Field } from "../package/model/model.js";
import type { WordsPattern } from "./queries/query-term.js";

/** What of a field says how its texts are compared. */
type WordForm = Pick<Field, "retainsAccents">;

/**
 * The words of documents and queries, as Vespa's own linguistics have them without stemming: letters, digits and what is written on
 * them, in a row, and each other symbol by itself, such as an emoji. What is compared is their compatible form, in lower case, without
 * accents unless a field has them `normalizing: none`. With stemming, words that differ here may be the same there.
 */
export function wordsOf(text: string, { retainsAccents }: WordForm = {}): string[] {
  return (text.match(words) ?? [])
    .map((word) => comparedForm(word, retainsAccents === true))
    .filter((word) => word !== "");
}

const word = "[\\p{L}\\p{N}\\p{Mn}\\p{Mc}]+";
const words = new RegExp(`${word}|\\p{So}`, "gu");
const tokens = new RegExp(`${word}|\\P{White_Space}`, "gu");

function comparedForm(word: string, retainsAccents: boolean): string {
  const lower = word.normalize("NFKC").toLowerCase();
  return retainsAccents ? lower : lower.normalize("NFD").replace(/[\u0300-\u036f]+/g, "");
}

/** All of a text that is no white space, in the compared form: words, and each other character by itself. */
export const linguisticTokens = (text: string): string[] =>
  (text.match(tokens) ?? []).map((each) => comparedForm(each, false));

/** The words of a term of a query as a field has them. */
export function termWords({ text, words }: WordsPattern, field: Field): readonly string[] {
  if (isOfWholeValues(field)) return [folded(text, field)];
  // A number is not taken apart.
  return field.retainsAccents === true && words[0] !== text ? wordsOf(text, field) : words;
}

/** How values of a field are read. */
export type FieldReading = Pick<Field, "isIndex" | "matching" | "isCased" | "retainsAccents">;

/** A text as a field compares it. */
export const folded = (text: string, { isCased }: Pick<Field, "isCased">): string =>
  isCased === true ? text : text.toLowerCase();

/** Whether each value of a field is one word. */
export const isOfWholeValues = ({ isIndex, matching }: FieldReading): boolean =>
  !isIndex || matching === "word" || matching === "exact";

/** One value of a field: the only one, or an element of a collection, with its weight in a weighted set. */
export interface FieldElement {
  readonly words: readonly string[];
  readonly weight: number;
}

/** A document by its fields. */
export interface FieldValues {
  readonly json: (field: string) => JsonValue | undefined;
}

/** The elements of a field of a document; of an attribute without an index, each value is one word. */
export function elementsIn(document: FieldValues, field: Field): FieldElement[] {
  const { text: name } = field.name;
  const value = document.json(name);
  const members = value === undefined ? membersOf(name, (each) => document.json(each)) : undefined;
  if (members === undefined) return elementsOf(value, field);
  // What a struct lacks is stored, as an empty text.
  const texts = members.map((each) => (typeof each === "object" ? fedText(each) : each) ?? "");
  return texts.map((text) => ({ words: [folded(text, field)], weight: 1 }));
}

function elementsOf(value: JsonValue | undefined, field: FieldReading): FieldElement[] {
  const isWhole = isOfWholeValues(field);
  const element = (text: string, weight = 1): FieldElement => ({
    words: isWhole ? [folded(text, field)] : wordsOf(text, field),
    weight,
  });
  if (value === undefined) return [];
  if (value.kind === "object")
    return [...value.entries()].map(([text, weight]) => element(text, Number(fedWhole(weight) ?? 1)));
  return textsIn(value).map((text) => element(text));
}

/** All words of a field, those of several values one after another. */
export const wordsIn = (elements: readonly FieldElement[]): readonly string[] =>
  elements.flatMap(({ words }) => words);

function textsIn(value: JsonValue): string[] {
  if (value.kind === "array") return [...value.items()].flatMap(textsIn);
  const text = fedText(value);
  return text === undefined ? [] : [text];
}
