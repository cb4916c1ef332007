import type { Field } from "../package/model.js";
import { bm25Settings } from "./bm25.js";
import type { Document } from "./document.js";
import type { FeatureCall } from "./feature-call.js";
import { ofDocument, ofQuery, type QueryContext, type Source, type Value } from "./feature-source.js";
import type { QueryTerm } from "./query-terms.js";
import { type Statistics, wordsIn } from "./words.js";

/**
 * Features that follow from the words of a query and of a field. They are computed where statistics are handed in, which
 * says that words are what `wordsOf` makes of texts.
 */

/** What such a feature is made of. */
interface FieldText {
  readonly field: Field;
  /** Those that are searched in the field. */
  readonly terms: readonly QueryTerm[];
  readonly all: readonly QueryTerm[];
  readonly words: readonly string[];
  readonly statistics: Statistics;
  readonly call: FeatureCall;
  readonly context: QueryContext;
}

type ComputeFromText = (text: FieldText) => number | undefined;

/** What positions and lengths are where nothing matches. */
const far = 1_000_000;

const occurs = ({ words }: FieldText, { word }: QueryTerm): boolean => words.includes(word);
const matched = (text: FieldText): readonly QueryTerm[] => text.terms.filter((term) => occurs(text, term));

/** The term of the query with this number, if it is searched in the field. */
function termAt({ call, all, terms }: FieldText, at: number): QueryTerm | undefined {
  const term = all[Number(call.arguments[at])];
  return term !== undefined && terms.includes(term) ? term : undefined;
}

// biome-ignore format: a table
const rows: Readonly<Record<string, Readonly<Record<string, ComputeFromText>>>> = {
  bm25:              { "": bm25 },
  matches:           { "": (text) => Number(text.call.arguments.length > 1 ? isMatched(text) : matched(text).length > 0) },
  matchCount:        { "": (text) => matched(text).length },
  fieldLength:       { "": (text) => (matched(text).length > 0 ? text.words.length : far) },
  queryCompleteness: { hit: (text) => matched(text).length, miss: (text) => text.terms.length - matched(text).length },
  fieldTermMatch: {
    firstPosition:   (text) => position(text, (words, word) => words.indexOf(word)),
    lastPosition:    (text) => position(text, (words, word) => words.lastIndexOf(word)),
    occurrences:     (text) => text.words.filter((word) => word === termAt(text, 1)?.word).length,
  },
};

/** The features that need no document. */
// biome-ignore format: a table
const queryRows: Readonly<Record<string, (statistics: Statistics, terms: readonly QueryTerm[], argument: string) => number | undefined>> = {
  queryTermCount:     (_, terms) => terms.length,
  num_docs_indexed:   ({ documents }) => documents,
  numDocs:            ({ documents }) => documents,
  averageFieldLength: (statistics, _, field) => statistics.averageLength(field),
};

function isMatched(text: FieldText): boolean {
  const term = termAt(text, 1);
  return term !== undefined && occurs(text, term);
}

function position(text: FieldText, find: (words: readonly string[], word: string) => number): number {
  const term = termAt(text, 1);
  const found = term === undefined ? -1 : find(text.words, term.word);
  return found < 0 ? far : found;
}

/** The sum over the terms of how rare each is times how often it occurs, which counts less and less. */
function bm25(text: FieldText): number {
  const { words, statistics, field, call, context } = text;
  const { k1, b } = bm25Settings(call, (key) => context.property(key));
  const given = Number(context.property(`bm25(${field.name.text}).averageFieldLength`));
  const average = given > 0 ? given : (statistics.averageLength(field.name.text) ?? words.length);
  return text.terms.reduce((sum, { word }) => {
    const occurrences = words.filter((each) => each === word).length;
    const documents = Math.min(statistics.documentsWith(field.name.text, word), statistics.documents);
    const rarity = Math.log(1 + (statistics.documents - documents + 0.5) / (documents + 0.5));
    const length = k1 * (1 - b + (b * words.length) / average);
    return occurrences === 0 ? sum : sum + (rarity * occurrences * (k1 + 1)) / (occurrences + length);
  }, 0);
}

/** The names of the features that are computed from words. */
export const textFeatures: readonly string[] = [...Object.keys(rows), ...Object.keys(queryRows)];

/** How a feature of words gets its value; nothing where it is none, or words are not known. */
export function textSource(call: FeatureCall, context: QueryContext): Source | undefined {
  const { terms, statistics } = context;
  if (terms === undefined || statistics === undefined) return undefined;
  const whole = Object.hasOwn(queryRows, call.head) ? queryRows[call.head] : undefined;
  const value = whole?.(statistics, terms, call.arguments[0] ?? "");
  if (value !== undefined) return ofQuery(value);
  const outputs = Object.hasOwn(rows, call.head) ? rows[call.head] : undefined;
  const compute = outputs?.[call.output ?? ""];
  const field = context.field(call.arguments[0] ?? "");
  if (compute === undefined || field === undefined) return undefined;
  const { text: name } = field.name;
  const own = terms.filter((each) => each.fields.includes(name));
  const of = (document: Document): Value => {
    const words = wordsIn(document, field);
    return compute({ field, terms: own, all: terms, words, statistics, call, context }) ?? 0;
  };
  return ofDocument(name, of);
}
