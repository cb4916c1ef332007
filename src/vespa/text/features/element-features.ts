import { elementExpression } from "../../package/expressions/element-expressions.js";
import type { Field } from "../../package/model/model.js";
import { numberProperty, occurrences, type TextDocument, type TextQuery } from "../field-texts.js";
import type { Occurrence } from "../occurrences.js";
import { sumOf } from "../sum.js";
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
  const totalWeight = sumOf(terms, ({ weight }) => weight);
  const scoreOf = ({ completeness, elementWeight }: ElementCompleteness): number =>
    completeness * elementWeight;
  return (document) => {
    const found = terms.map((term) => ({ term, all: occurrences(term, field, document) }));
    return elementsOf(found.map(({ all }) => all)).reduce((best, element): ElementCompleteness => {
      const matching = found.filter(({ all }) => all.some((each) => each.element === element));
      const [first] = matching.flatMap(({ all }) => all.filter((each) => each.element === element));
      if (first === undefined) return best;
      const queryCompleteness = sumOf(matching, ({ term }) => term.weight) / totalWeight;
      const fieldCompleteness = Math.min(matching.length, first.length) / first.length;
      const completeness = share * fieldCompleteness + (1 - share) * queryCompleteness;
      const own = { completeness, fieldCompleteness, queryCompleteness, elementWeight: first.weight };
      return scoreOf(own) > scoreOf(best) ? own : best;
    }, none);
  };
}

/** How similar the most similar element is, where heavy ones count more. */
const usual = "max((0.35*p+0.15*o+0.30*q+0.20*f)*w)";

/** How similar the query is to the elements in which it is found, by an expression of the profile; nothing where it has none. */
export function elementSimilarity(
  field: Field,
  query: TextQuery,
  output: string,
): ((document: TextDocument) => number) | undefined {
  const own = query.property(`elementSimilarity(${field.name.text}).output.${output}`);
  const expression = elementExpression(own ?? (output === "default" ? usual : ""));
  if (expression === undefined) return undefined;
  const terms = weighingTerms(field, query);
  return (document) => {
    const found = new Map(terms.map((term) => [term, occurrences(term, field, document)]));
    const scores = elementsOf([...found.values()]).map((element) => {
      const within = (all: readonly Occurrence[] = []): readonly Occurrence[] =>
        all.filter((each) => each.element === element);
      const [first] = [...found.values()].flatMap(within);
      const of = similarityOf(terms, (term) => within(found.get(term)));
      const { proximity: p, order: o, queryCoverage: q, fieldCoverage } = of;
      return expression.value({ p, o, q, f: fieldCoverage, w: first?.weight ?? 0 });
    });
    return aggregated(scores, expression.aggregator);
  };
}

/** Of no scores 0. */
function aggregated(scores: readonly number[], aggregator: "max" | "avg" | "sum"): number {
  if (scores.length === 0) return 0;
  if (aggregator === "max") return scores.reduce((a, b) => Math.max(a, b));
  const sum = sumOf(scores, (each) => each);
  return aggregator === "sum" ? sum : sum / scores.length;
}

/** The elements in which something is found. */
const elementsOf = (found: readonly (readonly Occurrence[])[]): number[] => [
  ...new Set(found.flat().map(({ element }) => element)),
];
