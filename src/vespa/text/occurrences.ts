import type { Field } from "../package/model.js";
import type { QueryTerm } from "./query-terms.js";
import type { FieldElement } from "./words.js";

/** Where a term stands in a field: in which element, and at which word of it. */
export interface Occurrence {
  readonly element: number;
  readonly position: number;
  /** The weight of the element in a weighted set, and 1 in others. */
  readonly weight: number;
  /** The words of the element. */
  readonly length: number;
}

/** How many words a term has where it is found: an attribute is asked for all of a phrase at once. */
export const lengthIn = (term: QueryTerm, { isIndex }: Field): number => (isIndex ? term.words.length : 1);

/**
 * All occurrences of a term in the elements of a field, in their order. In an attribute a value is found or not, which counts
 * as one occurrence: its weight is that of the value in a weighted set, and how often it is there in an array.
 */
export function occurrencesOf(
  term: QueryTerm,
  field: Field,
  elements: readonly FieldElement[],
): Occurrence[] {
  return field.isIndex ? inIndex(term, elements) : inAttribute(term, elements);
}

function inIndex({ words, range }: QueryTerm, elements: readonly FieldElement[]): Occurrence[] {
  const [first] = words;
  if (first === undefined || range !== undefined) return [];
  return elements.flatMap(({ words: found, weight }, element) => {
    const occurrences: Occurrence[] = [];
    for (let at = found.indexOf(first); at >= 0; at = found.indexOf(first, at + 1))
      if (words.every((word, offset) => found[at + offset] === word))
        occurrences.push({ element, position: at, weight, length: found.length });
    return occurrences;
  });
}

function inAttribute({ text, range, isSearch }: QueryTerm, elements: readonly FieldElement[]): Occurrence[] {
  const found = { element: 0, position: 0, length: 1 };
  if (isSearch) return [{ ...found, weight: 1 }];
  const word = text.toLowerCase();
  const isFound = ([value = ""]: readonly string[]): boolean => {
    if (range === undefined) return value === word;
    const number = { true: 1, false: 0 }[value] ?? Number(value);
    const isAbove = range.excludesLeast ? number > range.least : number >= range.least;
    return isAbove && (range.excludesMost ? number < range.most : number <= range.most);
  };
  const matching = elements.filter((each) => isFound(each.words));
  return matching.length === 0
    ? []
    : [{ ...found, weight: matching.reduce((sum, { weight }) => sum + weight, 0) }];
}
