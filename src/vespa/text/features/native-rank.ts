import { type BoostTable, boostTable } from "../../package/model/boost-tables.js";
import { startingCount } from "../../package/model/engine-numbers.js";
import type { Field } from "../../package/model/model.js";
import {
  matchedLength,
  numberProperty,
  occurrences,
  searchedFields,
  significance,
  type TextDocument,
  type TextQuery,
  termsFor,
} from "../field-texts.js";
import { lengthIn, type Occurrence } from "../occurrences.js";
import type { QueryTerm } from "../queries/query-term.js";
import { sumOf } from "../sum.js";
import { termDistance } from "./term-distance.js";

/**
 * `nativeRank` and the three features that it is a mean of, by the formulas of Vespa's reference. Each is made for one query
 * and some fields, and then computes the value of document after document. Nothing where a boost table cannot be read.
 */
export type NativeFeature = (document: TextDocument) => number;

/** The names of boost tables, by feature and rank type; what a type does not say is as in `about`. */
type TableName =
  | "firstOccurrenceTable"
  | "occurrenceCountTable"
  | "proximityTable"
  | "reverseProximityTable"
  | "weightTable";

// biome-ignore format: a table
const about: Readonly<Record<TableName, string>> = {
  firstOccurrenceTable:  "expdecay(8000,12.50)",
  occurrenceCountTable:  "loggrowth(1500,4000,19)",
  proximityTable:        "expdecay(500,3)",
  reverseProximityTable: "expdecay(400,3)",
  weightTable:           "linear(1,0)",
};

const zero = "linear(0,0)";

// biome-ignore format: a table
const rankTypes: Readonly<Record<string, Readonly<Partial<Record<TableName, string>>>>> = {
  identity: { firstOccurrenceTable: "expdecay(100,12.50)", proximityTable: "expdecay(5000,3)", reverseProximityTable: "expdecay(3000,3)" },
  about:    {},
  tags:     { weightTable: "loggrowth(38,50,1)" },
  empty:    { firstOccurrenceTable: zero, occurrenceCountTable: zero, proximityTable: zero, reverseProximityTable: zero, weightTable: zero },
};

/** What a property of a feature is called, for one of its fields and for all, as they are asked. */
const keysOf = (feature: string, name: string, field: string): readonly string[] => [
  `${feature}.${name}.${field}`,
  `${feature}(${field}).${name}`,
  `${feature}.${name}`,
];

function tableOf(feature: string, name: TableName, field: Field, query: TextQuery): BoostTable | undefined {
  const [ofField = "", ...others] = keysOf(feature, name, field.name.text);
  const { type } = query.ranking(field.name.text);
  // Of an attribute it is the weights that a rank type is about, and of no other field; it need not be one that says anything.
  const isAbout = (name === "weightTable") === field.isAttribute && type !== "default";
  const ofType = type === undefined || !isAbout ? undefined : { ...about, ...rankTypes[type] }[name];
  const found = others.map((key) => query.property(key)).find((each) => each !== undefined);
  return boostTable(query.property(ofField) ?? ofType ?? found ?? about[name]);
}

/** By which a sum over tables is divided, unless the profile wants it as it is. */
function normalizer(query: TextQuery, greatest: number): number {
  return isNormalized(query) ? greatest || 1 : 1;
}

const isNormalized = ({ property }: TextQuery): boolean =>
  property("nativeRank.useTableNormalization") !== "false";

function weightOf({ name: { text: name } }: Field, query: TextQuery): number {
  const written = /^\s*(\d+)/.exec(query.property(`vespa.fieldweight.${name}`) ?? "")?.[1];
  return written === undefined ? query.ranking(name).weight : Number(written);
}

/** The fields that count: those with a weight, and those with an index only where they do more than filter. */
const counting = (fields: readonly Field[], query: TextQuery): readonly Field[] =>
  fields.filter(
    (each) => weightOf(each, query) !== 0 && !(each.isIndex && query.ranking(each.name.text).isFilter),
  );

