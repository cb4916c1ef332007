import { JsonLeaf, type JsonValue } from "../../../formats/json/value.js";
import { nearest } from "../../../language/source/nearest.js";
import type { Problem } from "../../../language/source/problem.js";
import { canonicalName } from "../../../program/options.js";
import {
  fullName,
  fullNames,
  parameterKey,
  parameterText,
  type Query,
  sorted,
} from "../../documents/query.js";
import { problem } from "../model/messages.js";
import type {
  Package,
  QueryProfile,
  QueryProfileField,
  QueryProfileFields,
  QueryProfileVariant,
} from "../model/model.js";
import { nameOf } from "./query-types.js";
import { normalised, refusedParameters } from "./typed-values.js";
import { profileOfId, versionOf } from "./versions.js";

/** A query with the parameters of its query profile, and what is wrong with how it names that. */
export interface CompletedQuery {
  readonly query: Query | undefined;
  readonly problems: readonly Problem[];
}

/**
 * A query request with what its query profile adds: the one that it names, or `default`. What the request has counts
 * more, but for fields that are not overridable.
 */
export function completedQuery(
  request: Query | undefined,
  { queryProfiles }: Pick<Package, "queryProfiles">,
): CompletedQuery {
  const named = request?.parameters.get("queryProfile");
  const asked = named?.string ?? "default";
  const id = nameOf(asked);
  const profile = profileOfId(asked, queryProfiles) ?? pathParent(asked, queryProfiles);
  if (profile === undefined) {
    if (named === undefined) return { query: request, problems: [] };
    const meant = nearest(id, queryProfiles.keys());
    const values = { what: "inherits", name: asked, nearest: meant === id ? undefined : meant } as const;
    return { query: request, problems: [problem("query/unknown-profile", named.span, values)] };
  }
  const query = withoutAliases(request, profile);
  const values = new QueryProfileValues(profile, queryProfiles, query);
  const own = sorted(values.entries(false));
  const fixed = sorted(values.entries(true));
  const merged = <T>(of: (query: Query) => ReadonlyMap<string, T>): Map<string, T> =>
    new Map([own, ...(query === undefined ? [] : [query]), fixed].flatMap((each) => [...of(each)]));
  const inputs = merged((each) => canonical(each.inputs));
  const requested = canonical(query?.inputs ?? new Map());
  const added = [...inputs].filter(([name, value]) => requested.get(name) !== value).map(([name]) => name);
  return {
    query: {
      inputs,
      profile: fixed.profile ?? query?.profile ?? own.profile,
      properties: merged((each) => each.properties),
      parameters: merged((each) => each.parameters),
      added: new Set(added),
      repeated: query?.repeated ?? [],
    },
    problems: refusedParameters(query, profile),
  };
}

/** The query profile of a path that another one leads to: of `a/b/c` that of `a/b`, or else of `a`, if its type says so. */
function pathParent(id: string, profiles: ReadonlyMap<string, QueryProfile>): QueryProfile | undefined {
  const [name, version] = [nameOf(id), versionOf(id)];
  for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
    const parent = profileOfId(`${name.slice(0, at)}:${version}`, profiles);
    if (parent?.typed.matchesPaths === true) return parent;
  }
  return undefined;
}

/** A request whose parameters have the names that the type of its query profile has other names for. */
function withoutAliases(query: Query | undefined, { typed: { aliases } }: QueryProfile): Query | undefined {
  if (query === undefined || aliases.size === 0) return query;
  const parameters = [...query.parameters].map(
    ([name, value]) => [aliases.get(name.toLowerCase()) ?? name, value] as const,
  );
  return { ...query, parameters: new Map(parameters) };
}

/** One feature may be written in several ways. */
const canonical = <T>(inputs: ReadonlyMap<string, T>): Map<string, T> =>
  new Map([...inputs].map(([name, value]) => [canonicalName(name), value]));

interface FoundField extends QueryProfileField {
  /** What stands before the names of its own query profile. */
  readonly prefix: string;
}

/** Where fields stand: in a query profile itself, or in one of its variants. */
interface FieldSite {
  readonly profile: QueryProfile;
  /** What the query profile itself says. */
  readonly own: ReadonlyMap<string, QueryProfileField>;
  readonly isVariant: boolean;
}

/** Whether a request may change a field, where this is written: of names with dots Vespa does not read it in variants. */
function writtenFlag(
  name: string,
  field: QueryProfileField,
  { own, isVariant }: FieldSite,
): boolean | undefined {
  const isRead = !isVariant || !name.includes(".");
  return (isRead ? field.isFixed : undefined) ?? own.get(name)?.isFixed;
}

/** What is written in several places for the same values of the dimensions: the last value of a field counts. */
function together(all: readonly QueryProfileFields[]): QueryProfileFields {
  const fields = new Map<string, QueryProfileField>();
  for (const [name, field] of all.flatMap((each) => [...each.fields]))
    fields.set(name, { ...field, isFixed: field.isFixed ?? fields.get(name)?.isFixed });
  return { fields, inherits: all.flatMap((each) => each.inherits) };
}

/** The value of a parameter as a text; `null` is none. */
const textOf = (value: JsonValue | undefined): string | undefined =>
  value === undefined || value.kind === "null" ? undefined : parameterText(value);

/** How deep substitutions may lie in each other, and references. */
const deepest = 30;

