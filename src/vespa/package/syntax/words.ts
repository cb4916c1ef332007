/** The words of schemas. Each of them is a name as well, wherever a name may stand. */

/** Words that begin, or are part of, statements with a rule of their own in schema.ebnf. */
// biome-ignore format: a table
export const keywords = [
  "schema", "search", "document", "inherits", "field", "type", "struct-field", "indexing", "import", "as",
  "constant", "constants", "file", "value", "onnx-model", "input", "output",
  "rank-profile", "model", "inputs", "query", "function", "macro", "inline",
  "first-phase", "second-phase", "global-phase", "expression",
  "match-features", "summary-features", "rank-features", "sort-features", "rank-properties",
] as const;
export type Keyword = (typeof keywords)[number];

/** Words before a value, a list of them or a block: `stemming: none`, `index { … }`. The keys say where they stand. */
// biome-ignore format: a table
export const settings = {
  schema: [
    "struct", "annotation", "fieldset", "document-summary", "raw-as-base64-in-summary",
  ],
  field: [
    "alias", "attribute", "bolding", "dictionary", "hnsw", "id", "index", "indexing-rewrite", "linguistics", "match", "normalizing",
    "query-command", "sorting", "stemming", "summary", "summary-to", "weightedset",
    "arity", "dense-posting-list-threshold", "distance-metric", "lower-bound", "upper-bound",
    "max-links-per-node", "multi-threaded-indexing", "neighbors-to-explore-at-insert",
  ],
  profile: [
    "approximate-threshold", "diversity", "exploration-slack", "filter-first-exploration", "filter-first-threshold",
    "filter-threshold", "match-phase", "min-hits-per-thread", "mutate", "num-search-partitions", "num-threads-per-search",
    "post-filter-threshold", "prefetch-tensors", "rank", "rank-type", "significance", "strict",
    "target-hits-max-adjustment-factor", "termwise-limit", "use-model", "weakand", "weight",
  ],
  phase: [
    "keep-rank-count", "rank-score-drop-limit", "rerank-count", "total-keep-rank-count", "total-rerank-count",
  ],
  model: ["execution-mode", "gpu-device", "interop-threads", "intraop-threads"],
} as const;

/** Words that say all that they say alone. */
// biome-ignore format: a table
export const flags = [
  "enable-bit-vectors", "enable-bm25", "enable-only-bit-vector", "fast-access", "fast-rank", "fast-search", "from-disk",
  "ignore-default-rank-features", "mutable", "omit-summary-features", "paged", "prefix",
] as const;
