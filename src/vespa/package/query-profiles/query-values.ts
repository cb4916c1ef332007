import { JsonLeaf } from "../../../formats/json/value.js";
import { nearest } from "../../../language/source/nearest.js";
import type { Problem } from "../../../language/source/problem.js";
import { canonicalName } from "../../../program/options.js";
import { parameterKey, type Query, sorted } from "../../documents/query.js";
import { problem } from "../model/messages.js";
import type { Package, QueryProfile, QueryProfileField, QueryProfileFields } from "../model/model.js";

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
  query: Query | undefined,
  { queryProfiles }: Pick<Package, "queryProfiles">,
): CompletedQuery {
  const named = query?.parameters.get("queryProfile");
  const id = (named?.string ?? "default").replace(/:.*$/s, "");
  const profile = queryProfiles.get(id);
  if (profile === undefined) {
    if (named === undefined) return { query, problems: [] };
    const values = { what: "inherits", name: id, nearest: nearest(id, queryProfiles.keys()) } as const;
    return { query, problems: [problem("query/unknown-profile", named.span, values)] };
  }
  const values = new QueryProfileValues(profile, queryProfiles, query);
  const own = sorted(values.entries(({ isFixed }) => !isFixed));
  const fixed = sorted(values.entries(({ isFixed }) => isFixed));
  const merged = <T>(of: (query: Query) => ReadonlyMap<string, T>): Map<string, T> =>
    new Map([own, ...(query === undefined ? [] : [query]), fixed].flatMap((each) => [...of(each)]));
  const inputs = merged((each) => canonical(each.inputs));
  const asked = canonical(query?.inputs ?? new Map());
  const added = [...inputs].filter(([name, value]) => asked.get(name) !== value).map(([name]) => name);
  return {
    query: {
      inputs,
      profile: fixed.profile ?? query?.profile ?? own.profile,
      properties: merged((each) => each.properties),
      parameters: merged((each) => each.parameters),
      added: new Set(added),
    },
    problems: [],
  };
}

/** One feature may be written in several ways. */
const canonical = <T>(inputs: ReadonlyMap<string, T>): Map<string, T> =>
  new Map([...inputs].map(([name, value]) => [canonicalName(name), value]));

interface FoundField extends QueryProfileField {
  /** What stands before the names of its own query profile. */
  readonly prefix: string;
}

/** How deep substitutions may lie in each other, and references. */
const deepest = 30;

/** The values of a query profile for one request. */
class QueryProfileValues {
  private readonly fields = new Map<string, FoundField>();
  /** The keys of their names: one parameter may be written in several ways. */
  private readonly taken = new Set<string>();

  constructor(
    profile: QueryProfile,
    private readonly all: ReadonlyMap<string, QueryProfile>,
    private readonly query: Query | undefined,
  ) {
    this.collect(profile, "", []);
  }

  /** The parameters by full name, with all that is substituted in them. */
  entries(isIncluded: (field: QueryProfileField) => boolean): [string, JsonLeaf][] {
    return [...this.fields]
      .filter(([, field]) => isIncluded(field))
      .map(([name, field]) => [name, new JsonLeaf(this.substituted(field, 0), field.span, name)]);
  }

  /** The first value that is found counts: of the variants the more specific ones first, then what each inherits. */
  private collect(profile: QueryProfile, prefix: string, outer: readonly QueryProfile[]): void {
    if (outer.includes(profile) || outer.length > deepest) return;
    const path = [...outer, profile];
    const dimensions = this.dimensionsOf(profile, []);
    const variants = profile.variants
      .filter((each) => this.isAsked(each.for, dimensions))
      .map((each) => ({ each, key: each.for.map((value) => (value === "*" ? "1" : "0")).join("") }))
      .sort((one, other) => (`${one.key}2` < `${other.key}2` ? -1 : 1));
    for (const fields of [...variants.map(({ each }) => each), profile.own]) this.take(fields, prefix, path);
  }

  private take(
    { fields, inherits }: QueryProfileFields,
    prefix: string,
    path: readonly QueryProfile[],
  ): void {
    for (const [name, field] of fields) {
      const full = `${prefix}${name}`;
      if (field.isReference) {
        const target = this.all.get(field.text);
        if (target !== undefined) this.collect(target, `${full}.`, path);
      } else if (!this.taken.has(parameterKey(full))) {
        this.taken.add(parameterKey(full));
        this.fields.set(full, { ...field, prefix });
      }
    }
    for (const { text } of inherits) {
      const above = this.all.get(text);
      if (above !== undefined) this.collect(above, prefix, path);
    }
  }

  /** Its own dimensions, or the first that it inherits. */
  private dimensionsOf(profile: QueryProfile, below: readonly QueryProfile[]): readonly string[] {
    if (profile.dimensions.length > 0 || below.includes(profile) || below.length > deepest)
      return profile.dimensions;
    for (const { text } of profile.own.inherits) {
      const above = this.all.get(text);
      const found = above === undefined ? [] : this.dimensionsOf(above, [...below, profile]);
      if (found.length > 0) return found;
    }
    return [];
  }

  private isAsked(values: readonly string[], dimensions: readonly string[]): boolean {
    return values.every((value, at) => value === "*" || value === this.asked(dimensions[at] ?? ""));
  }

  private asked(name: string): string | undefined {
    const scalar = this.query?.parameters.get(name)?.scalar;
    return scalar === undefined || scalar === null ? undefined : `${scalar}`;
  }

  /** `%{name}` is what a request or a profile has under this name, `%{.name}` what the same profile has; or nothing. */
  private substituted({ text, prefix }: FoundField, depth: number): string {
    if (depth > deepest) return "";
    const [first = "", ...rest] = text.split("%{");
    const parts = rest.map((each) => {
      const end = each.indexOf("}");
      const isLocal = each.startsWith(".");
      const name = each.slice(isLocal ? 1 : 0, Math.max(end, 0));
      return `${this.parameter(isLocal ? `${prefix}${name}` : name, depth)}${each.slice(end + 1)}`;
    });
    return first + parts.join("");
  }

  private parameter(name: string, depth: number): string {
    const field = this.fields.get(name);
    const asked = this.asked(name);
    if (asked !== undefined && field?.isFixed !== true) return asked;
    return field === undefined ? "" : this.substituted(field, depth + 1);
  }
}
