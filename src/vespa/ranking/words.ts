import type { JsonValue } from "../../formats/json/value.js";
import type { Field } from "../package/model.js";
import type { Document } from "./document.js";

/**
 * The words of documents and queries: what stands between all that is neither letter nor digit, in lower case. This is
 * what an engine makes of a text without stemming; with it, words that differ here may be the same there.
 */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** The words of a field of a document, those of several values one after another; of an attribute each value is one. */
export function wordsIn(document: Document, field: Field): readonly string[] {
  const texts = textsIn(document.json(field.name.text));
  return field.isIndex ? texts.flatMap(wordsOf) : texts.map((text) => text.toLowerCase());
}

function textsIn(value: JsonValue | undefined): string[] {
  if (value === undefined) return [];
  if (value.kind === "object") return [...value.entries().keys()];
  if (value.kind === "array") return [...value.items()].flatMap(textsIn);
  return value.scalar === undefined || value.scalar === null ? [] : [`${value.scalar}`];
}

/** What is counted over all documents, of which a score sees only one. */
export interface Statistics {
  readonly documents: number;
  readonly averageLength: (field: string) => number | undefined;
  /** In how many documents a word is. */
  readonly documentsWith: (field: string, word: string) => number;
}

/** The statistics of these documents, as if there were no others. */
export function statisticsOf(documents: readonly Document[], fields: readonly Field[]): Statistics {
  const lengths = new Map<string, number>();
  const counts = new Map<string, Map<string, number>>();
  for (const field of fields.filter((each) => each.isIndex)) {
    const { text: name } = field.name;
    const own = new Map<string, number>();
    let total = 0;
    let having = 0;
    for (const document of documents) {
      const words = wordsIn(document, field);
      total += words.length;
      if (words.length > 0) having++;
      for (const word of new Set(words)) own.set(word, (own.get(word) ?? 0) + 1);
    }
    counts.set(name, own);
    if (having > 0) lengths.set(name, total / having);
  }
  return {
    documents: documents.length,
    averageLength: (field) => lengths.get(field),
    documentsWith: (field, word) => counts.get(field)?.get(word) ?? 0,
  };
}

/** `{ "documents": 1000, "fields": { "title": { "averageLength": 6.5, "documents": { "chair": 12 } } } }` */
export function statisticsIn(json: JsonValue): Statistics | undefined {
  const documents = json.member("documents")?.number;
  const fields = json.member("fields");
  if (documents === undefined || fields?.kind !== "object") return undefined;
  return {
    documents,
    averageLength: (field) => fields.member(field)?.member("averageLength")?.number,
    documentsWith: (field, word) => fields.member(field)?.member("documents")?.member(word)?.number ?? 0,
  };
}
