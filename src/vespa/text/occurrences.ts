import type { Field } from "../package/model/model.js";
import type { NumberRange, QueryTerm } from "./queries/query-term.js";
import { sumOf } from "./sum.js";
import { valueMatcher } from "./value-patterns.js";
import { type FieldElement, folded, isOfWholeValues, termWords } from "./words.js";

/** Where a term stands in a field: in which element, and at which word of it. */
export interface Occurrence {
  readonly element: number;
  readonly position: number;
  /** The weight of the element in a weighted set, and 1 in others; of a term of weighted values, the weight of the value. */
  readonly weight: number;
  /** The words of the element. */
  readonly length: number;
}

/** How many words a term has where it is found: an attribute is asked for all of a phrase at once. */
export const lengthIn = ({ pattern }: QueryTerm, field: Field): number =>
  pattern.kind !== "words" || isOfWholeValues(field) ? 1 : pattern.words.length;

/**
 * All occurrences of a term in the elements of a field, in their order. In an attribute a value is found or not, which counts
 * as one occurrence: its weight is that of the value in a weighted set, and how often it is there in an array.
 */
export function occurrencesOf(
  { pattern }: QueryTerm,
  field: Field,
  elements: readonly FieldElement[],
): Occurrence[] {
  switch (pattern.kind) {
    case "words":
      return field.isIndex
        ? wordsIn(termWords(pattern, field), elements)
        : valuesThat(elements, (value) => value === folded(pattern.text, field));
    case "range":
      return field.isIndex ? [] : valuesThat(elements, (value) => isWithin(value, pattern));
    case "neighbours":
      return field.isIndex ? [] : [{ ...atStart, weight: 1 }];
    case "prefix":
    case "suffix":
    case "substring":
    case "regular":
    case "fuzzy": {
      const matches = valueMatcher(pattern, field);
      return matches === undefined ? [] : valuesThat(elements, matches);
    }
    case "weighted":
      return weightedIn(pattern.weights, field, elements);
    case "equivalent":
      return merged(pattern.terms.map((each) => occurrencesOf(each, field, elements)));
    case "product":
    case "unknown":
      return [];
  }
}

const atStart = { element: 0, position: 0, length: 1 };

function wordsIn(words: readonly string[], elements: readonly FieldElement[]): Occurrence[] {
  const [first] = words;
  if (first === undefined) return [];
  return elements.flatMap(({ words: found, weight }, element) => {
    const occurrences: Occurrence[] = [];
    for (let at = found.indexOf(first); at >= 0; at = found.indexOf(first, at + 1))
      if (words.every((word, offset) => found[at + offset] === word))
        occurrences.push({ element, position: at, weight, length: found.length });
    return occurrences;
  });
}

/** The values of an attribute, of which each element is one. */
function valuesThat(elements: readonly FieldElement[], isFound: (value: string) => boolean): Occurrence[] {
  const matching = elements.filter(({ words: [value = ""] }) => isFound(value));
  return matching.length === 0 ? [] : [{ ...atStart, weight: sumOf(matching, ({ weight }) => weight) }];
}

function isWithin(value: string, { least, most, excludesLeast, excludesMost }: NumberRange): boolean {
  const number = { true: 1, false: 0 }[value] ?? Number(value);
  const isAbove = excludesLeast ? number > least : number >= least;
  return isAbove && (excludesMost ? number < most : number <= most);
}

/** An occurrence for each value that is found, those of the greatest weights first. */
function weightedIn(
  weights: ReadonlyMap<string, number>,
  field: Field,
  elements: readonly FieldElement[],
): Occurrence[] {
  const values = new Set(elements.flatMap(({ words }) => words));
  return [...weights]
    .filter(([value]) => values.has(folded(value, field)))
    .map(([, weight]) => ({ ...atStart, weight }))
    .sort((a, b) => b.weight - a.weight);
}

/** In the order of the field; of several at the same position, the first. */
function merged(all: readonly (readonly Occurrence[])[]): Occurrence[] {
  const byPosition = new Map<string, Occurrence>();
  for (const each of all.flat()) {
    const key = `${each.element} ${each.position}`;
    if (!byPosition.has(key)) byPosition.set(key, each);
  }
  return [...byPosition.values()].sort((a, b) => a.element - b.element || a.position - b.position);
}