/** The values of a query profile for one request. */
class QueryProfileValues {
  private readonly fields = new Map<string, FoundField>();
  /** Whether a request cannot say otherwise, by name. */
  private readonly fixed = new Map<string, boolean>();
  /** What the request has, by full name. */
  private readonly asked: ReadonlyMap<string, JsonValue>;

  constructor(
    private readonly profile: QueryProfile,
    private readonly all: ReadonlyMap<string, QueryProfile>,
    private readonly query: Query | undefined,
  ) {
    this.asked = query === undefined ? new Map() : fullNames(query);
    this.collect(profile, "", []);
  }

  /** The parameters by full name, with all that is substituted in them; Vespa has other names for them in requests alone. */
  entries(areFixed: boolean): [string, JsonLeaf][] {
    return [...this.fields]
      .filter(([name]) => (this.fixed.get(name) === true) === areFixed && fullName(name) === name)
      .map(([name, field]) => [name, new JsonLeaf(this.substituted(field, 0), field.span, name)]);
  }

  /** The first value that is found counts: of the variants the more specific ones first, then what each inherits. */
  private collect(profile: QueryProfile, prefix: string, outer: readonly QueryProfile[]): void {
    if (outer.includes(profile) || outer.length > deepest) return;
    const path = [...outer, profile];
    const dimensions = this.dimensionsOf(profile, []);
    // What holds for all values of the dimensions is the profile's own, written later.
    const isOwn = ({ for: values }: QueryProfileVariant): boolean => values.every((each) => each === "*");
    const { fields, inherits } = together([profile.own, ...profile.variants.filter(isOwn)]);
    const variants = new Map<string, QueryProfileVariant[]>();
    for (const each of profile.variants) {
      if (isOwn(each) || !this.isAsked(each.for, dimensions)) continue;
      const values = each.for.slice(0, each.for.findLastIndex((value) => value !== "*") + 1);
      const key = `${values.map((value) => (value === "*" ? "1" : "0")).join("")}2`;
      variants.set(key, [...(variants.get(key) ?? []), each]);
    }
    const inOrder = [...variants].sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [, each] of inOrder)
      this.take(together(each), { profile, own: fields, isVariant: true }, prefix, path);
    this.take({ fields, inherits }, { profile, own: fields, isVariant: false }, prefix, path);
  }

  private take(
    { fields, inherits }: QueryProfileFields,
    site: FieldSite,
    prefix: string,
    path: readonly QueryProfile[],
  ): void {
    const references: (readonly [string, QueryProfile])[] = [];
    for (const [name, field] of fields) {
      const full = `${prefix}${name}`;
      const target = field.isReference ? profileOfId(field.text, this.all) : undefined;
      if (target !== undefined) references.push([`${full}.`, target]);
      if (field.isReference) continue;
      if (!this.fields.has(full)) this.fields.set(full, { ...field, prefix });
      this.fix(full, writtenFlag(name, field, site));
    }
    // What is written by its full name counts more than what is referred to, and a longer name more than a shorter one.
    references.sort(([one], [other]) => other.length - one.length);
    for (const [inner, target] of references) this.collect(target, inner, path);
    const isTyped = (name: string): boolean => site.profile.typed.fixed.has(name);
    for (const [name, { isReference }] of fields)
      if (!isReference && (!site.isVariant || isTyped(name))) this.fix(`${prefix}${name}`, isTyped(name));
    for (const { text } of inherits) {
      const above = profileOfId(text, this.all);
      if (above !== undefined) this.collect(above, prefix, path);
    }
  }

  private fix(name: string, isFixed: boolean | undefined): void {
    if (isFixed !== undefined && !this.fixed.has(name)) this.fixed.set(name, isFixed);
  }

  /** Its own dimensions, or the first that it inherits. */
  private dimensionsOf(profile: QueryProfile, below: readonly QueryProfile[]): readonly string[] {
    if (profile.dimensions.length > 0 || below.includes(profile) || below.length > deepest)
      return profile.dimensions;
    for (const { text } of profile.own.inherits) {
      const above = profileOfId(text, this.all);
      const found = above === undefined ? [] : this.dimensionsOf(above, [...below, profile]);
      if (found.length > 0) return found;
    }
    return [];
  }

  private isAsked(values: readonly string[], dimensions: readonly string[]): boolean {
    return values.every((value, at) => {
      const asked = this.query?.parameters.get(dimensions[at] ?? "");
      return value === "*" || value === textOf(asked);
    });
  }

  /** `%{name}` is what a request or a profile has under this name, `%{.name}` what the same profile has; or nothing. */
  private substituted({ text, prefix }: FoundField, depth: number): string {
    if (depth > deepest) return "";
    const [first = "", ...rest] = text.split("%{");
    const parts = rest.map((each) => {
      const end = Math.max(each.indexOf("}"), 0);
      const value = each.startsWith(".")
        ? this.ofProfile(`${prefix}${each.slice(1, end)}`, depth)
        : this.parameter(each.slice(0, end), depth);
      return `${value}${each.slice(each.indexOf("}") + 1)}`;
    });
    return first + parts.join("");
  }

  private parameter(name: string, depth: number): string {
    const isAsked = this.fixed.get(name) !== true && fullName(name) === name;
    const asked = isAsked ? this.asked.get(parameterKey(name)) : undefined;
    const text = textOf(asked);
    return text === undefined ? this.ofProfile(name, depth) : normalised(name, text, this.profile.typed);
  }

  private ofProfile(name: string, depth: number): string {
    const field = this.fields.get(name);
    return field === undefined
      ? ""
      : normalised(name, this.substituted(field, depth + 1), this.profile.typed);
  }
}
