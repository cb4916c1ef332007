import { leadingNumber } from "../../package/model/engine-numbers.js";
import type { Field } from "../../package/model/model.js";
import { attributeMatch } from "../../text/features/attribute-match.js";
import { elementCompleteness, elementSimilarity } from "../../text/features/element-features.js";
import { fieldMatch } from "../../text/features/field-match.js";
import { type MatchMetrics, matchOutputs } from "../../text/features/field-match-metrics.js";
import {
  type NativeFeature,
  nativeAttributeMatch,
  nativeFieldMatch,
  nativeProximity,
  nativeRank,
} from "../../text/features/native-rank.js";
import { far, termDistance } from "../../text/features/term-distance.js";
import { textSimilarity } from "../../text/features/text-similarity.js";
import {
  matchedLength,
  occurrences,
  searchedFields,
  significance,
  type TextDocument,
  type TextQuery,
  termsFor,
} from "../../text/field-texts.js";
import { lengthIn, type Occurrence } from "../../text/occurrences.js";
import type { QueryTerm } from "../../text/queries/query-term.js";
import { inverseDocumentFrequency } from "../../text/statistics.js";
import { sumOf } from "../../text/sum.js";
import { isKnownIn } from "../../text/value-patterns.js";
import { elementsIn, type FieldElement, wordsIn } from "../../text/words.js";
import type { Document } from "../document/document.js";
import { bm25Settings } from "./bm25.js";
import { elementBm25 } from "./element-bm25.js";
import { callIn, type FeatureCall } from "./feature-call.js";
import { external, ofDocument, ofQuery, type QueryContext, type Source } from "./feature-source.js";

/**
 * Features that follow from the words of a query and of a document. They are computed where statistics are handed in, which
 * says that words are what `wordsOf` makes of texts. What each is computed by is in the folder `text`.
 */

/** A feature of one field, for one query. */
interface FieldCall {
  readonly field: Field;
  readonly query: TextQuery;
  readonly call: FeatureCall;
}

/** What makes the value of document after document. */
type TextFormula = (document: TextDocument) => number;
type OfField = (call: FieldCall) => TextFormula | undefined;

/** The occurrences of each term that is searched in the field, with the term. */
interface FoundTerm {
  readonly term: QueryTerm;
  readonly found: readonly Occurrence[];
}

const foundTerms = ({ field, query }: FieldCall, document: TextDocument): FoundTerm[] =>
  termsFor(field, query).flatMap((term) => {
    const found = occurrences(term, field, document);
    return found.length === 0 ? [] : [{ term, found }];
  });

/** What is counted of the terms that are found. */
const ofFound =
  (compute: (found: readonly FoundTerm[], terms: readonly QueryTerm[]) => number): OfField =>
  (call) =>
  (document) =>
    compute(foundTerms(call, document), termsFor(call.field, call.query));

/** The term of the query with this number, if it is searched in the field. */
function termAt({ field, query, call }: FieldCall, at: number): QueryTerm | undefined {
  const term = query.terms[Number(call.arguments[at])];
  return term?.fields.includes(field.name.text) === true ? term : undefined;
}

/** What is counted of the occurrences of one term. */
const ofTerm =
  (compute: (found: readonly Occurrence[]) => number): OfField =>
  (call) => {
    const term = termAt(call, 1);
    return (document) => compute(term === undefined ? [] : occurrences(term, call.field, document));
  };

const positions = (found: readonly Occurrence[]): readonly number[] => found.map(({ position }) => position);
const least = (numbers: readonly number[], otherwise: number): number =>
  numbers.length === 0 ? otherwise : numbers.reduce((a, b) => Math.min(a, b));
const most = (numbers: readonly number[], otherwise: number): number =>
  numbers.length === 0 ? otherwise : numbers.reduce((a, b) => Math.max(a, b));
const matches: OfField = (call) =>
  call.call.arguments.length > 1
    ? ofTerm((found) => Number(found.length > 0))(call)
    : ofFound((found) => Number(found.length > 0))(call);

/** `queryCompleteness(f,0,5)`: terms that are found at these positions, the last of which is left out. */
const completeness =
  (compute: (hits: number, terms: number) => number): OfField =>
  (call) => {
    const [, from = "0", to = "Infinity"] = call.call.arguments;
    const isHit = ({ found }: FoundTerm): boolean => {
      const [first] = positions(found).filter((each) => each >= Number(from));
      return first !== undefined && first < Number(to);
    };
    return (document) =>
      compute(foundTerms(call, document).filter(isHit).length, termsFor(call.field, call.query).length);
  };

const distanceOutput =
  (isReversed: boolean, output: "distance" | "position"): OfField =>
  (call) => {
    const { field } = call;
    const [first, second] = isReversed
      ? [termAt(call, 2), termAt(call, 1)]
      : [termAt(call, 1), termAt(call, 2)];
    if (first === undefined || second === undefined) return () => far;
    return (document) =>
      termDistance(
        occurrences(first, field, document),
        occurrences(second, field, document),
        lengthIn(first, field),
      )[output];
  };

