import type { JsonValue } from "../../formats/json/value.js";
import type { Field } from "../package/model/model.js";
import type { QueryTerm, TermPattern } from "./queries/query-term.js";
import { sumOf } from "./sum.js";
import { valueMatcher } from "./value-patterns.js";
import { elementsIn, folded, termWords, wordsIn } from "./words.js";

/** What is counted over all documents, of which a score sees only one. */
export interface Statistics {
  readonly documents: number;
  readonly averageLength: (field: string) => number | undefined;
  /** Of the elements of a field of several. */
  readonly averageElementLength?: (field: string) => number | undefined;
  /** In how many documents a word is. */
  readonly documentsWith: (field: string, word: string) => number;
  /** The words that are counted; without them, nothing is known of terms that stand for several. */
  readonly words?: (field: string) => Iterable<string>;
}

/** The statistics of these documents, as if there were no others. */
export function statisticsOf(
  documents: readonly { readonly json: (field: string) => JsonValue | undefined }[],
  fields: readonly Field[],
): Statistics {
  const lengths = new Map<string, number>();
  const elementLengths = new Map<string, number>();
  const counts = new Map<string, Map<string, number>>();
  for (const field of fields.filter(isCounted)) {
    const { text: name } = field.name;
    const own = new Map<string, number>();
    let total = 0;
    let having = 0;
    let elements = 0;
    for (const document of documents) {
      const all = elementsIn(document, field);
      const words = wordsIn(all);
      elements += all.length;
      total += words.length;
      if (words.length > 0) having++;
      for (const word of new Set(words)) own.set(word, (own.get(word) ?? 0) + 1);
    }
    counts.set(name, own);
    if (having > 0) lengths.set(name, total / having);
    if (having > 0) elementLengths.set(name, total / elements);
  }
  return {
    documents: documents.length,
    averageLength: (field) => lengths.get(field),
    averageElementLength: (field) => elementLengths.get(field),
    documentsWith: (field, word) => counts.get(field)?.get(word) ?? 0,
    words: (field) => counts.get(field)?.keys() ?? [],
  };
}

/** Fields whose values are words. */
const isCounted = ({ isIndex, isAttribute, typeText, tensorType }: Field): boolean =>
  isIndex || (isAttribute && tensorType === undefined && /\b(?:string|tag|uri)\b/.test(typeText));

/** The statistics in a file of JSON: `{ "documents": 1000, "fields": { "title": { "averageLength": 6.5, "documents": { "chair": 12 } } } }` */
export function statisticsIn(json: JsonValue): Statistics | undefined {
  const documents = json.member("documents")?.number;
  const fields = json.member("fields");
  if (documents === undefined || fields?.kind !== "object") return undefined;
  return {
    documents,
    averageLength: (field) => fields.member(field)?.member("averageLength")?.number,
    averageElementLength: (field) => fields.member(field)?.member("averageElementLength")?.number,
    documentsWith: (field, word) => fields.member(field)?.member("documents")?.member(word)?.number ?? 0,
    words: (field) => {
      const counts = fields.member(field)?.member("documents");
      return counts?.kind === "object" ? Array.from(counts.entries(), ([word]) => word) : [];
    },
  };
}

/**
 * In how many documents an engine takes a term to be that is searched in these fields: as many as if no document had it in two
 * of them. Of equivalent terms, as of the one that is most frequent.
 */
function documentsWith({ pattern }: QueryTerm, fields: readonly Field[], statistics: Statistics): number {
  if (pattern.kind === "equivalent") {
    return pattern.terms.reduce((most, each) => Math.max(most, documentsWith(each, fields, statistics)), 0);
  }
  const sum = sumOf(fields, (field) => documentsIn(pattern, field, statistics));
  return Math.min(sum, statistics.documents);
}

/**
 * In how many documents a field matches: of a phrase, in no more than have its rarest word; of a term that stands for several
 * values, as many as if no document had two of them. An attribute without a dictionary may match in all.
 */
function documentsIn(
  pattern: Exclude<TermPattern, { kind: "equivalent" }>,
  field: Field,
  statistics: Statistics,
): number {
  if (!field.isIndex && !field.isFastSearch) return statistics.documents;
  const { text: name } = field.name;
  const count = (word: string): number => statistics.documentsWith(name, word);
  const atMost = (counts: readonly number[]): number =>
    Math.min(
      sumOf(counts, (each) => each),
      statistics.documents,
    );
  const ofWords = (isFound: (word: string) => boolean): number =>
    atMost([...(statistics.words?.(name) ?? [])].filter(isFound).map(count));
  switch (pattern.kind) {
    case "words": {
      return Math.min(least(termWords(pattern, field).map(count)), statistics.documents);
    }
    case "prefix":
    case "suffix":
    case "substring":
    case "regular":
    case "fuzzy":
      return ofWords(valueMatcher(pattern, field) ?? (() => false));
    case "weighted":
      return atMost(Array.from(pattern.weights.keys(), (value) => count(folded(value, field))));
    case "range":
      return pattern.least === pattern.most ? atMost([count(`${pattern.least}`)]) : 0;
    case "neighbours":
    case "product":
    case "unknown":
      return 0;
  }
}

const least = (counts: readonly number[]): number =>
  counts.length === 0 ? 0 : counts.reduce((a, b) => Math.min(a, b));

/** The size of the collection that all others are scaled to. */
const scale = 1_000_000;

/** How rare a term is, from 0.5 where all documents have it to 1 where one in a million does, unless the query says so. */
export function significanceOf(term: QueryTerm, fields: readonly Field[], statistics: Statistics): number {
  const { documentFrequency: { frequency, count } = {}, significance } = term;
  if (frequency !== undefined && count !== undefined) return significanceOfCount(frequency, count);
  if (significance !== undefined) return significance;
  const documents = fields.length === 0 ? 0 : statistics.documents;
  return significanceOfCount(documentsWith(term, fields, statistics), documents);
}

/** How rare a term is for BM25: by the logarithm of how many documents have it not, for one that has it. */
export function inverseDocumentFrequency(
  term: QueryTerm,
  fields: readonly Field[],
  statistics: Statistics,
): number {
  const { documentFrequency, significance } = term;
  if (documentFrequency === undefined && significance !== undefined) return significance;
  const having = documentFrequency?.frequency ?? documentsWith(term, fields, statistics);
  return rarity(having, documentFrequency?.count ?? statistics.documents);
}

/** Of so many documents that have a term: at least one of them has it, as it is there to be scored. */
export function rarity(having: number, documents: number): number {
  const all = Math.max(1, documents);
  const frequency = Math.min(Math.max(1, having), all);
  return Math.log(1 + (all - frequency + 0.5) / (frequency + 0.5));
}

function significanceOfCount(having: number, documents: number): number {
  if (documents === 0) return 0.5;
  const scaled = Math.min(Math.max(1, (having * scale) / documents), scale);
  return 0.5 + (0.5 * (Math.log(scale) - Math.log(scaled))) / Math.log(scale);
}
