import { parseSequence } from "../../formats/json/sequence.js";
import type { JsonValue } from "../../formats/json/value.js";
import type { Problem } from "../../language/source/problem.js";
import type { Source } from "../../language/source/span.js";
import { DocumentReading } from "./document-reading.js";

/**
 * Documents as they are fed to Vespa: `{"put":"id:…","fields":{…}}`, `update` and `remove`, one after another with or
 * without line breaks inside, or as the elements of one array. What a visit or a get prints is read, too: there the
 * document is named by `id`, or it is an object of its fields alone. A field stays JSON, with its place: only the schema knows its type.
 */

/** A document as it is fed: a put, an update or a removal. */
export interface FeedDocument {
  readonly kind: "put" | "update" | "remove";
  /** `id:namespace:type::name`; nothing where a document is given by its fields alone. */
  readonly id: string | undefined;
  /** The document type that the id names. */
  readonly type: string | undefined;
  /** Of a put all fields, of an update those that it assigns. Names of an update may be of parts: `tags[0]`. */
  readonly fields: ReadonlyMap<string, JsonValue>;
  /** What else an update does after that, by field: `add`, `remove`, `modify`, `increment` and so on. */
  readonly changes: ReadonlyMap<string, readonly FieldChange[]>;
  /** All of it, for messages. */
  readonly whole: JsonValue;
}

/** What an update does to a field: `assign`, `add`, `increment` and the like, and with which value. */
export interface FieldChange {
  readonly operation: string;
  readonly value: JsonValue;
}

/** A document, or what is wrong with it. */
export type FeedEntry =
  | { readonly document: FeedDocument; readonly problems: readonly Problem[] }
  | { readonly document: undefined; readonly problems: readonly Problem[] };

/** The documents of a text, one by one. One that is wrong hides none of the others. */
export function* readFeed(source: Source): Generator<FeedEntry> {
  for (const { tree, problems } of parseSequence(source)) {
    if (tree === undefined) yield { document: undefined, problems };
    else for (const each of tree.kind === "array" ? tree.items() : [tree]) yield entryOf(each);
  }
}

function entryOf(operation: JsonValue): FeedEntry {
  const reading = new DocumentReading();
  const document =
    operation.kind === "object" ? documentOf(operation, reading) : reading.report(operation, "document");
  return { document: reading.isSound ? document : undefined, problems: reading.problems };
}

const kinds = ["put", "update", "remove", "id"] as const;

function documentOf(whole: JsonValue, reading: DocumentReading): FeedDocument | undefined {
  const named = kinds.find((each) => whole.member(each) !== undefined);
  const name = named === undefined ? undefined : whole.member(named);
  const id = name?.string;
  if (name !== undefined && id === undefined && named !== "id") return reading.report(name, "id");
  const kind = named === "update" || named === "remove" ? named : "put";
  const own = whole.member("fields");
  const isBare = own === undefined && (named === undefined || named === "id") && whole.entries().size > 0;
  if (kind !== "remove" && !isBare && own?.kind !== "object")
    return reading.reportMember(whole, "fields", "fields");
  const all = kind === "remove" ? [] : isBare ? bareFields(whole, id) : [...(own?.entries() ?? [])];
  const type = documentTypeOf(id);
  const base = { kind, id, type, whole } as const;
  if (kind !== "update") return { ...base, fields: new Map(all), changes: new Map() };
  return { ...base, ...updatesOf(own?.items() ?? [], reading) };
}

/** What an update assigns, and what it does after that. Each operation counts, those of a name that comes again too. */
function updatesOf(
  all: Iterable<JsonValue>,
  reading: DocumentReading,
): Pick<FeedDocument, "fields" | "changes"> {
  const fields = new Map<string, JsonValue>();
  const changes = new Map<string, FieldChange[]>();
  for (const field of all) {
    const name = `${field.key}`;
    for (const change of changesOf(field, reading)) {
      if (change.operation !== "assign") changes.set(name, [...(changes.get(name) ?? []), change]);
      else {
        fields.set(name, change.value);
        changes.delete(name);
      }
    }
  }
  return { fields, changes };
}

/** The document type that an id names, as Vespa's ids do. */
export const documentTypeOf = (id = ""): string | undefined => /^id:[^:]*:([^:]*):/.exec(id)?.[1];

/**
 * The fields of a document that is nothing but its fields. What is called `id` there is one of them, and names the document
 * as well; an id such as Vespa has them is none.
 */
export function bareFields(whole: JsonValue, id: string | undefined): (readonly [string, JsonValue])[] {
  const fields = [...whole.entries()];
  return id?.startsWith("id:") === true ? fields.filter(([name]) => name !== "id") : fields;
}

// biome-ignore format: a row
const updates = ["assign", "add", "remove", "modify", "match", "increment", "decrement", "multiply", "divide"];

function changesOf(field: JsonValue, reading: DocumentReading): FieldChange[] {
  const changes = field.kind === "object" ? [...field.items()] : [];
  if (changes.length === 0) reading.report(field, "update");
  return changes.map((value) => {
    const operation = `${value.key}`;
    if (!updates.includes(operation))
      reading.report(value, { kind: "operation", operations: updates }, { kind: "text", text: operation });
    return { operation, value };
  });
}
