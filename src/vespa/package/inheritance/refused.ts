import type { Report } from "../../../language/source/problem.js";
import { problem } from "../model/messages.js";
import { type Constant, type Field, featureListNames, type RankProfile } from "../model/model.js";
import { settingOfField } from "../schemas/fields/field-ranking.js";
import type { Detail } from "../syntax/tree.js";
import { type Ancestry, reportConflicts } from "./conflicts.js";
import { reportRefusedSettings } from "./refused-settings.js";

/** What the profiles of a lineage have to do with each other, and the fields that they may use. */
export interface RefusalContext extends Ancestry {
  readonly fields: ReadonlyMap<string, Field>;
  /** Of the schema, and of those that it inherits. */
  readonly constants: ReadonlyMap<string, Constant>;
  /** Whether some of these are not in the package. */
  readonly isPartial: boolean;
}

type Refusal = (own: RankProfile, context: RefusalContext, report: Report) => void;

/** What Vespa refuses of a rank profile that has nothing to do with the types of its expressions. */
export function reportRefused(own: RankProfile, context: RefusalContext, report: Report): void {
  for (const refuse of refusals) refuse(own, context, report);
  reportRefusedSettings(own, { all: context.fields, isPartial: context.isPartial }, context, report);
}

// biome-ignore format: a table
const refusals: readonly Refusal[] = [
  reportConflicts, innerOfAnother, listsOfOthers, constantAndFunction, matchPhaseAttribute, diversityOfNothing, filterWithThreshold,
];

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

/** Of all that a profile has, its own or not: the nearer of the two is told, and once for all profiles that inherit both. */
function constantAndFunction(_: RankProfile, { lineage, constants }: RefusalContext, report: Report): void {
  const functions = new Map(lineage.toReversed().flatMap((each) => [...each.functions]));
  for (const { name } of functions.values()) {
    const depth = lineage.findIndex((each) => each.constants.has(name.text));
    const constant = lineage[depth]?.constants.get(name.text) ?? constants.get(name.text);
    if (constant === undefined) continue;
    const isNearer = depth >= 0 && depth < lineage.findIndex((each) => each.functions.has(name.text));
    const related = isNearer
      ? { span: name.span, label: "the function" }
      : { span: constant.span, label: "the constant" };
    const { span } = isNearer ? constant : name;
    report(problem("profile/constant-function", span, { name: name.text }, [related]));
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
          const { keyword: about, field } = settingOfField(each) ?? {};
          const isMeant = each.details.some((detail) => detail.keyword.text === keyword);
          return about === "rank" && field !== undefined && isMeant ? [[field, each]] : [];
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
