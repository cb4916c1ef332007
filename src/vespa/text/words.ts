import type { JsonValue } from "../../formats/json/value.js";
import type { Field } from "../package/model.js";

/**
 * The words of documents and queries: what stands between all that is neither letter nor digit, in lower case. This is
 * what an engine makes of a text without stemming; with it, words that differ here may be the same there.
 */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** How values of a field are read. */
export type FieldReading = Pick<Field, "isIndex" | "matching" | "isCased">;

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

/** The elements of a field of a document; of an attribute without an index, each value is one word. */
export function elementsOf(value: JsonValue | undefined, field: FieldReading): FieldElement[] {
  const isWhole = isOfWholeValues(field);
  const element = (text: string, weight = 1): FieldElement => ({
    words: isWhole ? [folded(text, field)] : wordsOf(text),
    weight,
  });
  if (value === undefined) return [];
  if (value.kind === "object")
    return [...value.entries()].map(([text, weight]) => element(text, weight.number ?? 1));
  return textsIn(value).map((text) => element(text));
}

/** All words of a field, those of several values one after another. */
export const wordsIn = (elements: readonly FieldElement[]): readonly string[] =>
  elements.flatMap(({ words }) => words);

function textsIn(value: JsonValue): string[] {
  if (value.kind === "array") return [...value.items()].flatMap(textsIn);
  return value.scalar === undefined || value.scalar === null ? [] : [`${value.scalar}`];
}
