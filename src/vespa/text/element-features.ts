import type { Field } from "../package/model.js";
import { numberProperty, occurrences, type TextDocument, type TextQuery } from "./field-texts.js";
import type { Occurrence } from "./occurrences.js";
import { similarityOf, weighingTerms } from "./text-similarity.js";

/** What `elementCompleteness(f)` puts out, of the best element. */
export interface ElementCompleteness {
  readonly completeness: number;
  readonly fieldCompleteness: number;
  readonly queryCompleteness: number;
  readonly elementWeight: number;
}

const none: ElementCompleteness = {
  ...{ completeness: 0, fieldCompleteness: 0, queryCompleteness: 0, elementWeight: 0 },
};

/** How completely the query and the element of a field that agrees with it best have the same words. */
export function elementCompleteness(
  field: Field,
  query: TextQuery,
): (document: TextDocument) => ElementCompleteness {
  const feature = `elementCompleteness(${field.name.text})`;
  const share = numberProperty(query, [`${feature}.fieldCompletenessImportance`], 0.5);
  const terms = weighingTerms(field, query);
  const totalWeight = terms.reduce((sum, { weight }) => sum + weight, 0);
  const scoreOf = ({ completeness, elementWeight }: ElementCompleteness): number =>
    completeness * elementWeight;
  return (document) => {
    const found = terms.map((term) => ({ term, all: occurrences(term, field, document) }));
    return elementsOf(found.map(({ all }) => all)).reduce((best, element): ElementCompleteness => {
      const matching = found.filter(({ all }) => all.some((each) => each.element === element));
      const [first] = matching.flatMap(({ all }) => all.filter((each) => each.element === element));
      if (first === undefined) return best;
      const queryCompleteness = matching.reduce((sum, { term }) => sum + term.weight, 0) / totalWeight;
      const fieldCompleteness = Math.min(matching.length, first.length) / first.length;
      const completeness = share * fieldCompleteness + (1 - share) * queryCompleteness;
      const own = { completeness, fieldCompleteness, queryCompleteness, elementWeight: first.weight };
      return scoreOf(own) > scoreOf(best) ? own : best;
    }, none);
  };
}

/** How similar the query is to the element of a field that is most so, where heavy elements count more. */
export function elementSimilarity(field: Field, query: TextQuery): (document: TextDocument) => number {
  const terms = weighingTerms(field, query);
  return (document) => {
    const found = new Map(terms.map((term) => [term, occurrences(term, field, document)]));
    const scores = elementsOf([...found.values()]).map((element) => {
      const within = (all: readonly Occurrence[] = []): readonly Occurrence[] =>
        all.filter((each) => each.element === element);
      const [first] = [...found.values()].flatMap(within);
      return similarityOf(terms, (term) => within(found.get(term))).score * (first?.weight ?? 0);
    });
    return scores.length === 0 ? 0 : scores.reduce((a, b) => Math.max(a, b));
  };
}

/** The elements in which something is found. */
const elementsOf = (found: readonly (readonly Occurrence[])[]): number[] => [
  ...new Set(found.flat().map(({ element }) => element)),
];