const matchOutput =
  (output: keyof MatchMetrics): OfField =>
  ({ field, query }) => {
    const compute = fieldMatch(field, query);
    return compute === undefined ? undefined : (document) => compute(document)?.[output] ?? 0;
  };

/** The outputs of features that compute all of them at once. */
function outputsOf<Output extends string>(
  names: readonly Output[],
  make: (field: Field, query: TextQuery) => (document: TextDocument) => Readonly<Record<Output, number>>,
): Readonly<Record<string, OfField>> {
  const of =
    (name: Output): OfField =>
    ({ field, query }) => {
      const compute = make(field, query);
      return (document) => compute(document)[name];
    };
  return Object.fromEntries(names.map((name): [string, OfField] => [name, of(name)]));
}

/** By feature and output: the value without an output is the first. */
// biome-ignore format: a table
const rows: Readonly<Record<string, Readonly<Record<string, OfField>>>> = {
  bm25:              { "": bm25 },
  matches:           { "": matches },
  matchCount:        { "": ofFound((found) => found.length) },
  countMatches:      { "": ofFound((found) => sumOf(found, (each) => each.found.length)) },
  fieldLength:       { "": ofFound((found) => most(found.map((each) => matchedLength(each.found)), far)) },
  queryCompleteness: { hit: completeness((hits) => hits), miss: completeness((hits, terms) => terms - hits) },
  fieldTermMatch: {
    firstPosition:   ofTerm((found) => least(positions(found), far)),
    lastPosition:    ofTerm((found) => most(positions(found), far)),
    occurrences:     ofTerm((found) => found.length),
    weight:          ofTerm((found) => sumOf(found, ({ weight }) => weight)),
    exactness:       ofTerm((found) => Number(found.length > 0)),
  },
  termFieldMd: {
    "":              ofFound((found) => sumOf(found, weightOf)),
    terms:           ofFound((_, terms) => terms.length),
    match:           ofFound((found) => Number(found.length > 0)),
    termsmatched:    ofFound((found) => found.length),
    firstweight:     ofFound((found) => (found[0] === undefined ? 0 : weightOf(found[0]))),
    occurrences:     ofFound((found) => sumOf(found, (each) => each.found.length)),
    maxTermWeight:   ofFound((found) => most(found.map(({ term }) => term.weight), 0)),
  },
  termDistance: {
    forward:             distanceOutput(false, "distance"),
    forwardTermPosition: distanceOutput(false, "position"),
    reverse:             distanceOutput(true, "distance"),
    reverseTermPosition: distanceOutput(true, "position"),
  },
  fieldMatch:        Object.fromEntries([["", matchOutput("score")], ...matchOutputs.map((each): [string, OfField] => [each, matchOutput(each)])]),
  textSimilarity:    outputsOf(["score", "proximity", "order", "queryCoverage", "fieldCoverage"], textSimilarity),
  elementCompleteness: outputsOf(["completeness", "fieldCompleteness", "queryCompleteness", "elementWeight"], elementCompleteness),
  attributeMatch:    outputsOf(
    ["completeness", "queryCompleteness", "fieldCompleteness", "normalizedWeight", "normalizedWeightedWeight", "weight",
     "significance", "importance", "matches", "totalWeight", "averageWeight", "maxWeight"],
    attributeMatch),
};

/** The weight of the element that a term is found in first. */
const weightOf = ({ found }: FoundTerm): number => found[0]?.weight ?? 0;

/** Features of several fields, or of all. */
// biome-ignore format: a table
const ofFields: Readonly<Record<string, (fields: readonly Field[], query: TextQuery) => NativeFeature | undefined>> = {
  nativeRank, nativeFieldMatch, nativeProximity, nativeAttributeMatch,
};

/** The features that need no document. */
// biome-ignore format: a table
const queryRows: Readonly<Record<string, (query: TextQuery, call: FeatureCall) => number | undefined>> = {
  queryTermCount:     ({ terms }) => terms.length,
  num_docs_indexed:   ({ statistics }) => statistics.documents,
  numDocs:            ({ statistics }) => statistics.documents,
  averageFieldLength: ({ statistics }, { arguments: [field = ""] }) => statistics.averageLength(field),
  term:               termOutput,
};

function termOutput(query: TextQuery, { arguments: [number], output }: FeatureCall): number | undefined {
  const term = query.terms[Number(number)];
  if (output === "significance") return term === undefined ? 0 : significance(term, query);
  if (output === "weight") return term?.weight ?? 0;
  return output === undefined || output === "connectedness" ? (term?.connectedness ?? 0) : undefined;
}

/** The sum over the terms of how rare each is times how often it occurs, which counts less and less. */
function bm25({ field, query, call }: FieldCall): TextFormula {
  const { statistics, property } = query;
  const { text: name } = field.name;
  const { k1, b } = bm25Settings(call, property);
  const declared = leadingNumber(property(`bm25(${name}).averageFieldLength`) ?? "");
  const average = declared ?? statistics.averageLength(name);
  const terms = termsFor(field, query).map((term) => ({
    term,
    rarity: inverseDocumentFrequency(term, searchedFields(term, query), statistics),
  }));
  return (document) => {
    const { length } = wordsIn(document.elements(field));
    const relative = k1 * (1 - b + (b * length) / (average ?? length));
    return sumOf(terms, ({ term, rarity }) => {
      const { length: count } = occurrences(term, field, document);
      return count === 0 ? 0 : (rarity * count * (k1 + 1)) / (count + relative);
    });
  };
}

