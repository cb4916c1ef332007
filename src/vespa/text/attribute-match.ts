import type { Field } from "../package/model/model.js";
import {
  numberProperty,
  occurrences,
  searchedFields,
  significance,
  type TextDocument,
  type TextQuery,
} from "./field-texts.js";
import { sumOf } from "./sum.js";
import type { FieldElement } from "./words.js";

/** What `attributeMatch(a)` puts out; the value without an output is `completeness`. */
export interface AttributeMatch {
  readonly completeness: number;
  readonly queryCompleteness: number;
  readonly fieldCompleteness: number;
  readonly normalizedWeight: number;
  readonly normalizedWeightedWeight: number;
  readonly weight: number;
  readonly significance: number;
  readonly importance: number;
  readonly matches: number;
  readonly totalWeight: number;
  readonly averageWeight: number;
  readonly maxWeight: number;
}

/** How well the terms of a query agree with the values of an attribute. */
export function attributeMatch(field: Field, query: TextQuery): (document: TextDocument) => AttributeMatch {
  const feature = `attributeMatch(${field.name.text})`;
  const greatest = numberProperty(query, [`${feature}.maxWeight`], 256);
  const part = numberProperty(query, [`${feature}.fieldCompletenessImportance`], 0.05);
  const isWeighted = field.typeText.startsWith("weightedset");
  const terms = query.terms.map((term) => ({
    ...{ term, significance: significance(term, query), isHere: term.fields.includes(field.name.text) },
    ofAttribute: searchedFields(term, query).some(({ isAttribute, isIndex }) => isAttribute && !isIndex),
  }));
  type SearchedTerm = (typeof terms)[number];
  const weightOf = ({ term }: SearchedTerm): number => term.weight;
  const significanceOf = (each: SearchedTerm): number => each.significance;
  const ofAttributes = terms.filter(({ ofAttribute }) => ofAttribute);
  const [allWeights, attributeWeights] = [sumOf(terms, weightOf), sumOf(ofAttributes, weightOf)];
  const allSignificance = sumOf(terms, significanceOf);
  const own = terms.filter(({ isHere }) => isHere);
  return (document) => {
    const found = own.flatMap((each) => {
      const [match] = occurrences(each.term, field, document);
      return match === undefined ? [] : [{ ...each, value: isWeighted ? match.weight : 0 }];
    });
    const matches = found.length;
    const totalWeight = sumOf(found, ({ value }) => value);
    const elements = document.elements(field);
    const queryCompleteness = own.length === 0 ? 0 : matches / own.length;
    const { length: count } = elements;
    const unweighted = count === 0 ? 0 : Math.min(1, matches / count);
    const fieldCompleteness = isWeighted ? shareOf(totalWeight, elements) : unweighted;
    const weighted = sumOf(found, ({ value, term }) => value * term.weight);
    const weight = allWeights > 0 ? sumOf(found, weightOf) / allWeights : 0;
    const share = allSignificance > 0 ? sumOf(found, significanceOf) / allSignificance : 0;
    return {
      ...{ queryCompleteness, fieldCompleteness, weight, significance: share, matches, totalWeight },
      completeness: queryCompleteness * (1 - part + part * fieldCompleteness),
      normalizedWeight: totalWeight > 0 ? Math.min(1, totalWeight / (greatest * ofAttributes.length)) : 0,
      normalizedWeightedWeight:
        weighted > 0 ? Math.min(1, weighted / (greatest * (attributeWeights || 1))) : 0,
      importance: (weight + share) / 2,
      averageWeight: matches === 0 ? 0 : totalWeight / matches,
      maxWeight:
        matches === 0
          ? 0
          : found.reduce((most, { value }) => Math.max(most, value), Number.NEGATIVE_INFINITY),
    };
  };
}

/** How much of the weight of all elements is found, 1 at most. */
function shareOf(weight: number, elements: readonly FieldElement[]): number {
  if (weight <= 0) return 0;
  const whole = sumOf(elements, (each) => each.weight);
  return whole <= 0 ? 1 : Math.min(1, weight / whole);
}
