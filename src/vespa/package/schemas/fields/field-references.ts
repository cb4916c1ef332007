import { Suggestions } from "../../../../language/source/nearest.js";
import type { Report } from "../../../../language/source/problem.js";
import { textIn } from "../../../../language/source/span.js";
import type { Word } from "../../../../language/syntax/tree.js";
import { problem } from "../../model/messages.js";
import type { Field, Schema } from "../../model/model.js";
import { reportSummaries } from "../summaries.js";

/** The schema whose documents a field refers to. */
export const referredSchema = (field: Field | undefined): string | undefined =>
  /^reference\s*<\s*([\w$-]+)\s*>$/.exec(field?.typeText ?? "")?.[1];

/** Names of fields that nobody declares. */
const implied = new Set(["sddocname", "documentid"]);

/** What the checks of a schema look at. */
interface SchemaContext {
  readonly schema: Schema;
  /** The schema, and those that it inherits. */
  readonly hierarchy: readonly Schema[];
  /** All that the schema has, those that it inherits among them. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly report: Report;
}

/** That the fields are there which others refer to: indexing, field sets, summaries, members of structs and imports. */
export function reportFieldReferences(context: SchemaContext): void {
  const absent = new AbsentFields(context);
  reportInputs(context, absent);
  reportFieldSets(context, absent);
  reportSummaryFields(context, absent);
  reportMembers(context, absent);
  reportImports(context, absent);
}

/** Reports fields that are not there, with the nearest of those that could be meant. */
class AbsentFields {
  private readonly suggestions = new Suggestions();

  constructor(private readonly context: SchemaContext) {}

  /** A field that the schema does not have. */
  report(
    { text: field, span }: Word,
    candidates: () => Iterable<string> = () => this.context.fields.keys(),
    schema = this.context.schema,
  ): void {
    const values = {
      field,
      schema: schema.name.text,
      nearest: this.suggestions.nearest(field, candidates),
    };
    this.context.report(problem("feature/field", span, values));
  }
}

/** What indexing takes as input: what a document brings, or an attribute that ranking may change. */
function reportInputs({ schema, fields }: SchemaContext, absent: AbsentFields): void {
  const mayBeInput = ({ where, isMutable }: Field): boolean => where === "document" || isMutable === true;
  const candidates = (): string[] => [...fields].flatMap(([name, each]) => (mayBeInput(each) ? [name] : []));
  for (const { inputs = [] } of schema.fields.values())
    for (const input of inputs) {
      const found = fields.get(input.text);
      if (found === undefined || !mayBeInput(found)) absent.report(input, candidates);
    }
}

function reportFieldSets({ schema, fields }: SchemaContext, absent: AbsentFields): void {
  // A name with points is one of a struct.
  for (const field of [...schema.fieldsets.values()].flat())
    if (!fields.has(field.text) && !field.text.includes(".") && !implied.has(field.text))
      absent.report(field);
}

function reportSummaryFields(
  { schema, hierarchy, fields, report }: SchemaContext,
  absent: AbsentFields,
): void {
  const summaries = new Set(hierarchy.flatMap((each) => each.summaries.map((summary) => summary.name)));
  reportSummaries(schema, { fields, summaries }, report, (field) => absent.report(field));
}

/** Members of structs that fields are arrays or maps of. */
function reportMembers({ schema, fields }: SchemaContext, absent: AbsentFields): void {
  for (const [member, { name, where }] of schema.fields) {
    const [outer = "", ...path] = member.split(".");
    const holder = where === "imported" || path.length === 0 ? undefined : fields.get(outer);
    const isOfMany = /^(?:array|map)\s*</.test(holder?.typeText ?? "");
    if (isOfMany && fields.get(member)?.typeText === "")
      absent.report({ text: member, span: name.span }, () => []);
  }
}

/** References by which fields are imported, and the fields of the schemas that they refer to. */
function reportImports(context: SchemaContext, absent: AbsentFields): void {
  for (const field of context.schema.fields.values())
    if (field.where === "imported") reportImport(field, context, absent);
}

function reportImport(
  { typeText, span }: Field,
  { fields, schemas, report }: SchemaContext,
  absent: AbsentFields,
): void {
  const [reference = "", ...path] = typeText.split(".");
  const start = span.start + textIn(span).indexOf(typeText);
  const inReference = { ...span, start, end: start + reference.length };
  const referring = fields.get(reference);
  if (referring === undefined) return absent.report({ text: reference, span: inReference });
  const referred = referredSchema(referring);
  if (referred === undefined) {
    const values = { field: reference, type: referring.typeText };
    return report(problem("field/reference", inReference, values));
  }
  const parent = schemas.get(referred);
  const field = path.join(".");
  if (parent === undefined || !isWhole(parent) || path.length !== 1 || parent.fields.has(field)) return;
  const inPath = { ...span, start: inReference.end + 1, end: inReference.end + 1 + field.length };
  absent.report({ text: field, span: inPath }, () => parent.fields.keys(), parent);
}

/** Whether a schema inherits nothing: then its fields are all that it has. */
const isWhole = ({ inherits, documentInherits }: Schema): boolean =>
  inherits.length === 0 && documentInherits.length === 0;
