import type { Report } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import { problem } from "./messages.js";
import type { Field, RankProfile } from "./model.js";
import type { Detail } from "./syntax/tree.js";

/** What Vespa refuses of the settings of one rank profile: those that are there twice, beyond their range, or at odds. */
export function reportRefusedSettings(
  own: RankProfile,
  fields: { readonly all: ReadonlyMap<string, Field>; readonly isPartial: boolean },
  report: Report,
): void {
  settingsTwice(own, report);
  for (const setting of own.settings) {
    outsideRange(setting, report);
    bothCounts(setting, report);
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

/** Settings that are a part of something, from 0 to 1. */
const parts = new Set(["filter-threshold"]);

function outsideRange(setting: Detail, report: Report): void {
  for (const each of [setting, ...setting.details])
    for (const { keyword } of parts.has(each.keyword.text) ? each.details : []) {
      const number = Number(keyword.text);
      if (number < 0 || number > 1)
        report(problem("phase/range", keyword.span, { setting: each.keyword.text, text: keyword.text }));
    }
}

/** Pairs of which one is of each node, and the other of all. */
const exclusive = [["max-hits", "total-max-hits"]] as const;

function bothCounts({ details }: Detail, report: Report): void {
  for (const [one, other] of exclusive) reportBoth(one, other, details, report);
}

/** Reports the second of two settings that exclude each other. */
export function reportBoth(one: string, other: string, details: readonly Detail[], report: Report): void {
  const found = details.filter(({ keyword }) => keyword.text === one || keyword.text === other);
  const [first] = found;
  const second = found.find(({ keyword }) => keyword.text !== first?.keyword.text);
  if (second !== undefined) report(problem("phase/both", second.keyword.span, { one, other }));
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
