import { Suggestions } from "../../../../language/source/nearest.js";
import type { Report } from "../../../../language/source/problem.js";
import { problem } from "../../model/messages.js";
import type { Schema } from "../../model/model.js";
import { referredSchema } from "./field-references.js";

/** The types of fields that are no structs, and the words of types that hold others. */
const types = new Set([
  ...[
    "string",
    "int",
    "long",
    "byte",
    "bool",
    "float",
    "float16",
    "double",
    "raw",
    "uri",
    "url",
    "position",
    "predicate",
    "tag",
  ],
  ...["array", "weightedset", "map", "reference", "annotationreference", "tensor"],
]);

/** That the types of fields are there, types of Vespa, structs, and other documents; and that attributes are of such as may be. */
export function reportFieldTypes(
  { fields }: Schema,
  /** The schema and all that it inherits. */
  hierarchy: readonly Schema[],
  schemas: ReadonlyMap<string, Schema>,
  report: Report,
): void {
  const suggestions = new Suggestions();
  const structs = new Set(hierarchy.flatMap((each) => [...each.structs.keys()]));
  const all = new Set([...types, ...schemas.keys(), ...structs]);
  for (const field of fields.values()) {
    const { typeText, typeSpan, where, name } = field;
    if (typeSpan === undefined || where === "imported" || typeText.startsWith("tensor")) continue;
    // A document that is referred to may be elsewhere, where there is one schema alone.
    const referred = schemas.size > 1 ? referredSchema(field) : undefined;
    const words = typeText.replace(/reference\s*<[^<>]*>/g, "reference").matchAll(/[\w$.-]+/g);
    const unknown = [...words].map(([word]) => word).find((word) => !all.has(word));
    if (referred !== undefined && !schemas.has(referred)) {
      const values = {
        field: name.text,
        type: referred,
        nearest: suggestions.nearest(referred, () => schemas.keys()),
      };
      report(problem("field/type", typeSpan, values));
    } else if (unknown !== undefined) {
      const values = { field: name.text, type: unknown, nearest: suggestions.nearest(unknown, () => all) };
      report(problem("field/type", typeSpan, values));
    } else if (field.isAttribute && isOfMembers(typeText, structs))
      report(problem("field/attribute", typeSpan, { field: name.text, type: typeText }));
  }
}

/** Whether a value, or each of an array, has members, each of which may be an attribute. */
function isOfMembers(type: string, structs: ReadonlySet<string>): boolean {
  const [, inner = type] = /^(?:array|weightedset)\s*<(.*)>$/s.exec(type) ?? [];
  return structs.has(inner.trim()) || /^\s*map\b/.test(inner);
}
