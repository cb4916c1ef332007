import { nearest } from "../../language/source/nearest.js";
import { problem } from "./messages.js";
import { featureListNames, phaseNames } from "./model.js";
import type { Reading } from "./reading.js";
import type * as Tree from "./syntax/tree.js";
import { settings } from "./syntax/words.js";
import { textOf } from "./text.js";

/** Where a statement stands, as a message calls it. */
export type StatementPlace = keyof typeof words;

/** All that Vespa has there: a word that is near to one of these is a slip, and any other may be newer than this list. */
// biome-ignore format: a table
const words = {
  "a schema": [
    ...settings.schema, "document", "field", "import", "constant", "onnx-model", "rank-profile", "model", "index", "stemming",
  ],
  "a document":     ["field", "struct", "annotation"],
  "a field": [
    ...settings.field, "indexing", "struct-field", "rank", "rank-type", "weight",
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
  "a function":     ["expression"],
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

/** Unknown statements are stepped over, which is told; with what is meant where they are misspelt. */
export function reportSlip({ keyword }: Tree.Detail, place: StatementPlace, { report }: Reading): void {
  const all: readonly string[] = words[place];
  if (all.includes(keyword.text)) return;
  const meant = keyword.text.length < shortest ? undefined : nearest(keyword.text, all);
  if (meant !== undefined)
    report(problem("schema/keyword", keyword.span, { place, keyword: keyword.text, nearest: meant }));
  else if (isWhole.has(place) && /^[A-Za-z][\w-]*$/.test(keyword.text))
    report(problem("schema/unread", keyword.span, { place, keyword: keyword.text }));
}

/** Places of which all statements are known. */
const isWhole = new Set<StatementPlace>([
  "a schema",
  "a document",
  "a field",
  "a rank profile",
  "a phase",
  "a function",
]);

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
    // What stands behind the colon of these is an error of its own.
    const isOneWord = isMatchOrRank(each.keyword.text) && !textOf(each.span).includes("{");
    if (inner === undefined || isOneWord) continue;
    for (const detail of each.details) reportSlip(detail, inner, reading);
  }
}

const isMatchOrRank = (keyword: string): boolean => keyword === "match" || keyword === "rank";

const isDetail = (item: { readonly kind: string } | Tree.Detail): item is Tree.Detail =>
  item.kind === "other" || item.kind === "setting";
