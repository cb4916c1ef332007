import type { JsonValue } from "../../../formats/json/value.js";
import type { Problem } from "../../../language/source/problem.js";
import { element } from "../../../language/values/element.js";
import { documentTypeOf } from "../../documents/feed.js";
import type { Field, ImportedFrom, Profile } from "../../package/model/model.js";
import { problem } from "../messages.js";
import type { Document } from "./document.js";

/** The documents that others import fields from, by id. */
export type Parents = ReadonlyMap<string, Document>;

/** Documents that others refer to, by their ids; those without one are left out. */
export const parentsOf = (documents: readonly Document[]): Parents =>
  new Map(
    documents.flatMap((each): [string, Document][] => (each.id === undefined ? [] : [[each.id, each]])),
  );

/**
 * The parents of documents of a profile: those given, and documents of a feed whose type is one that fields are imported from;
 * nothing where none are given, and the feed has none.
 */
export function parentsAmong(
  fed: readonly Document[],
  { fields }: Pick<Profile, "fields">,
  named?: Parents,
): Parents | undefined {
  const types = importedTypes(fields);
  const found = fed.filter(({ id = "" }) => types.has(documentTypeOf(id) ?? ""));
  return found.length === 0 ? named : new Map([...parentsOf(found), ...(named ?? [])]);
}

/** The types of documents that fields are imported from, by way of others too. */
export function importedTypes(fields: Profile["fields"]): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { imported } of fields.values())
    for (let step = imported; step !== undefined; step = step.next) types.add(step.schema);
  return types;
}

/** What fields may be imported from: documents that are named as parents, and those of the feed itself. */
export interface Imports {
  readonly named?: Parents | undefined;
  readonly fed: readonly Document[];
}

/** Hits with the fields that their documents import. */
export interface JoinedHits<Hit> {
  readonly hits: readonly Hit[];
  /** Whether there are any parents; where not, no hit has changed. */
  readonly hasParents: boolean;
  /** What documents refer to that is not there. */
  readonly problems: readonly Problem[];
}

/** The hits of a profile with the fields that their documents import, where there are parents. */
export function joinedHits<Hit extends { readonly document: Document }>(
  hits: readonly Hit[],
  { named, fed }: Imports,
  profile: Pick<Profile, "fields">,
): JoinedHits<Hit> {
  const parents = parentsAmong(fed, profile, named);
  if (parents === undefined) return { hits, hasParents: false, problems: [] };
  const own = hits.map(({ document }) => document);
  const { documents, problems } = withParents(own, parents, profile.fields);
  return {
    hits: hits.map((hit, at) => ({ ...hit, document: element(documents, at) })),
    ...{ hasParents: true, problems },
  };
}

/** Documents with the fields that they import, and what they refer to that is not there, each told once. */
export function withParents(
  documents: readonly Document[],
  parents: Parents,
  fields: ReadonlyMap<string, Field>,
): { readonly documents: readonly Document[]; readonly problems: readonly Problem[] } {
  const imported = [...fields].flatMap(([name, { imported }]) =>
    imported === undefined ? [] : [{ name, imported }],
  );
  const absent = new Map<string, JsonValue>();
  const all = documents.map((document) => {
    const values = imported.flatMap(({ name, imported }): [string, JsonValue][] => {
      const value = importedValue(document, imported, parents, absent);
      return value === undefined ? [] : [[name, value]];
    });
    return document.with(values);
  });
  const problems = [...absent].map(([id, { span }]) => problem("ranking/no-parent", span, { id }));
  return { documents: all, problems };
}

/** The value that a parent has, or a parent of it; nothing where a reference is not set, or leads nowhere. */
function importedValue(
  document: Document,
  imported: ImportedFrom,
  parents: Parents,
  absent: Map<string, JsonValue>,
): JsonValue | undefined {
  let child = document;
  for (let step: ImportedFrom | undefined = imported; step !== undefined; step = step.next) {
    const reference = child.json(step.reference);
    const id = reference?.string;
    // No text refers to nothing.
    if (reference === undefined || id === undefined || id === "") return undefined;
    const parent = parents.get(id);
    if (parent === undefined) {
      absent.set(id, reference);
      return undefined;
    }
    if (step.next === undefined) return parent.json(step.field);
    child = parent;
  }
  return undefined;
}
