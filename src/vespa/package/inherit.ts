import { append } from "../../language/source/lists.js";
import { Suggestions } from "../../language/source/nearest.js";
import type { Problem, Report } from "../../language/source/problem.js";
import { referredSchema, reportFieldReferences } from "./field-references.js";
import { reportFieldTypes } from "./field-types.js";
import { lineageOf, type Nodes } from "./lineage.js";
import { memberField } from "./member-types.js";
import { problem } from "./messages.js";
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
} from "./model.js";
import { reportRefused } from "./refused.js";

/** Profiles that every schema has without declaring them. */
const implied = new Set(["default", "unranked"]);

/** All rank profiles of a package with what they inherit, and what is wrong with that. */
export interface Inheritance {
  readonly profiles: readonly Profile[];
  readonly problems: readonly Problem[];
}

export function inheritance(
  { schemas, inputs, modelIn, filesIn, problems: unread }: Package,
  definitions: number,
): Inheritance {
  const problems: Problem[] = [];
  const reported = new Set<string>();
  const report: Report = (found) => {
    const key = `${found.code} ${found.span.source.name} ${found.span.start}`;
    if (!reported.has(key)) problems.push(found);
    reported.add(key);
  };
  const profiles: Profile[] = [];
  const suggestions = new Suggestions();
  let remaining = definitions;
  for (const schema of schemas.values()) {
    const hierarchy = schemasAbove(schema, schemas, suggestions, report);
    const fields = fieldsOf(hierarchy.all, schemas);
    const fieldsets = fieldsetsOf(hierarchy.all);
    // Where a mistake hides a part of the schema, its fields may be in that part.
    const isRead = !unread.some(
      ({ code, isError, span }) => isError && hidesFields(code) && span.source === schema.source,
    );
    if (isRead && !hierarchy.isPartial) {
      reportFieldReferences({ schema, hierarchy: hierarchy.all, fields, schemas, report });
      reportFieldTypes(schema, hierarchy.all, schemas, report);
    }
    for (const own of schema.profiles.values()) {
      if (remaining < 0) break;
      const profile = resolved(
        own,
        schema,
        { ...hierarchy, fields, fieldsets, inputs, modelIn, filesIn },
        suggestions,
        report,
      );
      remaining -=
        profile.lineage.length + profile.functions.size + profile.inputs.size + profile.constants.size;
      if (remaining < 0) report(problem("package/too-large", own.name.span, { limit: definitions }));
      profiles.push(profile);
    }
  }
  return { profiles, problems };
}

/** Whether a mistake may hide the declaration of a field, as what is said of a value does not. */
const hidesFields = (code: string): boolean =>
  !/^(?:field|indexing|portability|literal)\/|^schema\/(?:label|number|exponent|setting|text-default|property)/.test(
    code,
  );

/** A schema with those that it inherits, directly or through its document, nearer ones first. */
interface SchemaHierarchy {
  readonly all: readonly Schema[];
  readonly isPartial: boolean;
}

/** What all rank profiles of a schema share. */
interface Shared {
  readonly fields: ReadonlyMap<string, Field>;
  readonly fieldsets: ReadonlyMap<string, readonly string[]>;
  readonly inputs: Package["inputs"];
  readonly modelIn: Package["modelIn"];
  readonly filesIn: Package["filesIn"];
}

function schemasAbove(
  schema: Schema,
  schemas: ReadonlyMap<string, Schema>,
  suggestions: Suggestions,
  report: Report,
): SchemaHierarchy {
  let isPartial = false;
  const nodes: Nodes<Schema> = {
    what: "schema",
    nameOf: ({ name }) => name,
    above: ({ inherits, documentInherits, name: own }) =>
      [...inherits, ...documentInherits].flatMap((name) => {
        const found = schemas.get(name.text);
        if (found !== undefined) return [found];
        isPartial = true;
        const isOwn = inherits.includes(name);
        const nearest = suggestions.nearest(name.text, () => schemas.keys());
        const values = { name: name.text, nearest: nearest === own.text ? undefined : nearest };
        if (isOwn) report(problem("schema/unknown", name.span, values));
        return [];
      }),
  };
  return { all: lineageOf(schema, nodes, report).nearestFirst, isPartial };
}

/** All fields of these schemas; an imported one is that which it refers to, and a member of structs is an array. */
function fieldsOf(all: readonly Schema[], schemas: ReadonlyMap<string, Schema>): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const schema of all)
    for (const [name, field] of schema.fields) if (!fields.has(name)) fields.set(name, field);
  for (const [name, field] of fields) {
    const found = importedField(field, fields, schemas);
    if (found !== undefined) fields.set(name, found);
  }
  const structs = new Map(all.toReversed().flatMap((each) => [...each.structs]));
  for (const [name, field] of fields)
    if (name.includes(".")) fields.set(name, memberField(field, fields, structs));
  return fields;
}

