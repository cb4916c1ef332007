import { featureListNames, phaseNames } from "../model/model.js";

/**
 * Which statements stand where, as Vespa 8.600 has them; where it is told what stands there, a newer one may be there too.
 * What is behind another name is found by `blockWithin`.
 */
// biome-ignore format: a table
export const statements = {
  "a schema": [
    "annotation", "constant", "document", "document-summary", "field", "fieldset", "import", "index", "model", "onnx-model", "rank-profile",
    "raw-as-base64-in-summary", "stemming", "struct",
  ],
  "a document": ["annotation", "field", "struct"],
  "a field": [
    "alias", "attribute", "bolding", "dictionary", "id", "index", "indexing", "indexing-rewrite", "linguistics", "match", "normalizing",
    "query-command", "rank", "rank-type", "sorting", "stemming", "struct-field", "summary", "summary-to", "weight", "weightedset",
  ],
  "a struct-field": ["attribute", "indexing", "match", "query-command", "rank", "struct-field", "summary", "summary-to"],
  "an attribute": [
    "alias", "distance-metric", "enable-bit-vectors", "enable-only-bit-vector", "fast-access", "fast-rank", "fast-search", "huge", "mutable",
    "paged", "quantization", "sorting",
  ],
  "an index": [
    "alias", "arity", "dense-posting-list-threshold", "enable-bm25", "hnsw", "lower-bound", "prefix", "stemming", "upper-bound",
  ],
  "hnsw":       ["max-links-per-node", "multi-threaded-indexing", "neighbors-to-explore-at-insert"],
  "sorting":    ["ascending", "descending", "function", "locale", "strength"],
  "dictionary": ["btree", "cased", "hash", "uncased"],
  "a match": [
    "cased", "exact", "exact-terminator", "gram", "gram-size", "max-length", "max-occurrences", "max-token-length", "prefix", "substring",
    "suffix", "text", "token", "uncased", "word",
  ],
  "a rank":         ["element-gap", "filter", "filter-threshold", "identity", "literal", "normal"],
  "a weightedset":  ["create-if-nonexistent", "remove-if-zero"],
  "a field set":    ["fields", "match", "query-command"],
  "a document-summary": ["from-disk", "omit-summary-features", "summary"],
  "a summary": [
    "always", "bolding", "dynamic", "full", "matched-elements-only", "select-elements-by", "source", "static", "to", "tokens",
  ],
  "a rank profile": [
    "approximate-threshold", "constant", "constants", "diversity", "exploration-slack", "filter-first-exploration", "filter-first-threshold",
    "filter-threshold", "function", "ignore-default-rank-features", "inputs", "macro", "match-phase", "min-hits-per-thread", "mutate",
    "num-search-partitions", "num-threads-per-search", "onnx-model", "post-filter-threshold", "prefetch-tensors", "rank", "rank-profile",
    "rank-properties", "rank-type", "significance", "strict", "target-hits-max-adjustment-factor", "termwise-limit", "weakand", "weight",
    ...phaseNames, ...featureListNames,
  ],
  "a phase": [
    "expression", "keep-rank-count", "rank-score-drop-limit", "rerank-count", "total-keep-rank-count", "total-rerank-count",
  ],
  "a function":   ["expression"],
  "match-phase": [
    "attribute", "diversity", "evaluation-point", "max-filter-coverage", "max-hits", "order", "pre-post-filter-tipping-point",
    "total-max-hits",
  ],
  "diversity":    ["attribute", "cutoff-factor", "cutoff-strategy", "min-groups"],
  "significance": ["use-model"],
  "weakand":      ["adjust-target", "allow-drop-all", "stopword-limit"],
  "an onnx-model": [
    "execution-mode", "file", "gpu-device", "input", "interop-threads", "intraop-threads", "output", "uri", "url",
  ],
} as const;

/** Where a statement stands, as a message calls it. */
export type StatementBlock = keyof typeof statements;

/** What stands in the braces of a statement, or behind its colon. */
// biome-ignore format: a table
const blocksWithin: Readonly<Partial<Record<string, StatementBlock>>> = {
  attribute: "an attribute", index: "an index", hnsw: "hnsw", sorting: "sorting", dictionary: "dictionary", match: "a match", rank: "a rank",
  weightedset: "a weightedset", fieldset: "a field set", "document-summary": "a document-summary", "match-phase": "match-phase",
  diversity: "diversity", significance: "significance", weakand: "weakand", "struct-field": "a struct-field",
};

/** The `attribute` of `match-phase` is a name, and no block of that name. */
const named: ReadonlySet<StatementBlock> = new Set<StatementBlock>(["match-phase", "diversity"]);

/** The block within a statement of another one. */
export function blockWithin(keyword: string, outer: StatementBlock): StatementBlock | undefined {
  if (keyword === "summary") return "a summary";
  if (keyword === "sorting" && outer === "a field") return undefined;
  return named.has(outer) && keyword !== "diversity" ? undefined : blocksWithin[keyword];
}
