import type { Report } from "../../../language/source/problem.js";
import { type Span, textIn } from "../../../language/source/span.js";
import { problem } from "../model/messages.js";
import { featureListNames, phaseNames, type RankProfile, type Schema } from "../model/model.js";
import { settingOfField } from "../schemas/fields/field-ranking.js";
import type { Declaration } from "../syntax/messages.js";
import type { Detail } from "../syntax/tree.js";

/** A rank profile with those that it inherits. */
export interface Ancestry {
  /** The profile itself first; none comes before one that inherits it. */
  readonly lineage: readonly RankProfile[];
  readonly ancestors: ReadonlyMap<RankProfile, ReadonlySet<RankProfile>>;
  /** What it inherits itself. */
  readonly parents: readonly RankProfile[];
  /** The schemas whose constants and models a profile has: its own, and what that inherits. */
  readonly schemasOf: (profile: RankProfile) => readonly Schema[];
}

/** What a parent has, itself or by inheritance, and where. */
interface Inherited {
  /** The profile or schema that declares it. */
  readonly holder: RankProfile | Schema;
  readonly span: Span;
  /** Two with the same key are the same. */
  readonly key: string;
}

/** Something that a rank profile may not inherit from two others. */
interface Conflict {
  readonly what: Declaration;
  /** By name, what a parent has with all that it inherits; `family` has nearer profiles first. */
  readonly of: (
    family: readonly RankProfile[],
    schemasOf: Ancestry["schemasOf"],
  ) => ReadonlyMap<string, Inherited>;
  /** Whether two that are the same are one. Where they are not, those of a common parent are refused, too. */
  readonly isComparable: boolean;
  /** Whether the profile may have one of its own instead. */
  readonly isReplaceable: boolean;
}

/** What several parents have and cannot both have. */
export function reportConflicts(own: RankProfile, context: Ancestry, report: Report): void {
  const { parents, lineage, ancestors, schemasOf } = context;
  if (parents.length < 2) return;
  const families = [...new Set(parents)].map((parent) =>
    lineage.filter((each) => each === parent || ancestors.get(parent)?.has(each) === true),
  );
  for (const { what, of, isComparable, isReplaceable } of conflicts) {
    const replaced = isReplaceable ? of([own], schemasOf) : new Map<string, Inherited>();
    const found = new Map<string, Inherited[]>();
    for (const [name, each] of families.flatMap((family) => [...of(family, schemasOf)])) {
      const all = found.get(name) ?? [];
      if (!isComparable || !all.some(({ key }) => key === each.key)) all.push(each);
      found.set(name, all);
    }
    for (const [name, all] of found) {
      if (all.length < 2 || replaced.has(name)) continue;
      const declarations = [...new Map(all.map((each) => [each.span, each])).values()];
      const related = declarations.map(({ span, holder }) => ({ span, label: `in ${holder.name.text}` }));
      const values = { what, name, profile: own.name.text, isReplaceable };
      report(problem("profile/conflict", own.name.span, values, related));
    }
  }
}

const squeezed = (span: Span): string => textIn(span).replace(/\s+/g, " ");

type Declared = readonly [name: string, each: { readonly span: Span }];

const nearestOf =
  <Holder extends RankProfile | Schema>(
    of: (holder: Holder) => Iterable<Declared>,
    keyOf: (span: Span) => string = squeezed,
  ) =>
  (holders: readonly Holder[]): ReadonlyMap<string, Inherited> => {
    const found = new Map<string, Inherited>();
    for (const holder of holders)
      for (const [name, { span }] of of(holder))
        if (!found.has(name)) found.set(name, { holder, span, key: keyOf(span) });
    return found;
  };

/** Of each name what the nearest profile has. */
const nearest = nearestOf<RankProfile>;

/** Of each name what the nearest profile has, or its schema: Vespa refuses of two parents what both have of one schema. */
const withSchemas =
  (of: (holder: RankProfile | Schema) => Iterable<Declared>): Conflict["of"] =>
  (family, schemasOf) =>
    nearestOf(of)(family.flatMap((profile) => [profile, ...schemasOf(profile)]));

/** Settings with one value. */
const single = new Set([
  ...["match-phase", "diversity", "strict", "termwise-limit", "post-filter-threshold"],
  ...["approximate-threshold", "filter-first-threshold", "filter-first-exploration", "exploration-slack"],
  ...["target-hits-max-adjustment-factor", "filter-threshold", "prefetch-tensors"],
  ...["num-threads-per-search", "min-hits-per-thread", "num-search-partitions"],
]);

