import type { Report } from "../../../language/source/problem.js";
import { type Span, textIn } from "../../../language/source/span.js";
import { problem } from "../model/messages.js";
import type { Field, RankProfile } from "../model/model.js";
import { settingOfField } from "../schemas/fields/field-ranking.js";
import type { Detail } from "../syntax/tree.js";
import type { Ancestry } from "./conflicts.js";

/** What Vespa refuses of the settings of one rank profile: those that are there twice, beyond their range, or at odds. */
export function reportRefusedSettings(
  own: RankProfile,
  fields: { readonly all: ReadonlyMap<string, Field>; readonly isPartial: boolean },
  ancestry: Ancestry,
  report: Report,
): void {
  settingsTwice(own, report);
  fieldSettingsTwice(own, report);
  bothCounts(own, ancestry, report);
  for (const setting of own.settings) {
    outsideRange(setting, report);
    mostHits(setting, report);
    order(setting, report);
    lacking(setting, report);
    if (setting.keyword.text === "diversity") diversityAttribute(setting, fields, report);
  }
}

/** Settings that a profile may have once; those of fields are many. */
const once = new Set([
  ...[
    "match-phase",
    "diversity",
    "strict",
    "termwise-limit",
    "post-filter-threshold",
    "approximate-threshold",
  ],
  ...["min-hits-per-thread", "num-search-partitions", "num-threads-per-search", "filter-first-threshold"],
  ...[
    "filter-first-exploration",
    "exploration-slack",
    "target-hits-max-adjustment-factor",
    "filter-threshold",
  ],
]);

function settingsTwice({ settings }: RankProfile, report: Report): void {
  const first = new Map<string, Span>();
  for (const { keyword } of settings) {
    const before = first.get(keyword.text);
    if (!once.has(keyword.text)) continue;
    if (before === undefined) first.set(keyword.text, keyword.span);
    else {
      const related = [{ span: before, label: "the first" }];
      report(problem("schema/duplicate", keyword.span, { what: "setting", name: keyword.text }, related));
    }
  }
}

/** Of a field, a rank type and a threshold may be there once; so may a weight, but not behind a rank type. */
function fieldSettingsTwice({ settings }: RankProfile, report: Report): void {
  const first = new Map<string, Span>();
  for (const each of settings) {
    const { keyword, field } = settingOfField(each) ?? {};
    const inner = each.details.map(({ keyword: { text } }) => text);
    const name =
      keyword === "rank" ? (inner.includes("filter-threshold") ? "filter-threshold" : undefined) : keyword;
    const typed = keyword === "weight" && field !== undefined ? first.get(`rank-type ${field}`) : undefined;
    if (typed !== undefined && field !== undefined) {
      const related = [{ span: typed, label: "the rank-type" }];
      report(problem("phase/weight", each.keyword.span, { field }, related));
    }
    if (name !== "rank-type" && name !== "filter-threshold") continue;
    const before = first.get(`${name} ${field}`);
    first.set(`${name} ${field}`, before ?? each.keyword.span);
    if (before === undefined) continue;
    const related = [{ span: before, label: "the first" }];
    report(
      problem(
        "schema/duplicate",
        each.keyword.span,
        { what: "setting", name: `${name} of ${field}` },
        related,
      ),
    );
  }
}

/** Settings that are a part of something, from 0 to 1; the last two are of `weakand`. */
const parts = new Set(["filter-threshold", "stopword-limit", "adjust-target"]);

function outsideRange(setting: Detail, report: Report): void {
  for (const each of [setting, ...setting.details]) {
    const { text: name, span } = each.keyword;
    if (!parts.has(name)) continue;
    const text = valueText(each);
    const number = Number(text);
    if (number < 0 || number > 1)
      report(problem("phase/range", each.details[0]?.keyword.span ?? span, { setting: name, text }));
  }
}

/** Of the hits that `match-phase` takes, one number is of each node, and the other of all. */
function mostHits({ keyword, details }: Detail, report: Report): void {
  if (keyword.text !== "match-phase") return;
  const [one, other] = ["max-hits", "total-max-hits"];
  const found = details.filter((each) => each.keyword.text === one || each.keyword.text === other);
  const [first] = found;
  const second = found.find((each) => each.keyword.text !== first?.keyword.text);
  if (second !== undefined) report(problem("phase/both", second.keyword.span, { one, other }));
}

function order({ keyword, details }: Detail, report: Report): void {
  if (keyword.text !== "match-phase") return;
  for (const each of details.filter(({ keyword: { text } }) => text === "order")) {
    const text = valueText(each);
    if (text !== "ascending" && text !== "descending") report(problem("phase/order", each.span, { text }));
  }
}

/** Of a setting that is only stepped over, the text is all that there is. */
const valueText = ({ keyword, span, details: [value] }: Detail): string =>
  value?.keyword.text ?? textIn(span).slice(keyword.text.length).replace(/^\s*:/, "").trim();

/** What settings cannot be without: one of each list. */
const needed: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "match-phase": [["attribute"], ["max-hits", "total-max-hits"]],
  diversity: [["attribute"], ["min-groups"]],
};

function lacking({ keyword, details }: Detail, report: Report): void {
  for (const names of (Object.hasOwn(needed, keyword.text) ? needed[keyword.text] : undefined) ?? [])
    if (!details.some((each) => names.includes(each.keyword.text)))
      report(problem("phase/lacking", keyword.span, { setting: keyword.text, names }));
  for (const each of details) lacking(each, report);
}

/** Numbers of hits, of which one is of each node and the other of all; a profile has one of them, itself or by inheritance. */
const exclusive = [
  ["second-phase", "rerank-count", "total-rerank-count"],
  ["first-phase", "keep-rank-count", "total-keep-rank-count"],
] as const;

/** Reports the second of two counts that exclude each other, where a profile has both that no parent has both. */
function bothCounts(own: RankProfile, { lineage, ancestors, parents }: Ancestry, report: Report): void {
  for (const [phase, one, other] of exclusive) {
    const names = [`${phase} ${one}`, `${phase} ${other}`];
    const areIn = (family: readonly RankProfile[]): boolean =>
      names.every((name) => family.some(({ counts }) => counts.has(name)));
    const ofParents = parents.map((each) => [each, ...(ancestors.get(each) ?? [])]);
    if (!areIn(lineage) || ofParents.some(areIn)) continue;
    const spans = names.flatMap((name) => own.counts.get(name)?.keyword.span ?? []);
    const last = spans.sort((a, b) => a.start - b.start).at(-1);
    report(problem("phase/both", last ?? own.name.span, { one, other }));
  }
}

function diversityAttribute(
  { details }: Detail,
  { all, isPartial }: { readonly all: ReadonlyMap<string, Field>; readonly isPartial: boolean },
  report: Report,
): void {
  const named = details.flatMap((each) => (each.keyword.text === "attribute" ? each.details : []));
  for (const { keyword } of named) {
    const field = all.get(keyword.text);
    if ((field === undefined && isPartial) || field?.where === "imported") continue;
    const isSingle =
      field !== undefined && !/^(?:array|weightedset|map|predicate|tensor)\b/.test(field.typeText);
    const fault =
      field === undefined
        ? "no field"
        : !field.isAttribute
          ? "no attribute"
          : isSingle
            ? undefined
            : "not single";
    if (fault === undefined) continue;
    report(problem("phase/attribute", keyword.span, { setting: "diversity", field: keyword.text, fault }));
  }
}
