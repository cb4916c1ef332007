import type { Report } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import { problem } from "./messages.js";
import { type Field, featureListNames, phaseNames, type RankProfile } from "./model.js";
import { reportRefusedSettings } from "./refused-settings.js";
import type { Declaration } from "./syntax/messages.js";
import type { Detail } from "./syntax/tree.js";
import { textOf } from "./text.js";

/** What the profiles of a lineage have to do with each other, and the fields that they may use. */
export interface RefusalContext {
  /** The profile itself first. */
  readonly lineage: readonly RankProfile[];
  readonly ancestors: ReadonlyMap<RankProfile, ReadonlySet<RankProfile>>;
  /** What it inherits itself. */
  readonly parents: readonly RankProfile[];
  readonly fields: ReadonlyMap<string, Field>;
  /** Whether some of these are not in the package. */
  readonly isPartial: boolean;
}

type Refusal = (own: RankProfile, context: RefusalContext, report: Report) => void;

/** What Vespa refuses of a rank profile that has nothing to do with the types of its expressions. */
export function reportRefused(own: RankProfile, context: RefusalContext, report: Report): void {
  for (const refuse of refusals) refuse(own, context, report);
  reportRefusedSettings(own, { all: context.fields, isPartial: context.isPartial }, report);
}

// biome-ignore format: a table
const refusals: readonly Refusal[] = [
  functionsOfSeveralParents, phasesOfSeveralParents, settingsOfSeveralParents, innerOfAnother, listsOfOthers, constantAndFunction,
  matchPhaseAttribute, diversityOfNothing, filterWithThreshold,
];

/** A parent with all that it inherits. */
const familyOf = (parent: RankProfile, { ancestors }: RefusalContext): readonly RankProfile[] => [
  parent,
  ...(ancestors.get(parent) ?? []),
];

/** Not even the same text, and not where the profile has one of its own. */
function functionsOfSeveralParents(own: RankProfile, context: RefusalContext, report: Report): void {
  const first = new Map<
    string,
    { readonly span: Span; readonly profile: RankProfile; readonly at: number }
  >();
  for (const [at, parent] of context.parents.entries())
    for (const profile of familyOf(parent, context))
      for (const [name, { span }] of profile.functions) {
        const before = first.get(name);
        if (before === undefined) first.set(name, { span, profile, at });
        else if (before.at !== at && before.profile !== profile)
          conflict("function", name, own, [before, { span, profile }], report);
      }
}

/** Settings with one value, which a profile does not inherit from two others that differ in it. */
const single = new Set([
  "match-phase",
  "strict",
  "termwise-limit",
  "post-filter-threshold",
  "approximate-threshold",
]);

function settingsOfSeveralParents(own: RankProfile, context: RefusalContext, report: Report): void {
  for (const name of single) {
    const settingOf = ({ settings }: RankProfile): Detail | undefined =>
      settings.find(({ keyword }) => keyword.text === name);
    if (settingOf(own) !== undefined) continue;
    const found = context.parents.flatMap((parent) => {
      const profile = familyOf(parent, context).find((each) => settingOf(each) !== undefined);
      const span = profile === undefined ? undefined : settingOf(profile)?.span;
      return profile === undefined || span === undefined ? [] : [{ profile, span }];
    });
    const texts = new Set(found.map(({ span }) => textOf(span).replace(/\s+/g, " ")));
    if (texts.size > 1) conflict("setting", name, own, found, report);
  }
}

function phasesOfSeveralParents(own: RankProfile, context: RefusalContext, report: Report): void {
  for (const name of phaseNames) {
    if (own.phases[name]?.expression !== undefined) continue;
    const found = context.parents.flatMap((parent) => {
      const profile = familyOf(parent, context).find((each) => each.phases[name]?.expression !== undefined);
      const span = profile?.phases[name]?.span;
      return profile === undefined || span === undefined ? [] : [{ profile, span }];
    });
    const profiles = new Set(found.map(({ profile }) => profile));
    if (profiles.size > 1) conflict("phase", name, own, found, report);
  }
}

