import { append } from "../../../language/source/lists.js";
import { Suggestions } from "../../../language/source/nearest.js";
import type { Problem, Report } from "../../../language/source/problem.js";
import { problem } from "../model/messages.js";
import {
  type Feature,
  type FeatureListName,
  type Field,
  featureListNames,
  type Package,
  type Phase,
  type PhaseName,
  type Profile,
  phaseNames,
  type RankProfile,
  type Schema,
} from "../model/model.js";
import { reportFieldReferences } from "../schemas/fields/field-references.js";
import { reportFieldTypes } from "../schemas/fields/field-types.js";
import { InheritedProfiles, implied } from "./inherited-profiles.js";
import { lineageOf, type Nodes } from "./lineage.js";
import { reportMemberAttributes } from "./member-attributes.js";
import { withPhaseFunctions } from "./phase-functions.js";
import { reportRefused } from "./refused.js";
import {
  fieldsetsOf,
  fieldsOf,
  inheritedAsSchemas,
  type SchemaHierarchy,
  schemasAbove,
  structsOf,
} from "./schema-hierarchy.js";

/** All rank profiles of a package with what they inherit, and what is wrong with that. */
export interface Inheritance {
  /** Those that schemas declare. */
  readonly profiles: readonly Profile[];
  readonly problems: readonly Problem[];
  /** A profile that a schema has of one that it inherits, where it declares none of that name itself. */
  readonly inherited: (schema: string, profile: string) => Profile | undefined;
  /** The names of all such profiles of a schema. */
  readonly inheritedNames: (schema: string) => readonly string[];
}

/**
 * All rank profiles of a package, each with what it inherits; and what is wrong with schemas, which shows once their fields and those
 * that they inherit are together. `definitions` limits how many functions, inputs, constants and ancestors all profiles may have in
 * all: with them grow the time and the memory that this takes.
 */
export function inheritance(from: Package, definitions: number): Inheritance {
  const problems: Problem[] = [];
  const report = eachOnce(problems);
  const sharing = new Sharing(from, report);
  const profiles: Profile[] = [];
  let remaining = definitions;
  for (const schema of from.schemas.values()) {
    const shared = sharing.by(schema);
    reportSchema(schema, shared, from, report);
    for (const declared of schema.profiles.values()) {
      if (remaining < 0) break;
      const profile = resolved(declared, schema, shared, sharing.suggestions, report);
      remaining -=
        profile.lineage.length + profile.functions.size + profile.inputs.size + profile.constants.size;
      if (remaining < 0) report(problem("package/too-large", declared.name.span, { limit: definitions }));
      profiles.push(profile);
    }
  }
  return {
    ...{ profiles, problems },
    inherited: (schema, profile) => inheritedProfile(from.schemas.get(schema), profile, sharing),
    inheritedNames: (schema) => inheritedNames(from.schemas.get(schema), sharing),
  };
}

/** Adds to a list what was not reported before: profiles that inherit the same find the same wrong with it. */
function eachOnce(problems: Problem[]): Report {
  const reported = new Set<string>();
  return (found) => {
    const key = `${found.code} ${found.span.source.name} ${found.span.start}`;
    if (!reported.has(key)) problems.push(found);
    reported.add(key);
  };
}

/** Finds what the rank profiles of schemas share. */
class Sharing {
  readonly suggestions = new Suggestions();
  private readonly hierarchies = new Map<Schema, SchemaHierarchy>();

  constructor(
    private readonly from: Package,
    private readonly report: Report,
  ) {}

  by(schema: Schema): SchemaHierarchy & Shared {
    const { schemas, inputs, modelIn, filesIn } = this.from;
    const hierarchy = this.hierarchyOf(schema);
    return {
      ...{ ...hierarchy, schemasOf: this.schemasOf, inputs, modelIn, filesIn },
      fields: fieldsOf(hierarchy.all, schemas),
      fieldsets: fieldsetsOf(hierarchy.all),
      structs: structsOf(hierarchy.all),
    };
  }

  /** A schema, and those that it inherits. */
  readonly schemasOf = (schema: Schema): readonly Schema[] => this.hierarchyOf(schema).all;

  private hierarchyOf(schema: Schema): SchemaHierarchy {
    const found =
      this.hierarchies.get(schema) ?? schemasAbove(schema, this.from.schemas, this.suggestions, this.report);
    this.hierarchies.set(schema, found);
    return found;
  }
}

/** Reports what is wrong with the fields of a schema, unless a part of it, or of those that it inherits, is not there. */
function reportSchema(
  schema: Schema,
  { all, isPartial, fields, structs }: SchemaHierarchy & Shared,
  { schemas, problems: unread }: Package,
  report: Report,
): void {
  // Where a mistake hides a part of the schema, its fields may be in that part.
  const isHidden = unread.some(
    ({ code, isError, span }) => isError && hidesFields(code) && span.source === schema.source,
  );
  if (isHidden || isPartial) return;
  reportFieldReferences({ schema, hierarchy: all, fields, schemas, report });
  reportFieldTypes(schema, all, schemas, report);
  reportMemberAttributes(schema, fields, structs, report);
}

function inheritedProfile(schema: Schema | undefined, name: string, sharing: Sharing): Profile | undefined {
  if (schema === undefined || implied.has(name)) return undefined;
  const [, ...above] = sharing.schemasOf(schema);
  const declared = above.map((each) => each.profiles.get(name)).find((each) => each !== undefined);
  // What is wrong with it is told where it is declared.
  return declared && resolved(declared, schema, sharing.by(schema), sharing.suggestions, () => undefined);
}

