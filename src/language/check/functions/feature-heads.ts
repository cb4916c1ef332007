/**
 * The words that the names of Vespa's rank features begin with. A call of one that nothing declares lacks its declaration; of any other word
 * it would be a function. What each of them is, the wing that reads rank profiles knows.
 */
// biome-ignore format: a list in groups
export const featureHeads = [
  "query", "attribute", "constant",
  "term", "queryTermCount", "fieldLength", "averageFieldLength", "queryTermDocumentFrequency", "fieldMatch",
  "textSimilarity", "fieldTermMatch", "matchCount", "matches", "termDistance", "fieldInfo", "termInfo",
  "termEditDistance", "terms", "proximity", "reverseProximity", "flowCompleteness", "jaroWinklerDistance",
  "elementCompleteness", "elementSimilarity", "subqueries", "matchPhaseLimit", "num_docs_indexed", "numDocs",
  "queryCompleteness", "countMatches", "termFieldMd",
  "attributeMatch", "closeness", "distance", "closest", "euclideanDistance", "great_circle_distance", "distanceToPath",
  "freshness", "age", "match",
  "bm25", "bm25_for_labels", "matches_for_labels", "elementwise", "nativeRank", "nativeFieldMatch", "nativeProximity",
  "nativeAttributeMatch", "nativeDotProduct", "rawScore", "itemRawScore", "dotProduct", "internalMaxReduceProdJoin",
  "firstPhase", "secondPhase", "firstPhaseRank", "firstPhaseMax", "relevanceScore",
  "globalSequence", "now", "random", "randomNormal", "randomNormalMatch", "debugWait", "debugAttributeWait",
  "randomNormalStable", "foreach", "value", "rankingExpression",
  "tensorFromWeightedSet", "tensorFromLabels", "tensorFromLabelsWithOffset", "tensorFromStructs", "tokenInputIds",
  "customTokenInputIds", "tokenTypeIds", "tokenAttentionMask",
  "onnx", "onnxModel", "onnx_vespa", "tensorflow", "tensorflow_vespa", "vespa", "xgboost", "lightgbm",
  "normalize_linear", "reciprocal_rank", "reciprocal_rank_fusion",
] as const;

/** One of these words. */
export type FeatureHead = (typeof featureHeads)[number];