const settingsOf = ({ settings }: RankProfile): Declared[] =>
  settings.flatMap((each): Declared[] =>
    single.has(each.keyword.text) ? [[each.keyword.text, each]] : weakandOf(each),
  );

/** What stands in the braces of `weakand` are settings of their own. */
const weakandOf = ({ keyword, details }: Detail): Declared[] =>
  keyword.text === "weakand" ? details.map((each) => [`weakand ${each.keyword.text}`, each]) : [];

/** `rank f: filter`, `weight f: 200`, `rank-type f: identity` */
const fieldSettingsOf = ({ settings }: RankProfile): Declared[] =>
  settings.flatMap((each): Declared[] => {
    const { keyword, field } = settingOfField(each) ?? {};
    const isFilter = each.details.some((detail) => detail.keyword.text === "filter");
    const isMeant = keyword !== undefined && (keyword !== "rank" || isFilter);
    return isMeant ? [[`${keyword} ${field}`, each]] : [];
  });

/** `rank f { element-gap: 5 }` */
const elementGapsOf = ({ settings }: RankProfile): Declared[] =>
  settings.flatMap((each): Declared[] => {
    const { field } = settingOfField(each) ?? {};
    const gaps = each.details.filter(({ keyword }) => keyword.text === "element-gap");
    return gaps.map((gap) => [`element-gap of ${field}`, gap]);
  });

const phasesOf = ({ phases }: RankProfile): Declared[] =>
  phaseNames.flatMap((name): Declared[] => {
    const phase = phases[name];
    return phase?.expression === undefined ? [] : [[name, phase]];
  });

const listsOf = ({ features }: RankProfile): Declared[] =>
  featureListNames.flatMap((name): Declared[] => {
    const list = features[name];
    return list === undefined || (list.features.length === 0 && list.inherits.length === 0)
      ? []
      : [[name, list]];
  });

/** The words of a list of features, in whatever order. */
const featuresIn = (span: Span): string =>
  squeezed(span)
    .replace(/^[\w-]+|[:{}]/g, " ")
    .trim()
    .split(" ")
    .sort()
    .join(" ");

/** All properties together, as they are compared. */
function propertiesOf(family: readonly RankProfile[]): ReadonlyMap<string, Inherited> {
  const all = nearest(({ properties }) => properties)(family);
  const [first] = all.values();
  if (first === undefined) return new Map();
  const key = JSON.stringify([...all].map(([name, each]) => [name, each.key]).sort());
  return new Map([["rank-properties", { ...first, key }]]);
}

/** All fields that a profile makes filters. */
function filtersOf(family: readonly RankProfile[]): ReadonlyMap<string, Inherited> {
  const all = nearest((profile) => fieldSettingsOf(profile).filter(([name]) => name.startsWith("rank ")))(
    family,
  );
  const [first] = all.values();
  if (first === undefined) return new Map();
  return new Map([["rank: filter", { ...first, key: [...all.keys()].sort().join() }]]);
}

const [apart, alike] = [{ isComparable: false }, { isComparable: true }];
const [always, unlessOwn] = [{ isReplaceable: false }, { isReplaceable: true }];

const positionOf = ({ source, start }: Span): string => `${source.name} ${start}`;

// biome-ignore format: a table
const conflicts: readonly Conflict[] = [
  { what: "function",      of: nearest(({ functions }) => functions), ...apart, ...always },
  { what: "constant",      of: withSchemas(({ constants }) => constants), ...apart, ...always },
  { what: "model",         of: withSchemas(({ models }) => models),      ...apart, ...always },
  { what: "setting",       of: nearest(fieldSettingsOf),              ...apart, ...always },
  { what: "input",         of: nearest(({ inputs }) => inputs),       ...alike, ...always },
  { what: "setting",       of: propertiesOf,                          ...alike, ...always },
  { what: "setting",       of: filtersOf,                             ...alike, ...always },
  { what: "setting",       of: nearest(settingsOf),                   ...alike, ...unlessOwn },
  { what: "setting",       of: nearest(elementGapsOf),                ...alike, ...unlessOwn },
  { what: "setting",       of: nearest(({ counts }) => counts),       ...alike, ...unlessOwn },
  { what: "phase",         of: nearest(phasesOf, positionOf),            ...alike, ...unlessOwn },
  { what: "feature list",  of: nearest(listsOf, featuresIn),          ...alike, ...unlessOwn },
];
