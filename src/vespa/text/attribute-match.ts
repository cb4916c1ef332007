import type { Field } from "../package/model/model.js";
import {
  numberProperty,
  occurrences,
  searchedFields,
  significance,
  type TextDocument,
  type TextQuery,
} from "./field-texts.js";

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
  const sum = (of: (each: (typeof terms)[number]) => number, list = terms): number =>
    list.reduce((total, each) => total + of(each), 0);
  const weightOf = ({ term }: (typeof terms)[number]): number => term.weight;
  const significanceOf = (each: (typeof terms)[number]): number => each.significance;
  const ofAttributes = terms.filter(({ ofAttribute }) => ofAttribute);
  const [allWeights, attributeWeights] = [sum(weightOf), sum(weightOf, ofAttributes)];
  const own = terms.filter(({ isHere }) => isHere);
  return (document) => {
    const found = own.flatMap((each) => {
      const [match] = occurrences(each.term, field, document);
      return match === undefined ? [] : [{ ...each, value: match.weight }];
    });
    const matches = found.length;
    const values = found.map(({ value }) => (isWeighted ? value : 0));
    const totalWeight = values.reduce((total, each) => total + each, 0);
    const elements = document.elements(field);
    const queryCompleteness = own.length === 0 ? 0 : matches / own.length;
    const all = elements.reduce((total, { weight }) => total + weight, 0);
    const fieldCompleteness = isWeighted
      ? totalWeight <= 0
        ? 0
        : all <= 0
          ? 1
          : totalWeight / all
      : elements.length === 0
        ? 0
        : matches / elements.length;
    const completeField = Math.min(1, fieldCompleteness);
    const weighted = found.reduce(
      (total, { value, term }) => total + (isWeighted ? value * term.weight : 0),
      0,
    );
    const weight = allWeights > 0 ? sum(weightOf, found) / allWeights : 0;
    const totalSignificance = sum(significanceOf);
    const share = totalSignificance > 0 ? sum(significanceOf, found) / totalSignificance : 0;
    return {
      ...{
        queryCompleteness,
        fieldCompleteness: completeField,
        weight,
        significance: share,
        matches,
        totalWeight,
      },
      completeness: queryCompleteness * (1 - part + part * completeField),
      normalizedWeight: totalWeight > 0 ? Math.min(1, totalWeight / (greatest * ofAttributes.length)) : 0,
      normalizedWeightedWeight:
        weighted > 0 ? Math.min(1, weighted / (greatest * (attributeWeights || 1))) : 0,
      importance: (weight + share) / 2,
      averageWeight: matches === 0 ? 0 : totalWeight / matches,
      maxWeight: values.length === 0 ? 0 : values.reduce((most, each) => Math.max(most, each)),
    };
  };
}
