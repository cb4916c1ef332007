import { Suggestions } from "../../language/source/nearest.js";
import type { Report } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import { problem } from "./messages.js";
import type { Field, Schema } from "./model.js";
import { textOf } from "./text.js";

/** The schema whose documents a field refers to. */
export const referredSchema = (field: Field | undefined): string | undefined =>
  /^reference\s*<\s*([\w$-]+)\s*>$/.exec(field?.typeText ?? "")?.[1];

/** Names of fields that nobody declares. */
const implied = new Set(["sddocname", "documentid"]);

/** That the fields of field sets are there, those that indexing takes as input, and those from which others are imported. */
export function reportFieldReferences(
  { name, fields: own, fieldsets }: Schema,
  /** All that the schema has, those that it inherits among them. */
  fields: ReadonlyMap<string, Field>,
  schemas: ReadonlyMap<string, Schema>,
  report: Report,
): void {
  const schema = name.text;
  const suggestions = new Suggestions();
  // Its input is what a document brings.
  for (const { inputs = [] } of own.values())
    for (const { text: field, span } of inputs)
      if (fields.get(field)?.where !== "document") {
        const documentFields = [...fields].flatMap(([each, { where }]) =>
          where === "document" ? [each] : [],
        );
        const values = { field, schema, nearest: suggestions.nearest(field, () => documentFields) };
        report(problem("feature/field", span, values));
      }
  // A name with points is one of a struct.
  for (const { text: field, span } of [...fieldsets.values()].flat())
    if (!fields.has(field) && !field.includes(".") && !implied.has(field)) {
      const values = { field, schema, nearest: suggestions.nearest(field, () => fields.keys()) };
      report(problem("feature/field", span, values));
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
      const values = {
        field: reference,
        schema,
        nearest: suggestions.nearest(reference, () => fields.keys()),
      };
      report(problem("feature/field", inReference, values));
    } else if (referredSchema(fields.get(reference)) === undefined) {
      const type = fields.get(reference)?.typeText ?? "";
      report(problem("field/reference", inReference, { field: reference, type }));
    } else if (parent !== undefined && isWhole(parent) && path.length === 1 && !parent.fields.has(field)) {
      const meant = suggestions.nearest(field, () => parent.fields.keys());
      const values = { field, schema: parent.name.text, nearest: meant };
      report(problem("feature/field", spanOf(reference.length + 1, field.length), values));
    }
  }
}

/** Whether a schema inherits nothing: then its fields are all that it has. */
const isWhole = ({ inherits, documentInherits }: Schema): boolean =>
  inherits.length === 0 && documentInherits.length === 0;
