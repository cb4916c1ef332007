import { afterSpace, valueEnd } from "../../formats/json/place.js";
import { JsonReading } from "../../formats/json/reading.js";
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  JsonValue,
  member,
  Path,
  shown,
} from "../../formats/json/text.js";
import type { Problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";

/**
 * Documents as they are fed to Vespa: `{"put":"id:…","fields":{…}}`, `update` and `remove`, one after another with or
 * without line breaks inside, or as the elements of one array. What a visit or a get prints is read, too: there the
 * document is named by `id`. A field stays JSON, with its place: only the schema knows its type.
 */
export interface FeedDocument {
  readonly kind: "put" | "update" | "remove";
  /** `id:namespace:type::name`; nothing where a document is given by its fields alone. */
  readonly id: string | undefined;
  /** The document type that the id names. */
  readonly type: string | undefined;
  /** Of a put all fields, of an update those that it assigns. */
  readonly fields: ReadonlyMap<string, JsonValue>;
  /** What else an update does, by field: `add`, `remove`, `modify`, `increment` and so on. */
  readonly changes: ReadonlyMap<string, readonly FieldChange[]>;
  /** All of it, for messages. */
  readonly whole: JsonValue;
}

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
  for (const { root, path, value, problems } of operations(source)) {
    if (value === undefined) {
      yield { document: undefined, problems };
      continue;
    }
    const reading = new JsonReading(root);
    const document = isObject(value)
      ? documentOf(new JsonValue(value, root, path), value, reading)
      : reading.complain(path, shown(value), wanted);
    yield { document: reading.isSound ? document : undefined, problems: reading.problems };
  }
}

const wanted = 'a document: {"put":"id:…","fields":{…}}';

interface Operation {
  readonly root: Span;
  readonly path: Path;
  readonly value: Json | undefined;
  readonly problems: readonly Problem[];
}

function* operations(source: Source): Generator<Operation> {
  const { text } = source;
  /** Up to here lines are known to be no documents of their own. */
  let mixed = 0;
  for (let at = startOfNext(text, 0); at < text.length; ) {
    const lineEnd = at < mixed ? undefined : endOfLine(text, at);
    // Mostly a line is a document, and the engine's own reader is much faster than a walk.
    const line = lineEnd === undefined ? undefined : parsed(text.slice(at, lineEnd));
    if (line === undefined) mixed = lineEnd ?? mixed;
    const end = line === undefined || lineEnd === undefined ? endOfOne(text, at) : lineEnd;
    const root = { source, start: at, end };
    const reading = new JsonReading(root);
    const value = line ?? reading.parse();
    const { problems } = reading;
    if (isList(value)) {
      for (const [index, each] of value.entries())
        yield { root, path: Path.root.at(index), value: each, problems };
    } else yield { root, path: Path.root, value, problems };
    at = startOfNext(text, end);
  }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** Documents may have commas between them, as they do when they are copied out of an array. */
function startOfNext(text: string, from: number): number {
  let at = afterSpace(text, from);
  while (text[at] === "," || text[at] === "\ufeff") at = afterSpace(text, at + 1);
  return at;
}

/** A document that lacks its end goes as far as the next line on which one begins. */
function endOfOne(text: string, start: number): number {
  const end = valueEnd(text, start);
  const one = text.slice(start, end);
  const next = one.indexOf("\n{", 1);
  return text[start] !== "{" || next < 0 || parsed(one) !== undefined ? end : start + next;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const kinds = ["put", "update", "remove", "id"] as const;

function documentOf(whole: JsonValue, object: JsonObject, reading: JsonReading): FeedDocument | undefined {
  const { path } = whole;
  const named = kinds.find((each) => Object.hasOwn(object, each));
  const id = named === undefined ? undefined : member(object, named);
  if (id !== undefined && typeof id !== "string") {
    return reading.complain(path.at(named ?? ""), shown(id), "a document id, as text");
  }
  const kind = named === "update" || named === "remove" ? named : "put";
  const fields = whole.member("fields");
  if (kind !== "remove" && !isObject(fields?.value)) {
    return reading.complain(path.at("fields"), shown(fields?.value), "an object of fields");
  }
  const all = kind === "remove" ? [] : [...(fields?.entries() ?? [])];
  const type = /^id:[^:]*:([^:]*):/.exec(id ?? "")?.[1];
  const base = { kind, id, type, whole } as const;
  if (kind !== "update") return { ...base, fields: new Map(all), changes: new Map() };
  const changes = all.map(([name, value]): [string, FieldChange[]] => [name, changesOf(value, reading)]);
  const assigned = changes.flatMap(([name, each]) =>
    each
      .filter(({ operation }) => operation === "assign")
      .map(({ value }): [string, JsonValue] => [name, value]),
  );
  const others = changes
    .map(([name, each]): [string, FieldChange[]] => [name, each.filter((one) => one.operation !== "assign")])
    .filter(([, each]) => each.length > 0);
  return { ...base, fields: new Map(assigned), changes: new Map(others) };
}

// biome-ignore format: a row
const updates = ["assign", "add", "remove", "modify", "match", "increment", "decrement", "multiply", "divide"];

function changesOf(field: JsonValue, reading: JsonReading): FieldChange[] {
  const changes = isObject(field.value) ? [...field.entries()] : [];
  if (changes.length === 0) {
    reading.complain(field.path, shown(field.value), 'an update of the field, such as {"assign":…}');
  }
  return changes.map(([operation, value]) => {
    if (!updates.includes(operation))
      reading.complain(value.path, shown(operation), `one of ${updates.join(", ")}`);
    return { operation, value };
  });
}