/** The fields of each field set, by its name, those of nearer schemas first. */
function fieldsetsOf(all: readonly Schema[]): ReadonlyMap<string, readonly string[]> {
  const fieldsets = new Map<string, readonly string[]>();
  for (const schema of all)
    for (const [name, fields] of schema.fieldsets)
      if (!fieldsets.has(name))
        fieldsets.set(
          name,
          fields.map(({ text }) => text),
        );
  return fieldsets;
}

/** From how many parents of parents a field may come. */
const mostGenerations = 10;

/** An imported field as its parent has it, who may import it as well. */
function importedField(
  field: Field,
  fields: ReadonlyMap<string, Field>,
  schemas: ReadonlyMap<string, Schema>,
  generation = 0,
): Field | undefined {
  if (field.where !== "imported" || generation > mostGenerations) return undefined;
  const [reference = "", ...path] = field.typeText.split(".");
  const schema = referredSchema(fields.get(reference));
  const parent = schema === undefined ? undefined : schemas.get(schema);
  const target = parent?.fields.get(path.join("."));
  if (schema === undefined || parent === undefined || target === undefined) return undefined;
  const found = importedField(target, parent.fields, schemas, generation + 1) ?? target;
  const next = found.imported === undefined ? {} : { next: found.imported };
  const imported = { reference, schema, field: path.join("."), ...next };
  return { ...found, name: field.name, span: field.span, where: "imported", imported };
}

function resolved(
  own: RankProfile,
  schema: Schema,
  hierarchy: SchemaHierarchy & Shared,
  suggestions: Suggestions,
  report: Report,
): Profile {
  const { isPartial } = hierarchy;
  let isOpen = false;
  const find = (name: string): RankProfile | undefined =>
    hierarchy.all.map((each) => each.profiles.get(name)).find((each) => each !== undefined);
  const above = ({ inherits, name: own }: RankProfile): RankProfile[] =>
    inherits.flatMap((name) => {
      const found = name.text === own.text ? inheritedOnly(name.text) : find(name.text);
      // `default inherits default` means the one that every schema has without declaring it.
      if (implied.has(name.text) && (found === undefined || found.name === own)) return [];
      if (found !== undefined) return [found];
      isOpen = true;
      const names = () => hierarchy.all.flatMap((each) => [...each.profiles.keys()]);
      const nearest = suggestions.nearest(name.text, names);
      const values = { name: name.text, nearest: nearest === own.text ? undefined : nearest };
      if (!isPartial) report(problem("profile/unknown", name.span, values));
      return [];
    });
  // A profile may add to one of the same name in a schema that its own inherits.
  const inheritedOnly = (name: string): RankProfile | undefined =>
    hierarchy.all
      .slice(1)
      .map((each) => each.profiles.get(name))
      .find((each) => each !== undefined) ?? find(name);
  const nodes: Nodes<RankProfile> = { what: "rank profile", nameOf: ({ name }) => name, above };
  const { nearestFirst, ancestors, isCut } = lineageOf(own, nodes, report);
  isOpen ||= isCut;
  const merging = new Merging(nearestFirst);
  const ofSchemas = <T>(of: (schema: Schema) => ReadonlyMap<string, T>): Map<string, T> =>
    new Map(hierarchy.all.toReversed().flatMap((each) => [...of(each)]));
  reportRefused(
    own,
    {
      lineage: nearestFirst,
      ancestors,
      fields: hierarchy.fields,
      isPartial: isPartial || isOpen,
      parents: above(own),
    },
    report,
  );
  return {
    ...{ name: own.name.text, schema, lineage: nearestFirst, fields: hierarchy.fields, isPartial, isOpen },
    ...{ fieldsets: hierarchy.fieldsets },
    inputs: new Map([...hierarchy.inputs, ...merging.nearest((each) => each.inputs)]),
    constants: new Map([
      ...ofSchemas((each) => each.constants),
      ...merging.nearest((each) => each.constants),
    ]),
    models: new Map([...ofSchemas((each) => each.models), ...merging.nearest((each) => each.models)]),
    modelIn: hierarchy.modelIn,
    filesIn: hierarchy.filesIn,
    functions: merging.nearest((each) => each.functions),
    phases: merging.phases(),
    features: merging.features(above),
    properties: merging.nearest((each) => each.properties),
    lost: new Set([
      ...nearestFirst.flatMap((each) => [...each.lost]),
      ...hierarchy.all.flatMap((each) => [...each.lost]),
    ]),
  };
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
