import type { FeatureHead } from "../../../language/check/functions/feature-heads.js";
import type { FieldKind } from "../model/expression-messages.js";
import type { Availability } from "../model/messages.js";

/**
 * The rank features that Vespa's content nodes and containers know: what their arguments are, which outputs they have,
 * and in which phases. Almost all are numbers; those that are tensors have their types worked out in `feature-types.ts`.
 */

/** What an argument is: a field, a whole number, a word without meaning here, or a feature. */
export type ArgumentKind = FieldKind | "number" | "word" | "feature";

export interface RankFeature {
  readonly arguments: readonly ArgumentKind[];
  /** How many must be there; all unless given. */
  readonly least?: number;
  /** Whether the last one may be repeated. */
  readonly repeats?: boolean;
  /** Outputs beside the plain value; `any` where configuration or a model decides. */
  readonly outputs?: readonly string[] | "any";
  /** What the plain value is called where it is asked for as an output: `bm25(f)` is `bm25(f).score`. */
  readonly plain?: string;
  /** What the value is. `computed` in `feature-types.ts`; `untyped` where only a model knows. */
  readonly value?: "computed" | "untyped";
  /** The phases in which there is none, and where it is known. */
  readonly absent?: readonly string[];
  readonly where?: Availability;
}

/** What an argument of a feature is, by its place: where the last one may be repeated, those behind it are as it. */
export const argumentKind = ({ arguments: kinds }: RankFeature, at: number): ArgumentKind =>
  kinds[Math.min(at, kinds.length - 1)] ?? "word";

export const isFieldKind = (kind: ArgumentKind): kind is FieldKind =>
  kind !== "number" && kind !== "word" && kind !== "feature";

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

const fieldMatchOutputs =
  list(`proximity completeness queryCompleteness fieldCompleteness orderness relatedness
  earliness longestSequenceRatio segmentProximity unweightedProximity absoluteProximity occurrence absoluteOccurrence
  weightedOccurrence weightedAbsoluteOccurrence significantOccurrence weight significance importance segments matches
  degradedMatches outOfOrder gaps gapLength longestSequence head tail segmentDistance`);
const attributeMatchOutputs = list(`completeness queryCompleteness fieldCompleteness normalizedWeight
  normalizedWeightedWeight weight significance importance matches totalWeight averageWeight maxWeight`);
const similarityOutputs = list("score proximity order queryCoverage fieldCoverage weight");

const inGlobal = {
  absent: ["first-phase", "second-phase", "match-features", "summary-features", "rank-features"],
  where: "global-phase",
} as const;

