import { Suggestions } from "../../../language/source/nearest.js";
import type { Report } from "../../../language/source/problem.js";
import { outerOf } from "../../documents/members.js";
import { problem } from "../model/messages.js";
import type { Field, ImportedFrom, Schema } from "../model/model.js";
import { referredSchema } from "../schemas/fields/field-references.js";
import { lineageOf, type Nodes } from "./lineage.js";
import { memberField, type Structs } from "./member-types.js";

/** A schema with those that it inherits, directly or through its document, nearer ones first. */
export interface SchemaHierarchy {
  readonly all: readonly Schema[];
  readonly isPartial: boolean;
}

/** All that a schema inherits; what is not there is reported. */
export function schemasAbove(
  schema: Schema,
  schemas: ReadonlyMap<string, Schema>,
  suggestions: Suggestions,
  report: Report,
): SchemaHierarchy {
  let isPartial = false;
  const { text: own } = schema.name;
  for (const { text, span } of schema.inherits)
    if (schemas.has(text) && !schema.documentInherits.some((each) => each.text === text))
      report(problem("schema/document-inherits", span, { schema: own, inherited: text }));
  const nodes: Nodes<Schema> = {
    what: "schema",
    nameOf: ({ name }) => name,
    above: ({ inherits, documentInherits, name: inheriting }) =>
      [...inherits, ...documentInherits].flatMap((name) => {
        const found = schemas.get(name.text);
        if (found !== undefined) return [found];
        isPartial = true;
        const nearest = suggestions.nearest(name.text, () => schemas.keys());
        const values = { name: name.text, nearest: nearest === inheriting.text ? undefined : nearest };
        if (inherits.includes(name)) report(problem("schema/unknown", name.span, values));
        return [];
      }),
  };
  return { all: lineageOf(schema, nodes, report).nearestFirst, isPartial };
}

/**
 * Of a schema and all that it inherits, those that it inherits as a schema, and itself: of a schema whose document alone it
 * inherits it has no constants and no models.
 */
export function inheritedAsSchemas(all: readonly Schema[]): readonly Schema[] {
  const names = new Set(all.slice(0, 1).map(({ name }) => name.text));
  for (const { name, inherits } of all)
    if (names.has(name.text)) for (const each of inherits) names.add(each.text);
  return all.filter(({ name }) => names.has(name.text));
}

/** All fields of these schemas; an imported one is that which it refers to, and a member of structs is an array. */
export function fieldsOf(
  all: readonly Schema[],
  schemas: ReadonlyMap<string, Schema>,
): ReadonlyMap<string, Field> {
  const parents = parentsIn(schemas);
  const fields = declaredFields(all);
  for (const [name, field] of fields) {
    const found = importedField(field, fields, parents);
    if (found !== undefined) fields.set(name, found);
  }
  const structs = structsOf(all);
  for (const [name, field] of fields)
    if (name.includes(".")) fields.set(name, memberField(field, fields, structs));
  for (const field of [...fields.values()])
    for (const each of importedMembers(field, parents)) fields.set(each.name.text, each);
  return fields;
}

/** By name the fields as they are declared, of several the nearest. */
function declaredFields(all: readonly Schema[]): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const schema of all)
    for (const [name, field] of schema.fields) if (!fields.has(name)) fields.set(name, field);
  return fields;
}

/** The structs of these schemas, those of nearer ones before others of the same name. */
export const structsOf = (all: readonly Schema[]): Structs =>
  new Map(all.toReversed().flatMap((each) => [...each.structs]));

/** The fields of each field set, by its name, those of nearer schemas first. */
export function fieldsetsOf(all: readonly Schema[]): ReadonlyMap<string, readonly string[]> {
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

/** What a schema has, and all that it inherits, for those that import from it. */
interface ParentFields {
  readonly fields: ReadonlyMap<string, Field>;
  /** Members of structs that are attributes, by the field that they are members of. */
  readonly members: ReadonlyMap<string, readonly Field[]>;
}

type ParentSchemas = (schema: string) => ParentFields | undefined;

function parentsIn(schemas: ReadonlyMap<string, Schema>): ParentSchemas {
  const found = new Map<string, ParentFields>();
  return (name) => {
    const schema = schemas.get(name);
    const cached = found.get(name);
    if (cached !== undefined || schema === undefined) return cached;
    // What is wrong with what it inherits is told of the schema itself.
    const { all } = schemasAbove(schema, schemas, new Suggestions(), () => undefined);
    const own = parentFields(all);
    found.set(name, own);
    return own;
  };
}

function parentFields(all: readonly Schema[]): ParentFields {
  const fields = declaredFields(all);
  const structs = structsOf(all);
  const members = new Map<string, Field[]>();
  for (const [name, field] of fields) {
    if (!name.includes(".") || !field.isAttribute) continue;
    const same = members.get(outerOf(name)) ?? [];
    same.push(memberField(field, fields, structs));
    members.set(outerOf(name), same);
  }
  return { fields, members };
}

/** From how many parents of parents a field may come. */
const mostGenerations = 10;

/** An imported field as its parent has it, who may import it as well. */
function importedField(
  field: Field,
  fields: ReadonlyMap<string, Field>,
  parents: ParentSchemas,
  generation = 0,
): Field | undefined {
  if (field.where !== "imported" || generation > mostGenerations) return undefined;
  const [reference = "", ...path] = field.typeText.split(".");
  const schema = referredSchema(fields.get(reference));
  const parent = schema === undefined ? undefined : parents(schema);
  const target = parent?.fields.get(path.join("."));
  if (schema === undefined || parent === undefined || target === undefined) return undefined;
  const found = importedField(target, parent.fields, parents, generation + 1) ?? target;
  const next = found.imported === undefined ? {} : { next: found.imported };
  const imported = { reference, schema, field: path.join("."), ...next };
  return { ...found, name: field.name, span: field.span, where: "imported", imported };
}

/** What an imported field has of the members of its structs: those that are attributes where it is declared. */
function importedMembers({ name, span, imported }: Field, parents: ParentSchemas): readonly Field[] {
  if (imported === undefined) return [];
  const { schema, field } = originOf(imported);
  return (parents(schema)?.members.get(field) ?? []).map((member) => {
    const path = member.name.text;
    const own = { ...name, text: `${name.text}${path.slice(field.length)}` };
    return { ...member, name: own, span, where: "imported", imported: ofMember(imported, path) };
  });
}

/** Where a field is declared that comes by way of several parents. */
function originOf(imported: ImportedFrom): ImportedFrom {
  let last = imported;
  for (let step = imported.next; step !== undefined; step = step.next) last = step;
  return last;
}

/** The same way to another field. */
const ofMember = (imported: ImportedFrom, field: string): ImportedFrom =>
  imported.next === undefined
    ? { ...imported, field }
    : { ...imported, next: ofMember(imported.next, field) };
