import { nearest } from "../../language/source/nearest.js";
import type { Report } from "../../language/source/problem.js";
import { problem } from "./messages.js";
import type { Schema } from "./model.js";

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

/** That the types of fields are there: types of Vespa, structs, and other documents. */
export function reportFieldTypes(
  { fields }: Schema,
  /** The schema and all that it inherits. */
  hierarchy: readonly Schema[],
  schemas: ReadonlyMap<string, Schema>,
  report: Report,
): void {
  const all = new Set([...types, ...schemas.keys(), ...hierarchy.flatMap(({ structs }) => [...structs])]);
  for (const { typeText, typeSpan, where, name } of fields.values()) {
    if (typeSpan === undefined || where === "imported" || typeText.startsWith("tensor")) continue;
    // What stands in the brackets of a reference is a document, which may be elsewhere.
    const words = typeText.replace(/reference\s*<[^<>]*>/g, "reference").matchAll(/[\w$.-]+/g);
    for (const [word] of words) {
      if (all.has(word)) continue;
      report(problem("field/type", typeSpan, { field: name.text, type: word, nearest: nearest(word, all) }));
      break;
    }
  }
}