// biome-ignore format: a table
const rows: Readonly<Record<FeatureHead, RankFeature>> = {
  query:                   { arguments: ["word"],                                          value: "computed" },
  attribute:               { arguments: ["attribute", "word"], plain: "value", least: 1, outputs: ["weight", "contains", "count"], value: "computed" },
  constant:                { arguments: ["word"],                                          value: "computed" },

  term:                    { arguments: ["number"],            outputs: list("significance weight connectedness") },
  queryTermCount:          { arguments: [], plain: "out" },
  fieldLength:             { arguments: ["index field of one value"], plain: "out" },
  averageFieldLength:      { arguments: ["field"] },
  queryTermDocumentFrequency: { arguments: ["field"],                                      value: "untyped" },
  fieldMatch:              { arguments: ["index field of one value"], plain: "score", outputs: fieldMatchOutputs },
  textSimilarity:          { arguments: ["index field of one value"],             outputs: similarityOutputs },
  fieldTermMatch:          { arguments: ["field", "number"],   outputs: list("firstPosition lastPosition occurrences weight exactness") },
  matchCount:              { arguments: ["field"], plain: "out", least: 0 },
  matches:                 { arguments: ["field", "number"], plain: "out", least: 1 },
  termDistance:            { arguments: ["index field", "number", "number"], outputs: list("forward forwardTermPosition reverse reverseTermPosition") },
  fieldInfo:               { arguments: ["field"], least: 0,   outputs: "any" },
  termInfo:                { arguments: ["number"],            outputs: "any" },
  termEditDistance:        { arguments: ["field"],             outputs: "any" },
  terms:                   { arguments: ["word"], least: 0, repeats: true, outputs: "any" },
  proximity:               { arguments: ["field", "number", "number"], outputs: "any" },
  reverseProximity:        { arguments: ["field", "number", "number"], outputs: "any" },
  flowCompleteness:        { arguments: ["field"],             outputs: "any" },
  jaroWinklerDistance:     { arguments: ["field"],             outputs: "any" },
  elementCompleteness:     { arguments: ["index field"],             outputs: list("completeness fieldCompleteness queryCompleteness elementWeight") },
  elementSimilarity:       { arguments: ["index field"],             outputs: "any" },
  subqueries:              { arguments: ["field"],             outputs: "any" },
  matchPhaseLimit:         { arguments: [] },
  num_docs_indexed:        { arguments: [], plain: "out" },
  numDocs:                 { arguments: [], plain: "out" },
  queryCompleteness:       { arguments: ["field", "number", "number"], least: 1, outputs: list("hit miss") },
  countMatches:            { arguments: ["field"], plain: "out" },
  termFieldMd:             { arguments: ["field"], plain: "score", outputs: list("terms match termsmatched firstweight occurrences maxTermWeight") },

  attributeMatch:          { arguments: ["attribute without index"],         outputs: attributeMatchOutputs },
  closeness:               { arguments: ["word", "word"], plain: "out", least: 1, outputs: ["logscale"], value: "computed" },
  distance:                { arguments: ["word", "word"], plain: "out", least: 1, outputs: list("km index latitude longitude logscale"), value: "computed" },
  closest:                 { arguments: ["attribute", "word"], least: 1,                   value: "computed" },
  euclideanDistance:       { arguments: ["attribute", "word"], plain: "distance" },
  great_circle_distance:   { arguments: ["word", "word"], plain: "km", least: 1, outputs: list("latitude longitude") },
  distanceToPath:          { arguments: ["attribute"],         outputs: list("distance traveled product") },
  freshness:               { arguments: ["attribute of no tensor"], plain: "out", outputs: ["logscale"] },
  age:                     { arguments: ["attribute"], plain: "out" },
  match:                   { arguments: [],                    outputs: "any" },

  bm25:                    { arguments: ["index field"], plain: "score",                         value: "computed" },
  bm25_for_labels:         { arguments: ["field"],                                         value: "computed" },
  matches_for_labels:      { arguments: ["field"], least: 0,                               value: "computed" },
  elementwise:             { arguments: ["feature", "word", "word"], least: 2,             value: "computed" },
  nativeRank:              { arguments: ["field"], plain: "score", least: 0, repeats: true },
  nativeFieldMatch:        { arguments: ["field"], plain: "score", least: 0, repeats: true },
  nativeProximity:         { arguments: ["field"], plain: "score", least: 0, repeats: true },
  nativeAttributeMatch:    { arguments: ["field"], plain: "score", least: 0, repeats: true },
  nativeDotProduct:        { arguments: ["field"], least: 0 },
  rawScore:                { arguments: ["field"], plain: "out" },
  itemRawScore:            { arguments: ["word"], plain: "out" },
  dotProduct:              { arguments: ["attribute of no tensor", "word"], plain: "scalar" },
  internalMaxReduceProdJoin: { arguments: ["attribute", "word"] },

  firstPhase:              { arguments: [], plain: "score", absent: ["first-phase"],                       where: "after first-phase" },
  secondPhase:             { arguments: [], plain: "score", absent: ["first-phase", "second-phase"],       where: "after second-phase" },
  firstPhaseRank:          { arguments: [], absent: ["first-phase"],                       where: "after first-phase" },
  firstPhaseMax:           { arguments: [], absent: ["first-phase"],                       where: "after first-phase" },
  relevanceScore:          { arguments: [], absent: ["first-phase", "second-phase"],       where: "after content nodes" },

  globalSequence:          { arguments: [], plain: "out" },
  now:                     { arguments: [], plain: "out" },
  random:                  { arguments: ["word"], plain: "out", least: 0,    outputs: ["match"] },
  randomNormal:            { arguments: ["word", "word", "word"], least: 0 },
  randomNormalMatch:       { arguments: ["word", "word", "word"], least: 0 },
  debugWait:               { arguments: ["number", "number"], plain: "out" },
  debugAttributeWait:      { arguments: ["attribute", "number"], plain: "out" },
  randomNormalStable:      { arguments: ["word", "word", "word"], least: 0 },
  foreach:                 { arguments: ["word", "word", "word", "word", "word"], plain: "value", value: "computed" },
  value:                   { arguments: ["number"], repeats: true, outputs: "any" },
  rankingExpression:       { arguments: ["word"], least: 0,                                value: "computed" },

  tensorFromWeightedSet:   { arguments: ["feature", "word"], plain: "tensor", least: 1,                     value: "computed" },
  tensorFromLabels:        { arguments: ["feature", "word"], plain: "tensor", least: 1,                     value: "computed" },
  tensorFromLabelsWithOffset: { arguments: ["feature", "word", "word"], least: 1, repeats: true, value: "untyped" },
  tensorFromStructs:       { arguments: ["feature", "word", "word", "word"], plain: "tensor", repeats: true, value: "computed" },
  tokenInputIds:           { arguments: ["number", "feature"], repeats: true,              value: "computed" },
  customTokenInputIds:     { arguments: ["number", "number", "number", "feature"], repeats: true, value: "computed" },
  tokenTypeIds:            { arguments: ["number", "feature"], repeats: true,              value: "computed" },
  tokenAttentionMask:      { arguments: ["number", "feature"], repeats: true,              value: "computed" },

  onnx:                    { arguments: ["word", "word", "word"], least: 1,              outputs: "any",             value: "computed" },
  onnxModel:               { arguments: ["word", "word", "word"], least: 1,              outputs: "any",             value: "computed" },
  onnx_vespa:              { arguments: ["word", "word", "word"], least: 1,              outputs: "any",             value: "untyped" },
  tensorflow:              { arguments: ["word"], repeats: true, outputs: "any",           value: "untyped" },
  tensorflow_vespa:        { arguments: ["word"], repeats: true, outputs: "any",           value: "untyped" },
  vespa:                   { arguments: ["word"], repeats: true, outputs: "any",           value: "untyped" },
  xgboost:                 { arguments: ["word"], repeats: true,                           value: "computed" },
  lightgbm:                { arguments: ["word"], repeats: true,                           value: "computed" },

  normalize_linear:        { arguments: ["feature"],           ...inGlobal,                value: "computed" },
  reciprocal_rank:         { arguments: ["feature", "number"], least: 1, ...inGlobal,      value: "computed" },
  reciprocal_rank_fusion:  { arguments: ["feature", "feature"], repeats: true, ...inGlobal, value: "computed" },
};

/** The features by the words that their names begin with. */
export const rankFeatures: Readonly<Record<string, RankFeature>> = rows;