/** The names of the features that are computed from words. */
export const textFeatures: readonly string[] = [
  ...[rows, ofFields, queryRows].flatMap((each) => Object.keys(each)),
  ...["elementSimilarity", "elementwise"],
];

/** Features that ask how rare all terms are, wherever these are searched. */
const ofAllTerms = new Set(["fieldMatch", "attributeMatch"]);
/** Those that ask how rare the terms of their fields are. */
const ofRareTerms = new Set(["bm25", "nativeRank", "nativeFieldMatch", "nativeProximity"]);

/** Whether it can be told where the terms are found that a feature is about, and how rare they are. */
function areKnown({ head, arguments: names, output }: FeatureCall, query: TextQuery): boolean {
  if (head === "term") {
    const term = output === "significance" ? query.terms[Number(names[0])] : undefined;
    return term === undefined || isRarityKnown(term, query);
  }
  if (Object.hasOwn(queryRows, head)) return true;
  const isAbout = (field: Field): boolean => names.length === 0 || names.includes(field.name.text);
  return query.terms.every((term) => {
    const fields = searchedFields(term, query).filter(isAbout);
    const asksRarity = ofAllTerms.has(head) || (ofRareTerms.has(head) && fields.length > 0);
    return fields.every((each) => isKnownIn(term, each)) && (!asksRarity || isRarityKnown(term, query));
  });
}

const isRarityKnown = (term: QueryTerm, query: TextQuery): boolean =>
  term.significance !== undefined ||
  term.documentFrequency !== undefined ||
  searchedFields(term, query).every((each) => isKnownIn(term, each));

/** How a feature of words gets its value; nothing where it is none. */
export function textSource(call: FeatureCall, context: QueryContext): Source | undefined {
  if (!textFeatures.includes(call.head)) return undefined;
  const { terms, statistics } = context;
  if (statistics === undefined) return external("words");
  if (terms === undefined) return external("unknown terms");
  const query: TextQuery = {
    ...{ terms, statistics, fields: context.fields },
    ranking: (field) => context.ranking(field),
    property: (key) => context.property(key),
  };
  const inner = call.head === "elementwise" ? callIn(call.arguments[0] ?? "") : undefined;
  if (!areKnown(inner ?? call, query)) return external("unknown terms");
  if (call.head === "elementwise") {
    const field = inner?.head === "bm25" ? query.fields.get(inner.arguments[0] ?? "") : undefined;
    return field === undefined ? undefined : elementBm25(call, field, query, wordsOfDocument);
  }
  const whole = Object.hasOwn(queryRows, call.head) ? queryRows[call.head]?.(query, call) : undefined;
  if (whole !== undefined) return ofQuery(whole);
  const compute = ofFields[call.head] === undefined ? ofOneField(call, query) : ofMany(call, query);
  if (compute === undefined) return external("unknown output");
  return ofDocument(fieldsOf(call, query), (document) => compute(wordsOfDocument(document)));
}

/** The fields of a document that a feature looks into: its own, or of several those in which terms are searched. */
function fieldsOf({ head, arguments: names }: FeatureCall, { terms, fields }: TextQuery): readonly string[] {
  if (ofFields[head] === undefined) return names.slice(0, 1);
  const searched = new Set(terms.flatMap((each) => each.fields));
  const own = names.length === 0 ? [...fields.keys()] : names;
  return own.filter((each) => searched.has(each));
}

function ofOneField(call: FeatureCall, query: TextQuery): TextFormula | undefined {
  const field = query.fields.get(call.arguments[0] ?? "");
  if (field === undefined) return undefined;
  // Its outputs are those that the rank profile names.
  if (call.head === "elementSimilarity") return elementSimilarity(field, query, call.output ?? "default");
  const outputs = Object.hasOwn(rows, call.head) ? rows[call.head] : undefined;
  const [plain] = Object.values(outputs ?? {});
  const make = call.output === undefined ? plain : outputs?.[call.output];
  return make?.({ field, query, call });
}

function ofMany({ head, arguments: names, output }: FeatureCall, query: TextQuery): TextFormula | undefined {
  const fields =
    names.length === 0 ? [...query.fields.values()] : names.flatMap((name) => query.fields.get(name) ?? []);
  return output === undefined ? ofFields[head]?.(fields, query) : undefined;
}

/** The words of a document are found once for all features. */
const texts = new WeakMap<Document, TextDocument>();

function wordsOfDocument(document: Document): TextDocument {
  const cached = texts.get(document);
  if (cached !== undefined) return cached;
  const fields = new Map<Field, readonly FieldElement[]>();
  const elements = (field: Field): readonly FieldElement[] => {
    const found = fields.get(field) ?? elementsIn(document, field);
    fields.set(field, found);
    return found;
  };
  const words = { elements };
  texts.set(document, words);
  return words;
}