/** How early and how often the terms are in the fields. */
export function nativeFieldMatch(all: readonly Field[], query: TextQuery): NativeFeature | undefined {
  const fields = counting(
    all.filter(({ isIndex }) => isIndex),
    query,
  );
  const matches = new Map<Field, FieldMatch>();
  for (const field of fields) {
    const match = fieldMatchIn(field, query);
    if (match === undefined) return undefined;
    matches.set(field, match);
  }
  const terms = matchedTerms(matches, query);
  const greatest = sumOf(
    terms,
    ({ own, importance }) => importance * sumOf(own, ({ field }) => weightOf(field, query)),
  );
  return (document) => {
    const score = sumOf(
      terms,
      ({ term, own, importance }) =>
        importance * sumOf(own, ({ field, match }) => match(occurrences(term, field, document))),
    );
    return greatest > 0 ? score / greatest : score;
  };
}

/** What the places where a term is found in one field are worth. */
type FieldMatch = (found: readonly Occurrence[]) => number;

/** The boosts for the first place in a field and for the number of places; nothing where a table cannot be read. */
function fieldMatchIn(field: Field, query: TextQuery): FieldMatch | undefined {
  const feature = "nativeFieldMatch";
  const first = tableOf(feature, "firstOccurrenceTable", field, query);
  const count = tableOf(feature, "occurrenceCountTable", field, query);
  if (first === undefined || count === undefined) return undefined;
  const { text: name } = field.name;
  const share = numberProperty(query, keysOf(feature, "firstOccurrenceImportance", name), 0.5);
  const divisor = normalizer(query, first.greatest * share + count.greatest * (1 - share));
  const lengthOf = boostedLength(name, query);
  return (found) => {
    const [earliest] = found;
    if (earliest === undefined) return 0;
    const length = lengthOf(found);
    const early = first.at(Math.trunc((earliest.position * (first.size - 1)) / Math.max(1, length - 1)));
    const often = count.at(Math.trunc((found.length * (count.size - 1)) / length));
    return ((early * share + often * (1 - share)) * weightOf(field, query)) / divisor;
  };
}

/** How long a field is taken to be: its average, if a rank property says it, and never very short. */
function boostedLength(name: string, query: TextQuery): (found: readonly Occurrence[]) => number {
  const feature = "nativeFieldMatch";
  const shortest = numberProperty(query, [`${feature}.minFieldLength`], 6, startingCount);
  const lengths = [`${feature}(${name}).averageFieldLength`, `${feature}.averageFieldLength.${name}`];
  const average = numberProperty(query, lengths, 0, startingCount);
  return (found) => Math.max(shortest, average > 0 ? average : matchedLength(found));
}

/** A term with a weight, and the fields that count of those that it is searched in. */
interface MatchedTerm {
  readonly term: QueryTerm;
  readonly own: readonly { readonly field: Field; readonly match: FieldMatch }[];
  readonly importance: number;
}

const matchedTerms = (matches: ReadonlyMap<Field, FieldMatch>, query: TextQuery): readonly MatchedTerm[] =>
  query.terms.flatMap((term) => {
    const own = searchedFields(term, query).flatMap((field) => {
      const match = matches.get(field);
      return match === undefined ? [] : [{ field, match }];
    });
    const importance = significance(term, query) * term.weight;
    return term.weight === 0 || own.length === 0 ? [] : [{ term, own, importance }];
  });

/** How near to each other pairs of terms are. */
export function nativeProximity(all: readonly Field[], query: TextQuery): NativeFeature | undefined {
  const feature = "nativeProximity";
  const window = numberProperty(query, [`${feature}.slidingWindowSize`], 4, startingCount);
  const fields = counting(
    all.filter(({ isIndex }) => isIndex),
    query,
  ).map((field) => ({ field, pairs: pairsOf(termsFor(field, query), window, query) }));
  const scores: { readonly weight: number; readonly of: NativeFeature }[] = [];
  for (const { field, pairs } of fields) {
    const forward = tableOf(feature, "proximityTable", field, query);
    const reverse = tableOf(feature, "reverseProximityTable", field, query);
    if (forward === undefined || reverse === undefined) return undefined;
    if (pairs.length === 0) continue;
    const share = numberProperty(query, keysOf(feature, "proximityImportance", field.name.text), 0.5);
    const divisor = normalizer(query, forward.greatest * share + reverse.greatest * (1 - share));
    const gap = elementGap(field, query);
    const greatest = sumOf(pairs, ({ weight }) => weight);
    const boost = (table: BoostTable, distance: number): number => table.at(Math.max(0, distance - 1));
    const of: NativeFeature = (document) => {
      const score = sumOf(pairs, ({ first, second, weight }) => {
        const [a, b] = [occurrences(first, field, document), occurrences(second, field, document)];
        const ahead = termDistance(a, b, lengthIn(first, field), gap);
        const back = termDistance(b, a, lengthIn(second, field), gap);
        const sum = boost(forward, ahead.distance) * share + boost(reverse, back.distance) * (1 - share);
        return (sum * weight) / divisor;
      });
      return greatest > 0 ? score / greatest : score;
    };
    scores.push({ weight: weightOf(field, query), of });
  }
  const total = sumOf(scores, ({ weight }) => weight);
  return (document) => (total > 0 ? sumOf(scores, ({ weight, of }) => weight * of(document)) / total : 0);
}

