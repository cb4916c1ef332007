import { leadingNumber } from "../package/model/engine-numbers.js";
import type { Field } from "../package/model/model.js";
import type { FieldRanking } from "../package/schemas/fields/field-ranking.js";
import { type Occurrence, occurrencesOf } from "./occurrences.js";
import type { QueryTerm } from "./queries/query-term.js";
import { type Statistics, significanceOf } from "./statistics.js";
import type { FieldElement } from "./words.js";

/** All that features of words are made of, but for the document. */
export interface TextQuery {
  readonly terms: readonly QueryTerm[];
  readonly statistics: Statistics;
  readonly fields: ReadonlyMap<string, Field>;
  /** How a rank profile weighs a field. */
  readonly ranking: (field: string) => FieldRanking;
  readonly property: (key: string) => string | undefined;
}

/** A document as words. */
export interface TextDocument {
  readonly elements: (field: Field) => readonly FieldElement[];
}

/** The fields that a term is searched in, of those that there are. */
export const searchedFields = ({ fields }: QueryTerm, query: TextQuery): readonly Field[] =>
  fields.flatMap((name) => query.fields.get(name) ?? []);

/** The terms that are searched in a field. */
export const termsFor = ({ name }: Field, { terms }: TextQuery): readonly QueryTerm[] =>
  terms.filter((each) => each.fields.includes(name.text));

export const significance = (term: QueryTerm, query: TextQuery): number =>
  significanceOf(term, searchedFields(term, query), query.statistics);

export const occurrences = (term: QueryTerm, field: Field, document: TextDocument): readonly Occurrence[] =>
  occurrencesOf(term, field, document.elements(field));

/** How many words the longest element has in which there is an occurrence. */
export const matchedLength = (found: readonly Occurrence[]): number =>
  found.reduce((most, { length }) => Math.max(most, length), 0);

/** The number that the first of some rank properties begins with, 0 where that begins with none. */
export function numberProperty(
  { property }: TextQuery,
  keys: readonly string[],
  otherwise: number,
  read = (text: string): number => leadingNumber(text) ?? 0,
): number {
  const found = keys.map(property).find((each) => each !== undefined);
  return found === undefined ? otherwise : read(found);
}
