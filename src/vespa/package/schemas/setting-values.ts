import { nearest } from "../../../language/source/nearest.js";
import { textIn } from "../../../language/source/span.js";
import { problem } from "../model/messages.js";
import type { PhaseName } from "../model/model.js";
import type { Reading } from "../model/reading.js";
import type { SettingValues } from "../model/setting-messages.js";
import type * as Tree from "../syntax/tree.js";

/** Words that Vespa reads in upper case, too. */
const inAnyCase = new Set(["stemming", "rank-type"]);

const rankTypes = ["identity", "about", "tags", "empty", "default"] as const;

/** The settings of fields whose values Vespa's parser knows. */
// biome-ignore format: a table
const ofFields: Readonly<Record<string, SettingValues>> = {
  match:       ["text", "token", "word", "exact", "gram", "prefix", "substring", "suffix", "cased", "uncased"],
  rank:        ["filter", "normal", "literal"],
  "rank-type": rankTypes,
  stemming:    ["none", "best", "shortest", "multiple"],
  normalizing: ["none", "codepoint", "lowercase", "accent", "all"],
  bolding:     ["on", "off", "true", "false"],
  dictionary:  ["hash", "btree", "cased", "uncased"],
  sorting:     ["ascending", "descending", "function", "strength", "locale"],
  weight:      "a whole number",
  id:          "a whole number from 0",
  arity:       "a whole number",
  "gram-size":                      "a whole number",
  "max-length":                     "a whole number",
  "max-occurrences":                "a whole number",
  "max-token-length":               "a whole number",
  "dense-posting-list-threshold":   "a number with a point",
  "max-links-per-node":             "a whole number",
  "neighbors-to-explore-at-insert": "a whole number",
  "multi-threaded-indexing":        ["on", "off", "true", "false"],
};

/** The settings of rank profiles, those of fields too. */
// biome-ignore format: a table
const ofProfiles: Readonly<Record<string, SettingValues>> = {
  weight:                   "a whole number",
  "rank-type":              rankTypes,
  rank:                     ["filter"],
  strict:                   "true or false",
  "max-hits":               "a whole number",
  "total-max-hits":         "a whole number",
  "min-groups":             "a whole number",
  "element-gap":            "a whole number",
  "max-filter-coverage":    "a number with a point",
  "evaluation-point":       "a number with a point",
  "pre-post-filter-tipping-point": "a number with a point",
  "cutoff-factor":          "a number with a point",
  "stopword-limit":         "a number with a point",
  "adjust-target":          "a number with a point",
  "filter-threshold":       "a number with a point",
  "allow-drop-all":         "true or false",
  "use-model":              "true or false",
  "prefetch-tensors":       "true or false",
  "num-threads-per-search": "a whole number",
  "num-search-partitions":  "a whole number",
  "min-hits-per-thread":    "a whole number",
  "termwise-limit":         "a number with a point",
  "post-filter-threshold":  "a number with a point",
  "approximate-threshold":  "a number with a point",
  "filter-first-threshold": "a number with a point",
  "filter-first-exploration": "a number with a point",
  "exploration-slack":      "a number with a point",
  "target-hits-max-adjustment-factor": "a number with a point",
};

// biome-ignore format: a table
const ofPhases: Readonly<Record<string, SettingValues>> = {
  "keep-rank-count":        "a whole number",
  "total-keep-rank-count":  "a whole number",
  "rerank-count":           "a whole number",
  "total-rerank-count":     "a whole number",
  "rank-score-drop-limit":  "a number with a point",
};

/** In which phases Vespa has a setting of phases. */
const phasesOf: Readonly<Record<string, readonly PhaseName[]>> = {
  "keep-rank-count": ["first-phase"],
  "total-keep-rank-count": ["first-phase"],
  "rerank-count": ["second-phase", "global-phase"],
  "total-rerank-count": ["second-phase"],
};

/** Settings that hold others. */
const blocks = new Set([
  ...["index", "hnsw", "match", "match-phase", "diversity", "weakand", "rank", "significance"],
]);

const tables = { "a field": ofFields, "a rank profile": ofProfiles, "a phase": ofPhases };

/** What Vespa refuses of the values of settings: words that it has not, and numbers that are none. */
export function reportSettingValues(
  items: Iterable<{ readonly kind: string } | Tree.Detail>,
  block: keyof typeof tables,
  reading: Reading,
): void {
  const table = tables[block];
  for (const each of items) {
    if (isSetting(each) && blocks.has(each.keyword.text)) reportSettingValues(each.details, block, reading);
    if (!isSetting(each) || !/^[\w-]+(?:\s+[\w.$-]+)?\s*:/.test(textIn(each.span))) continue;
    const { text: setting } = each.keyword;
    const values = Object.hasOwn(table, setting) ? table[setting] : undefined;
    const value = wordBehindColon(each);
    if (values === undefined || value === undefined) continue;
    const { text, span } = value;
    if (isAmong(inAnyCase.has(setting) ? text.toLowerCase() : text, values)) continue;
    const meant = typeof values === "string" ? undefined : nearest(text, values);
    reading.report(problem("schema/setting", span, { setting, text, values, nearest: meant }));
  }
}

/** The word behind the colon of a setting. */
function wordBehindColon({ details: [value], span }: Tree.Detail): Tree.Detail["keyword"] | undefined {
  if (value !== undefined) return value.keyword;
  const [all = "", text = ""] = /^[\w-]+\s*:\s*([^\s{}]+)/.exec(textIn(span)) ?? [];
  const end = span.start + all.length;
  return text === "" ? undefined : { text, span: { ...span, start: end - text.length, end } };
}

/** Settings of phases that stand in a phase which has them not. */
export function reportForeignCounts(
  phase: PhaseName,
  items: readonly (Tree.ExpressionStatement | Tree.Detail)[],
  reading: Reading,
): void {
  for (const { keyword } of items) {
    const phases = Object.hasOwn(phasesOf, keyword.text) ? phasesOf[keyword.text] : undefined;
    if (phases?.includes(phase) === false)
      reading.report(problem("phase/setting", keyword.span, { setting: keyword.text, phase, phases }));
  }
}

const isSetting = (item: { readonly kind: string } | Tree.Detail): item is Tree.Detail =>
  item.kind === "setting" || item.kind === "other";

function isAmong(text: string, values: SettingValues): boolean {
  if (typeof values !== "string") return values.includes(text);
  if (values === "true or false") return text === "true" || text === "false";
  if (values === "a number with a point") return /^-?\d+\.\d+$/.test(text);
  if (!/^-?\d+$/.test(text) || Number(text) !== (Number(text) | 0)) return false;
  return values === "a whole number" || !text.startsWith("-");
}
