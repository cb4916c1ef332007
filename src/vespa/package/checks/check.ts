import { amount, checkCallOptions, type OptionRules } from "../../../language/source/option-rule.js";
import type { Problem } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import { constantValue } from "../expressions/constant-values.js";
import { type Inheritance, inheritance } from "../inheritance/inherit.js";
import type { Constant, Package, Profile } from "../model/model.js";
import { type CheckedProfile, checkProfile } from "./check-profile.js";
import { withoutConsequencesOfBraces } from "./hidden-names.js";
import { unreadNames } from "./query-profile-names.js";

/** A package with its rank profiles checked, and all that is wrong with it: each mistake once. */
export interface CheckedPackage {
  /** Those that schemas declare. */
  readonly profiles: readonly CheckedProfile[];
  readonly problems: readonly Problem[];
  /** A profile that a schema has of one that it inherits. */
  readonly inherited: (schema: string, profile: string) => CheckedProfile | undefined;
  /** The names of all such profiles of a schema. */
  readonly inheritedNames: (schema: string) => readonly string[];
}

/** What the check of a package may use. */
export interface PackageLimits {
  /** How many definitions all rank profiles may have, what they inherit counted again for each; 200,000 unless given. */
  readonly definitions?: number;
}

const limitRules: OptionRules<PackageLimits> = { definitions: amount };

/**
 * Checks the rank profiles of a package without any value: each when what is found in it is first asked for, all of them when the
 * problems of the package are.
 */
export function checkPackage(read: Package, limits: PackageLimits = {}): CheckedPackage {
  checkCallOptions("checkPackage", limits, limitRules);
  const { definitions = 200_000 } = limits;
  const inherited = inheritance(read, definitions);
  const profiles = inherited.profiles.map((each) => checkProfile(each));
  let problems: readonly Problem[] | undefined;
  return {
    profiles,
    inherited: (schema, name) => {
      const profile = inherited.inherited(schema, name);
      return profile && checkProfile(profile);
    },
    inheritedNames: inherited.inheritedNames,
    get problems() {
      problems ??= problemsOf(read, inherited, profiles);
      return problems;
    },
  };
}

function problemsOf(
  read: Package,
  inherited: Inheritance,
  checked: readonly CheckedProfile[],
): readonly Problem[] {
  const mistakes = new Mistakes();
  for (const each of [...read.problems, ...inherited.problems]) mistakes.add(each, "");
  for (const each of constantProblems(inherited.profiles, read)) mistakes.add(each, "");
  for (const each of unreadNames(read, checked)) mistakes.add(each, "");
  for (const { profile, problems } of checked)
    for (const each of problems) mistakes.add(each, profile.schema.name.text);
  return withoutConsequencesOfBraces(mistakes.sorted());
}

/** The values of all constants are read once. */
function constantProblems(profiles: readonly Profile[], read: Package): readonly Problem[] {
  const constants = new Set<Constant>(
    [...read.schemas.values()].flatMap((each) => [...each.constants.values()]),
  );
  for (const { constants: all } of profiles) for (const each of all.values()) constants.add(each);
  return [...constants].flatMap((each) => {
    const value = constantValue(each, read);
    return Array.isArray(value) ? value : [];
  });
}

/** Problems, where one that profiles inherit, or that every call of a function meets, is told once. */
class Mistakes {
  private readonly byKey = new Map<string, Problem>();
  /** Problems in the definition of a function, by their place there. */
  private readonly inFunctions = new Map<string, Map<string, Problem>>();

  add(found: Problem, schema: string): void {
    const { code, span } = found;
    const inner = definitionOf(found);
    if (inner !== undefined && nameIn(found) === undefined) {
      const key = keyOf(code, inner);
      const calls = this.inFunctions.get(key) ?? new Map<string, Problem>();
      if (!calls.has(keyOf(code, span))) calls.set(keyOf(code, span), found);
      this.inFunctions.set(key, calls);
      return;
    }
    const located = inner === undefined ? found : atDefinition(found, inner, [found]);
    const name = nameIn(located);
    const key = name === undefined ? keyOf(code, located.span) : `${code} ${schema} ${name}`;
    const spanKey = keyOf(code, located.span);
    if (this.byKey.has(key) || this.byKey.has(spanKey)) return;
    this.byKey.set(key, located);
    this.byKey.set(spanKey, located);
  }

  sorted(): readonly Problem[] {
    const inFunctions = [...this.inFunctions.values()].flatMap((byKey) => {
      const calls = [...byKey.values()];
      const [first] = calls;
      const inner = first && definitionOf(first);
      // What one call meets is a matter of its arguments; what several meet is one of the function.
      if (first === undefined || inner === undefined || calls.length === 1) return calls;
      return [atDefinition(first, inner, calls)];
    });
    return [...new Set([...this.byKey.values(), ...inFunctions])].sort(bySpan);
  }
}

/** The place in a function of the package at which a call of it goes wrong. */
function definitionOf({ related }: Problem): Span | undefined {
  const found = related.find((each) => each.isDefinition === true)?.span;
  return found?.source.name === "prelude" ? undefined : found;
}

function atDefinition(found: Problem, at: Span, calls: readonly Problem[]): Problem {
  return found.at(
    at,
    calls.slice(0, 3).map((each) => ({ span: each.span, label: "called here" })),
  );
}

const keyOf = (code: string, { source, start, end }: Span): string =>
  `${code} ${source.name} ${start} ${end}`;

/** The name that is the mistake, where one is: to say it again elsewhere makes no second mistake. */
function nameIn({ code, values }: Problem): string | undefined {
  switch (code) {
    case "feature/unknown":
    case "query/number":
    case "query/undeclared":
    case "name/unknown":
    case "name/unknown-function":
      return values.name;
    case "feature/field":
    case "feature/not-attribute":
    case "feature/collection":
    case "feature/not-enabled":
      return values.field;
    case "feature/model":
      return values.model;
    default:
      return undefined;
  }
}

function bySpan(one: Problem, other: Problem): number {
  const [first, second] = [one.span.source.name, other.span.source.name];
  return first === second ? one.span.start - other.span.start : first < second ? -1 : 1;
}

/** The rank profile of this name; of the schema of that name, where there are several. */
export function profileNamed(
  { profiles }: CheckedPackage,
  name: string,
  schema?: string,
): CheckedProfile | undefined {
  return profiles.find(
    ({ profile }) => profile.name === name && (schema === undefined || profile.schema.name.text === schema),
  );
}
