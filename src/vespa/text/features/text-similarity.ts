import type { Field } from "../../package/model/model.js";
import { occurrences, type TextDocument, type TextQuery, termsFor } from "../field-texts.js";
import type { Occurrence } from "../occurrences.js";
import type { QueryTerm } from "../queries/query-term.js";
import { sumOf } from "../sum.js";

/** What `textSimilarity(f)` puts out. */
export interface TextSimilarity {
  readonly score: number;
  readonly proximity: number;
  readonly order: number;
  readonly queryCoverage: number;
  readonly fieldCoverage: number;
}

const nothing: TextSimilarity = { score: 0, proximity: 0, order: 0, queryCoverage: 0, fieldCoverage: 0 };

/** Near words count more, and those that are more than eight words apart nothing. */
const nearness = (distance: number): number => (distance > 8 ? 0 : 1 - ((distance - 1) / 8) ** 2);

/** A term that is found, with its number among those of the field. */
interface TermReading {
  readonly at: number;
  readonly weight: number;
  readonly first: Occurrence;
  readonly later: readonly Occurrence[];
}

/** How near, in which order and how completely a query and a field have the same words, read along the field. */
export function textSimilarity(field: Field, query: TextQuery): (document: TextDocument) => TextSimilarity {
  const terms = weighingTerms(field, query);
  return (document) => similarityOf(terms, (term) => occurrences(term, field, document));
}

/** The terms of a field that count. */
export const weighingTerms = (field: Field, query: TextQuery): readonly QueryTerm[] =>
  termsFor(field, query).filter(({ weight }) => weight !== 0);

/** How terms are found in a text that is read once. Of several terms, one alone is in no order. */
export function similarityOf(
  terms: readonly QueryTerm[],
  occurrencesOf: (term: QueryTerm) => readonly Occurrence[],
): TextSimilarity {
  const totalWeight = sumOf(terms, ({ weight }) => weight);
  const found = terms.flatMap((term, at): TermReading[] => {
    const [first, ...later] = occurrencesOf(term);
    return first === undefined ? [] : [{ at, weight: term.weight, first, later }];
  });
  const read = readAlong(found);
  const [leftmost] = read;
  if (leftmost === undefined) return nothing;
  const { length } = leftmost.first;
  const matches = Math.min(length, read.length);
  let [near, ordered] = [0, 0];
  for (const [index, { at, first }] of read.entries()) {
    const before = read[index - 1];
    if (before === undefined) continue;
    near += nearness(first.position - before.first.position);
    if (at > before.at) ordered++;
  }
  const isSingle = matches < 2;
  const proximity = isSingle ? nearness(length) : near / (matches - 1);
  const order = isSingle ? Number(terms.length === 1) : ordered / (matches - 1);
  const queryCoverage = sumOf(read, ({ weight }) => weight) / totalWeight;
  const fieldCoverage = matches / length;
  const score = 0.35 * proximity + 0.15 * order + 0.3 * queryCoverage + 0.2 * fieldCoverage;
  return { score, proximity, order, queryCoverage, fieldCoverage };
}

/** One occurrence of each term, from left to right: of each the first that stands behind those that were taken. */
function readAlong(found: readonly TermReading[]): TermReading[] {
  const read: TermReading[] = [];
  const waiting = [...found];
  let position = -1;
  while (waiting.length > 0) {
    const next = waiting.reduce((best, each) => (isBefore(each, best) ? each : best));
    waiting.splice(waiting.indexOf(next), 1);
    if (next.first.position > position) {
      read.push(next);
      ({ position } = next.first);
      continue;
    }
    const [first, ...later] = next.later;
    if (first !== undefined) waiting.push({ ...next, first, later });
  }
  return read;
}

function isBefore(a: TermReading, b: TermReading): boolean {
  const [left, right] = [a.first.position, b.first.position];
  return left === right ? a.at < b.at : left < right;
}
