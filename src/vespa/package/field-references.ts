import { Suggestions } from "../../language/source/nearest.js";
import type { Report } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import { problem } from "./messages.js";
import type { Field, Schema } from "./model.js";
import { reportSummaries } from "./summaries.js";
import { textOf } from "./text.js";

/** The schema whose documents a field refers to. */
export const referredSchema = (field: Field | undefined): string | undefined =>
  /^reference\s*<\s*([\w$-]+)\s*>$/.exec(field?.typeText ?? "")?.[1];

/** Names of fields that nobody declares. */
const implied = new Set(["sddocname", "documentid"]);

/** That the fields of field sets are there, those that indexing takes as input, and those from which others are imported. */
export function reportFieldReferences(
  schema: Schema,
  /** The schema, and those that it inherits. */
  hierarchy: readonly Schema[],
  /** All that the schema has, those that it inherits among them. */
  fields: ReadonlyMap<string, Field>,
  schemas: ReadonlyMap<string, Schema>,
  report: Report,
): void {
  const { name, fields: own, fieldsets } = schema;
  const suggestions = new Suggestions();
  const absent = (field: string, span: Span, schema: string, candidates: () => Iterable<string>): void => {
    const values = { field, schema, nearest: suggestions.nearest(field, candidates) };
    report(problem("feature/field", span, values));
  };
  const documentFields = (): string[] =>
    [...fields].flatMap(([each, { where }]) => (where === "document" ? [each] : []));
  // Its input is what a document brings.
  for (const { inputs = [] } of own.values())
    for (const { text: field, span } of inputs)
      if (fields.get(field)?.where !== "document") absent(field, span, name.text, documentFields);
  // A name with points is one of a struct.
  for (const { text: field, span } of [...fieldsets.values()].flat())
    if (!fields.has(field) && !field.includes(".") && !implied.has(field))
      absent(field, span, name.text, () => fields.keys());
  const summaries = new Set(hierarchy.flatMap((each) => each.summaries.map((summary) => summary.name)));
  reportSummaries(schema, { fields, summaries }, report, ({ text, span }) =>
    absent(text, span, name.text, () => fields.keys()),
  );
  for (const [member, { name: word, where }] of own) {
    const [outer = "", ...path] = member.split(".");
    const holder = where === "imported" || path.length === 0 ? undefined : fields.get(outer);
    const isOfMany = /^(?:array|map)\s*</.test(holder?.typeText ?? "");
    if (isOfMany && fields.get(member)?.typeText === "") absent(member, word.span, name.text, () => []);
  }
  for (const imported of own.values()) {
    if (imported.where !== "imported") continue;
    const [reference = "", ...path] = imported.typeText.split(".");
    const [parent, field] = [schemas.get(referredSchema(fields.get(reference)) ?? ""), path.join(".")];
    const at = textOf(imported.span).indexOf(imported.typeText);
    const spanOf = (from: number, length: number): Span => {
      const start = imported.span.start + at + from;
      return { ...imported.span, start, end: start + length };
    };
    const inReference = spanOf(0, reference.length);
    if (!fields.has(reference)) {
      absent(reference, inReference, name.text, () => fields.keys());
    } else if (referredSchema(fields.get(reference)) === undefined) {
      const type = fields.get(reference)?.typeText ?? "";
      report(problem("field/reference", inReference, { field: reference, type }));
    } else if (parent !== undefined && isWhole(parent) && path.length === 1 && !parent.fields.has(field)) {
      const inPath = spanOf(reference.length + 1, field.length);
      absent(field, inPath, parent.name.text, () => parent.fields.keys());
    }
  }
}

/** Whether a schema inherits nothing: then its fields are all that it has. */
const isWhole = ({ inherits, documentInherits }: Schema): boolean =>
  inherits.length === 0 && documentInherits.length === 0;
