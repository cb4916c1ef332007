import { nearest } from "../../language/source/nearest.js";
import { problem } from "./messages.js";
import { featureListNames, phaseNames } from "./model.js";
import type { Reading } from "./reading.js";
import type * as Tree from "./syntax/tree.js";
import { settings } from "./syntax/words.js";

/** Where a statement stands, as a message calls it. */
export type StatementPlace = keyof typeof words;

/** All that Vespa has there: a word that is near to one of these is a slip, and any other may be newer than this list. */
// biome-ignore format: a table
const words = {
  "a schema": [
    ...settings.schema, "document", "field", "import", "constant", "onnx-model", "rank-profile", "model", "index", "stemming",
  ],
  "a document":     ["field", "struct", "annotation", "compression", "header", "body"],
  "a field": [
    ...settings.field, "indexing", "struct-field", "rank", "rank-type", "weight", "header", "body",
  ],
  "an attribute": [
    "alias", "fast-search", "fast-access", "fast-rank", "paged", "mutable", "sorting", "distance-metric", "enable-bit-vectors",
    "enable-only-bit-vector", "huge", "quantization",
  ],
  "an index": [
    "alias", "enable-bm25", "hnsw", "stemming", "prefix", "arity", "lower-bound", "upper-bound", "dense-posting-list-threshold",
    "max-links-per-node", "neighbors-to-explore-at-insert", "multi-threaded-indexing",
  ],
  "a rank profile": [
    ...settings.profile, "inputs", "constants", "constant", "function", "macro", "onnx-model", "rank-properties", "sort-features",
    "rank-profile", "ignore-default-rank-features", ...phaseNames, ...featureListNames,
  ],
  "a phase":        [...settings.phase, "expression"],
  "match-phase": [
    "attribute", "order", "max-hits", "total-max-hits", "max-filter-coverage", "evaluation-point", "pre-post-filter-tipping-point",
    "diversity",
  ],
  "diversity":      ["attribute", "min-groups", "cutoff-factor", "cutoff-strategy"],
  "a field set":    ["fields", "match", "query-command"],
  "a match": [
    "text", "word", "exact", "gram", "prefix", "substring", "suffix", "cased", "uncased", "exact-terminator", "gram-size",
    "max-length", "max-occurrences", "max-token-length",
  ],
  "a rank":         ["filter", "normal", "literal", "identity", "element-gap", "filter-threshold"],
  "an onnx-model":  [...settings.model, "file", "uri", "url", "input", "output"],
} as const;

/** Shorter words are near to too many others. */
const shortest = 5;

/** Unknown statements are skipped, but misspelt ones are reported. */
export function reportSlip({ keyword }: Tree.Detail, place: StatementPlace, { report }: Reading): void {
  const all: readonly string[] = words[place];
  if (keyword.text.length < shortest || all.includes(keyword.text)) return;
  const meant = nearest(keyword.text, all);
  if (meant !== undefined)
    report(problem("schema/keyword", keyword.span, { place, keyword: keyword.text, nearest: meant }));
}

/** What stands in the braces of settings, or behind their colons. */
const within: Readonly<Partial<Record<string, StatementPlace>>> = {
  ...{
    attribute: "an attribute",
    index: "an index",
    match: "a match",
    rank: "a rank",
    fieldset: "a field set",
  },
  ...{ "match-phase": "match-phase", diversity: "diversity" },
};

/** The misspelt statements among others, and in the settings that are there. */
export function reportSlips(
  items: Iterable<{ readonly kind: string } | Tree.Detail>,
  place: StatementPlace,
  reading: Reading,
): void {
  for (const each of items) {
    if (!isDetail(each)) continue;
    if (each.kind === "other") reportSlip(each, place, reading);
    const inner = each.kind === "setting" ? within[each.keyword.text] : undefined;
    if (inner !== undefined) for (const detail of each.details) reportSlip(detail, inner, reading);
  }
}

const isDetail = (item: { readonly kind: string } | Tree.Detail): item is Tree.Detail =>
  item.kind === "other" || item.kind === "setting";
