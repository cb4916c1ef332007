import type { Suggestions } from "../../../language/source/nearest.js";
import type { Report } from "../../../language/source/problem.js";
import { problem } from "../model/messages.js";
import type { Field, Schema } from "../model/model.js";
import { referredSchema } from "../schemas/field-references.js";
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
  const fields = new Map<string, Field>();
  for (const schema of all)
    for (const [name, field] of schema.fields) if (!fields.has(name)) fields.set(name, field);
  for (const [name, field] of fields) {
    const found = importedField(field, fields, schemas);
    if (found !== undefined) fields.set(name, found);
  }
  const structs = structsOf(all);
  for (const [name, field] of fields)
    if (name.includes(".")) fields.set(name, memberField(field, fields, structs));
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