function inheritedNames(schema: Schema | undefined, sharing: Sharing): readonly string[] {
  if (schema === undefined) return [];
  const [, ...above] = sharing.schemasOf(schema);
  const names = new Set(above.flatMap((each) => [...each.profiles.keys()]));
  return [...names].filter((each) => !implied.has(each) && !schema.profiles.has(each));
}

/** Whether a mistake may hide the declaration of a field, as what is said of a value does not. */
const hidesFields = (code: string): boolean =>
  !/^(?:field|indexing|portability|literal)\/|^schema\/(?:label|number|exponent|setting|text-default|property)/.test(
    code,
  );

/** What all rank profiles of a schema share. */
interface Shared {
  readonly schemasOf: (schema: Schema) => readonly Schema[];
  readonly fields: ReadonlyMap<string, Field>;
  readonly fieldsets: ReadonlyMap<string, readonly string[]>;
  readonly structs: Profile["structs"];
  readonly inputs: Package["inputs"];
  readonly modelIn: Package["modelIn"];
  readonly filesIn: Package["filesIn"];
}

function resolved(
  declared: RankProfile,
  schema: Schema,
  hierarchy: SchemaHierarchy & Shared,
  suggestions: Suggestions,
  report: Report,
): Profile {
  const { all, schemasOf, isPartial, fields, fieldsets, structs, inputs, modelIn, filesIn } = hierarchy;
  const inherited = new InheritedProfiles(hierarchy, schemasOf, suggestions, report);
  const above = (profile: RankProfile): readonly RankProfile[] => inherited.by(profile);
  const nodes: Nodes<RankProfile> = { what: "rank profile", nameOf: ({ name }) => name, above };
  const { nearestFirst: lineage, ancestors, isCut } = lineageOf(declared, nodes, report);
  const isOpen = isCut || inherited.isOpen;
  const schemas = inheritedAsSchemas(all).toReversed();
  const constants = new Map(schemas.flatMap((each) => [...each.constants]));
  const holding = (profile: RankProfile): readonly Schema[] =>
    inheritedAsSchemas(inherited.schemasOf(profile));
  const refusable = {
    lineage,
    ancestors,
    fields,
    constants,
    isPartial: isPartial || isOpen,
    parents: above(declared),
    schemasOf: holding,
  };
  reportRefused(declared, refusable, report);
  const merging = new Merging(lineage);
  // What a schema has counts more than what its profiles inherit, and less than what they say themselves.
  const holders = lineage.toReversed().flatMap((each) => [...holding(each).toReversed(), each]);
  const own = <T>(of: (holder: RankProfile | Schema) => ReadonlyMap<string, T>): Map<string, T> =>
    new Map(holders.flatMap((holder) => [...of(holder)]));
  return withPhaseFunctions({
    ...{ name: declared.name.text, schema, lineage, fields, fieldsets, structs, isPartial, isOpen },
    ...{ modelIn, filesIn },
    inputs: new Map([...inputs, ...merging.nearest((each) => each.inputs)]),
    constants: own((each) => each.constants),
    models: own((each) => each.models),
    functions: merging.nearest((each) => each.functions),
    phases: merging.phases(),
    features: merging.features(above),
    properties: merging.nearest((each) => each.properties),
    lost: new Set([...lineage, ...all].flatMap((each) => [...each.lost])),
  });
}

/** Takes what a profile has from itself and from those that it inherits. */
class Merging {
  constructor(
    /** The profile itself first. */
    private readonly lineage: readonly RankProfile[],
  ) {}

  /** By name: what the nearest profile has. */
  nearest<T>(of: (profile: RankProfile) => ReadonlyMap<string, T>): Map<string, T> {
    const found = new Map<string, T>();
    for (const profile of this.lineage)
      for (const [name, each] of of(profile)) if (!found.has(name)) found.set(name, each);
    return found;
  }

  /** Of each phase the nearest expression, and the nearest of each number. */
  phases(): Partial<Record<PhaseName, Phase>> {
    const phases: Partial<Record<PhaseName, Phase>> = {};
    for (const name of phaseNames) {
      const found = this.lineage.flatMap((each) => each.phases[name] ?? []);
      for (const each of found.toReversed()) phases[name] = { ...phases[name], ...each };
    }
    return phases;
  }

  /** The nearest list of each kind, with those that it says it inherits. */
  features(
    above: (profile: RankProfile) => readonly RankProfile[],
  ): Partial<Record<FeatureListName, readonly Feature[]>> {
    const lists: Partial<Record<FeatureListName, readonly Feature[]>> = {};
    for (const kind of featureListNames) {
      const open = this.lineage.filter((each) => each.features[kind] !== undefined).slice(0, 1);
      const visited = new Set<RankProfile>();
      const features = new Map<string, Feature>();
      for (let profile = open.pop(); profile !== undefined; profile = open.pop()) {
        if (visited.has(profile)) continue;
        visited.add(profile);
        const list = profile.features[kind];
        for (const each of list?.features ?? []) if (!features.has(each.name)) features.set(each.name, each);
        const names = new Set((list ?? profile).inherits.map(({ text }) => text));
        append(
          open,
          above(profile).filter(({ name }) => names.has(name.text)),
        );
      }
      if (visited.size > 0) lists[kind] = [...features.values()];
    }
    return lists;
  }
}
