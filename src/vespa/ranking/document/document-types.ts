import type { Problem } from "../../../language/source/problem.js";
import { element } from "../../../language/values/element.js";
import { spanOfText } from "../../../language/values/messages.js";
import { documentTypeOf } from "../../documents/feed.js";
import type { Profile } from "../../package/model/model.js";
import { problem } from "../messages.js";
import type { Document } from "./document.js";
import { withMadeFields } from "./made-fields.js";
import { importedTypes } from "./parents.js";

/**
 * The hits whose documents a profile can rank: a document that says its type in its id is one of the schema with this name. Those
 * that others import from are no hits, of which nothing is told.
 * What a response has of documents is left to the response. What their fields are made of, they have too.
 */
export function hitsOfSchema<Hit extends { readonly document: Document }>(
  hits: readonly Hit[],
  { schema, fields }: Pick<Profile, "schema" | "fields">,
): { readonly hits: readonly Hit[]; readonly problems: readonly Problem[] } {
  const name = schema.name.text;
  const others = new Map<string, string[]>();
  const own = hits.filter(({ document: { id = "", isWhole } }) => {
    const type = documentTypeOf(id);
    if (type === undefined || type === name || !isWhole) return true;
    const ids = others.get(type) ?? [];
    ids.push(id);
    others.set(type, ids);
    return false;
  });
  const code = own.length === 0 ? "ranking/no-type" : "ranking/other-type";
  const parents = own.length === 0 ? new Set<string>() : importedTypes(fields);
  const left = [...others].filter(([type]) => !parents.has(type));
  const problems = left.map(([type, ids]) =>
    problem(code, spanOfText("documents", element(ids, 0)), { type, count: ids.length, schema: name }),
  );
  return { hits: withMadeFields(own, fields), problems };
}