interface TermPair {
  readonly first: QueryTerm;
  readonly second: QueryTerm;
  readonly weight: number;
}

/** Terms that stand near each other in the query. */
function pairsOf(terms: readonly QueryTerm[], window: number, query: TextQuery): TermPair[] {
  const importance = (term: QueryTerm): number => significance(term, query) * term.weight;
  return terms.flatMap((first, at) =>
    terms.slice(at + 1, at + window).flatMap((second, offset): TermPair[] => {
      if (first.weight === 0 && second.weight === 0) return [];
      // As connected as the two that are least so, of those from the first to the second.
      const between = terms.slice(at + 1, at + offset + 2).map(({ connectedness }) => connectedness);
      const least = between.reduce((a, b) => Math.min(a, b), second.connectedness);
      const weight = (least / (offset + 1)) * (importance(first) + importance(second));
      return [{ first, second, weight }];
    }),
  );
}

function elementGap({ name: { text: name } }: Field, { property, ranking }: TextQuery): number | undefined {
  const text = property(`nativeProximity.elementGap.${name}`);
  if (text === undefined) return ranking(name).elementGap;
  return text === "infinity" ? undefined : startingCount(text);
}

/** How much the values weigh that attributes are found by. */
export function nativeAttributeMatch(all: readonly Field[], query: TextQuery): NativeFeature | undefined {
  const fields = new Map<Field, BoostTable>();
  for (const field of counting(
    all.filter(({ isAttribute, isIndex }) => isAttribute && !isIndex),
    query,
  )) {
    const table = tableOf("nativeAttributeMatch", "weightTable", field, query);
    if (table === undefined) return undefined;
    fields.set(field, table);
  }
  const searches = query.terms.flatMap((term) =>
    searchedFields(term, query).flatMap((field) => {
      const table = fields.get(field);
      return table === undefined || term.weight === 0
        ? []
        : [{ term, field, table, weight: weightOf(field, query) * term.weight }];
    }),
  );
  const total = sumOf(searches, ({ weight }) => weight);
  return (document) => {
    const score = sumOf(searches, ({ term, field, table, weight }) => {
      const [found] = occurrences(term, field, document);
      if (found === undefined) return 0;
      const boost = Math.sign(found.weight) * table.at(Math.trunc(Math.abs(found.weight)));
      return ((found.weight === 0 ? table.at(0) : boost) * weight) / normalizer(query, table.greatest);
    });
    return total > 0 ? score / total : 0;
  };
}

/** The mean of the three by their weights; a weight of 0 leaves one out. */
export function nativeRank(all: readonly Field[], query: TextQuery): NativeFeature | undefined {
  const weight = (name: string, otherwise: number): number =>
    numberProperty(query, [`nativeRank.${name}`], otherwise);
  const parts = [
    { make: nativeFieldMatch, weight: weight("fieldMatchWeight", 100) },
    { make: nativeProximity, weight: weight("proximityWeight", isNormalized(query) ? 25 : 100) },
    { make: nativeAttributeMatch, weight: weight("attributeMatchWeight", 100) },
  ];
  const made: { readonly of: NativeFeature; readonly weight: number }[] = [];
  for (const { make, weight } of parts) {
    if (weight === 0) continue;
    const of = make(all, query);
    if (of === undefined) return undefined;
    made.push({ of, weight });
  }
  const total = sumOf(parts, ({ weight }) => weight);
  return (document) => (total > 0 ? sumOf(made, ({ of, weight }) => of(document) * weight) / total : 0);
}