function conflict(
  what: Declaration,
  name: string,
  own: RankProfile,
  found: readonly { readonly span: Span; readonly profile: RankProfile }[],
  report: Report,
): void {
  const related = found.map(({ span, profile }) => ({ span, label: `in ${profile.name.text}` }));
  report(problem("profile/conflict", own.name.span, { what, name, profile: own.name.text }, related));
}

function innerOfAnother(own: RankProfile, _: RefusalContext, report: Report): void {
  const { outer, inherits, name } = own;
  if (outer === undefined || inherits.some(({ text }) => text === outer)) return;
  report(problem("profile/inner", name.span, { profile: name.text, outer }));
}

function listsOfOthers(own: RankProfile, { parents }: RefusalContext, report: Report): void {
  for (const list of featureListNames)
    for (const { text: name, span } of own.features[list]?.inherits ?? [])
      if (!parents.some((each) => each.name.text === name) && !own.inherits.some(({ text }) => text === name))
        report(problem("profile/features", span, { name, profile: own.name.text, list }));
}

function constantAndFunction(own: RankProfile, { lineage }: RefusalContext, report: Report): void {
  for (const { name } of own.functions.values()) {
    const constant = lineage.flatMap((each) => each.constants.get(name.text) ?? [])[0];
    if (constant === undefined) continue;
    const related = [{ span: constant.span, label: "the constant" }];
    report(problem("profile/constant-function", name.span, { name: name.text }, related));
  }
}

const numeric = new Set(["byte", "int", "long", "float", "double", "bool", "float16"]);

function matchPhaseAttribute(own: RankProfile, { fields, isPartial }: RefusalContext, report: Report): void {
  for (const setting of own.settings.filter(({ keyword }) => keyword.text === "match-phase"))
    for (const { keyword } of valuesOf("attribute", setting)) {
      const field = fields.get(keyword.text);
      if (field === undefined && isPartial) continue;
      const isNumeric = field !== undefined && numeric.has(field.typeText.trim().toLowerCase());
      const fault =
        field === undefined
          ? "no field"
          : !field.isAttribute
            ? "no attribute"
            : !isNumeric
              ? "not numeric"
              : !field.isFastSearch
                ? "not fast"
                : undefined;
      if (fault !== undefined && field?.where !== "imported")
        report(
          problem("phase/attribute", keyword.span, { setting: "match-phase", field: keyword.text, fault }),
        );
    }
}

function diversityOfNothing(own: RankProfile, { lineage }: RefusalContext, report: Report): void {
  const diversity = own.settings.find(({ keyword }) => keyword.text === "diversity");
  const isUsed = lineage.some(
    ({ settings, phases }) =>
      phases["second-phase"] !== undefined || settings.some(({ keyword }) => keyword.text === "match-phase"),
  );
  if (diversity !== undefined && !isUsed) report(problem("phase/diversity", diversity.keyword.span, {}));
}

/** `rank f: filter` and `rank f { filter-threshold: 0.5 }` */
function filterWithThreshold(own: RankProfile, { lineage }: RefusalContext, report: Report): void {
  const ranks = (profiles: readonly RankProfile[], keyword: string): Map<string, Detail> =>
    new Map(
      profiles.flatMap(({ settings }) =>
        settings.flatMap((each): [string, Detail][] => {
          const [, field] = /^rank\s+([\w.$-]+)/.exec(textOf(each.span)) ?? [];
          const isMeant = each.details.some((detail) => detail.keyword.text === keyword);
          return field !== undefined && isMeant ? [[field, each]] : [];
        }),
      ),
    );
  const [filters, thresholds] = [ranks(lineage, "filter"), ranks([own], "filter-threshold")];
  for (const [field, { keyword, span }] of thresholds)
    if (filters.has(field)) report(problem("phase/filter", { ...span, end: keyword.span.end }, { field }));
}

/** What stands behind a keyword in a setting: `attribute: price`. */
const valuesOf = (keyword: string, { details }: Detail): readonly Detail[] =>
  details.flatMap((each) => (each.keyword.text === keyword ? each.details : []));
