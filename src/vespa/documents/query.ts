import { afterSpace } from "../../formats/json/place.js";
import { JsonReading, wholeOf } from "../../formats/json/reading.js";
import { isObject, JsonValue, Path, shown } from "../../formats/json/text.js";
import type { Problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";

/**
 * Query requests: the JSON that is posted, with names joined by dots or objects in each other, or the parameters of a
 * URL, one a line or with `&` between them. The inputs of ranking are told from the rest by Vespa's names for them.
 */
export interface Query {
  /** The rank profile that is asked for. */
  readonly profile: string | undefined;
  /** What the query gives to ranking, by the name of the feature as written: `query(q)`. */
  readonly inputs: ReadonlyMap<string, JsonValue>;
  /** Rank properties, by name. */
  readonly properties: ReadonlyMap<string, JsonValue>;
  /** Everything else, by its full name: `yql`, `hits`, `presentation.timing`. */
  readonly parameters: ReadonlyMap<string, JsonValue>;
}

export interface ParsedQuery {
  readonly query: Query | undefined;
  readonly problems: readonly Problem[];
}

export function readQuery(source: Source): ParsedQuery {
  const start = afterSpace(source.text, 0);
  if (source.text[start] !== "{" && source.text[start] !== "[")
    return { query: sorted(ofUrl(source)), problems: [] };
  const root = wholeOf(source);
  const reading = new JsonReading(root);
  const value = reading.parse();
  if (value !== undefined && !isObject(value)) {
    reading.complain(Path.root, shown(value), "an object with the parameters of a query");
  }
  const query = isObject(value) ? sorted(new JsonValue(value, root).entries()) : undefined;
  return { query, problems: reading.problems };
}

const inputNames = ["input.", "ranking.features.", "rankfeature."];
const propertyNames = ["ranking.properties.", "rankproperty."];

/** The name behind one of these beginnings. */
const nameBehind = (beginnings: readonly string[], name: string): string | undefined => {
  const beginning = beginnings.find((each) => name.startsWith(each) && name.length > each.length);
  return beginning === undefined ? undefined : name.slice(beginning.length);
};

/** Walks down objects until a name is complete: what an input is given may be an object, too. */
function sorted(given: Iterable<readonly [string, JsonValue]>): Query {
  const inputs = new Map<string, JsonValue>();
  const properties = new Map<string, JsonValue>();
  const parameters = new Map<string, JsonValue>();
  const open = [...given].reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, value] = next;
    const input = nameBehind(inputNames, name);
    const property = nameBehind(propertyNames, name);
    if (input !== undefined) inputs.set(input, value);
    else if (property !== undefined) properties.set(property, value);
    else if (isObject(value.value)) {
      const inner = [...value.entries()].map(([key, each]) => [`${name}.${key}`, each] as const);
      open.push(...inner.reverse());
    } else parameters.set(name, value);
  }
  const profile = (parameters.get("ranking.profile") ?? parameters.get("ranking"))?.value;
  return { profile: typeof profile === "string" ? profile : undefined, inputs, properties, parameters };
}

/** `https://…/search/?name=value&…`, or only the part behind the question mark, or lines of `name=value`. */
function* ofUrl(source: Source): Generator<[string, JsonValue]> {
  const { text } = source;
  const query = /^\s*(?:[a-z]+:\/\/|\/)[^?\s]*\?|^\s*\?/i.exec(text);
  const part = /[^&\r\n]+/g;
  part.lastIndex = query?.[0].length ?? 0;
  for (let found = part.exec(text); found !== null; found = part.exec(text)) {
    const at = found[0].indexOf("=");
    const name = decoded(found[0].slice(0, Math.max(at, 0)).trim());
    if (name === "") continue;
    const root: Span = { source, start: found.index + at + 1, end: found.index + found[0].length };
    yield [name, new JsonValue(decoded(found[0].slice(at + 1).trim()), root, Path.named(name))];
  }
}

/** A `%` that begins no character stands for itself, and `+` for a space where anything is encoded. */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
