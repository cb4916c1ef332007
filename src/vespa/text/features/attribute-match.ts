import type { Field } from "../../package/model/model.js";
import {
  numberProperty,
  occurrences,
  searchedFields,
  significance,
  type TextDocument,
  type TextQuery,
} from "../field-texts.js";
import type { QueryTerm } from "../queries/query-term.js";
import { sumOf } from "../sum.js";
import type { FieldElement } from "../words.js";

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
  const settings: MatchSettings = {
    greatest: numberProperty(query, [`${feature}.maxWeight`], 256),
    part: numberProperty(query, [`${feature}.fieldCompletenessImportance`], 0.05),
    isWeighted: field.typeText.startsWith("weightedset"),
  };
  const terms = query.terms.map((term) => ({ term, significance: significance(term, query) }));
  const totals = totalsOf(terms, query);
  const own = terms.filter(({ term }) => term.fields.includes(field.name.text));
  return (document) => {
    const found = own.flatMap((each): TermInValue[] => {
      const [match] = occurrences(each.term, field, document);
      return match === undefined ? [] : [{ ...each, value: settings.isWeighted ? match.weight : 0 }];
    });
    return {
      ...completenessOf(found, own.length, document.elements(field), settings),
      ...weightsOf(found, totals, settings.greatest),
      ...sharesOf(found, totals),
    };
  };
}

interface MatchSettings {
  /** What a weight counts as most. */
  readonly greatest: number;
  /** The part of the completeness that is of the field, and not of the query. */
  readonly part: number;
  readonly isWeighted: boolean;
}

interface WeighedTerm {
  readonly term: QueryTerm;
  readonly significance: number;
}

/** A term of a query that a document has, with the weight of its value there. */
interface TermInValue extends WeighedTerm {
  readonly value: number;
}

/** What is summed over the terms of a query, all of them and those that are searched in any attribute. */
interface QueryTotals {
  readonly weight: number;
  readonly significance: number;
  readonly ofAttributes: { readonly count: number; readonly weight: number };
}

function totalsOf(terms: readonly WeighedTerm[], query: TextQuery): QueryTotals {
  const ofAttributes = terms.filter(({ term }) =>
    searchedFields(term, query).some(({ isAttribute, isIndex }) => isAttribute && !isIndex),
  );
  return {
    weight: sumOf(terms, termWeight),
    significance: sumOf(terms, termSignificance),
    ofAttributes: { count: ofAttributes.length, weight: sumOf(ofAttributes, termWeight) },
  };
}

const termWeight = ({ term }: WeighedTerm): number => term.weight;
const termSignificance = ({ significance }: WeighedTerm): number => significance;
const valueIn = ({ value }: TermInValue): number => value;

/** How many of the terms are found, and how much of the field they are. */
function completenessOf(
  found: readonly TermInValue[],
  searched: number,
  elements: readonly FieldElement[],
  { part, isWeighted }: MatchSettings,
): Pick<AttributeMatch, "completeness" | "queryCompleteness" | "fieldCompleteness" | "matches"> {
  const { length: matches } = found;
  const queryCompleteness = searched === 0 ? 0 : matches / searched;
  const unweighted = elements.length === 0 ? 0 : Math.min(1, matches / elements.length);
  const fieldCompleteness = isWeighted ? shareOf(sumOf(found, valueIn), elements) : unweighted;
  const completeness = queryCompleteness * (1 - part + part * fieldCompleteness);
  return { completeness, queryCompleteness, fieldCompleteness, matches };
}

/** How much the values weigh that are found. */
function weightsOf(
  found: readonly TermInValue[],
  { ofAttributes }: QueryTotals,
  greatest: number,
): Pick<
  AttributeMatch,
  "normalizedWeight" | "normalizedWeightedWeight" | "totalWeight" | "averageWeight" | "maxWeight"
> {
  const totalWeight = sumOf(found, valueIn);
  const weighted = sumOf(found, ({ value, term }) => value * term.weight);
  const most = found.reduce((most, { value }) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  return {
    totalWeight,
    averageWeight: found.length === 0 ? 0 : totalWeight / found.length,
    maxWeight: found.length === 0 ? 0 : most,
    normalizedWeight: totalWeight > 0 ? Math.min(1, totalWeight / (greatest * ofAttributes.count)) : 0,
    normalizedWeightedWeight:
      weighted > 0 ? Math.min(1, weighted / (greatest * (ofAttributes.weight || 1))) : 0,
  };
}

/** How much of the weight and of the significance of the query is found. */
function sharesOf(
  found: readonly TermInValue[],
  totals: QueryTotals,
): Pick<AttributeMatch, "weight" | "significance" | "importance"> {
  const weight = totals.weight > 0 ? sumOf(found, termWeight) / totals.weight : 0;
  const significance = totals.significance > 0 ? sumOf(found, termSignificance) / totals.significance : 0;
  return { weight, significance, importance: (weight + significance) / 2 };
}

/** How much of the weight of all elements is found, 1 at most. */
function shareOf(weight: number, elements: readonly FieldElement[]): number {
  if (weight <= 0) return 0;
  const whole = sumOf(elements, (each) => each.weight);
  return whole <= 0 ? 1 : Math.min(1, weight / whole);
}
