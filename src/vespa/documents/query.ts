import { parseJson } from "../../formats/json/parse.js";
import { JsonLeaf, type JsonValue } from "../../formats/json/value.js";
import type { Problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import { canonicalName } from "../../program/options.js";
import { DocumentReading } from "./document-reading.js";

/**
 * Query requests: the JSON that is posted, with names joined by dots or objects in each other, or the parameters of a
 * URL, one a line or with `&` between them. The inputs of ranking are told from the rest by Vespa's names for them.
 */

/** A query request. */
export interface Query {
  /** The rank profile that is asked for. */
  readonly profile: string | undefined;
  /** What the query gives to ranking, by the name of the feature as written: `query(q)`. */
  readonly inputs: ReadonlyMap<string, JsonValue>;
  /** Rank properties, by name. */
  readonly properties: ReadonlyMap<string, JsonValue>;
  /** Everything else, by its full name: `yql`, `hits`, `presentation.timing`. */
  readonly parameters: ReadonlyMap<string, JsonValue>;
  /** The inputs that a query profile adds to a request, by canonical name. */
  readonly added?: ReadonlySet<string>;
  /** What is given under another of its names as well: of these, Vespa takes any, and here the last counts. */
  readonly repeated?: readonly RepeatedParameter[];
}

/** A parameter that comes again under another name. */
export interface RepeatedParameter {
  readonly before: string;
  readonly name: string;
  readonly value: JsonValue;
}

/** All that a query request has, by the full names of parameters. */
export const fullNames = ({ inputs, properties: own, parameters }: Query): ReadonlyMap<string, JsonValue> =>
  new Map([
    ...[...inputs].map(([name, value]) => [parameterKey(`${features}${name}`), value] as const),
    ...[...own].map(([name, value]) => [`${properties}${name}`, value] as const),
    ...[...parameters].map(([name, value]) => [fullName(name), value] as const),
  ]);

/** What could be read of a query request. */
export interface ParsedQuery {
  readonly query: Query | undefined;
  readonly problems: readonly Problem[];
}

/** A query request of Vespa as data, with all that is wrong with it. */
export function readQuery(source: Source): ParsedQuery {
  if (!/^\s*[{[]/.test(source.text)) return { query: sorted(ofUrl(source)), problems: [] };
  const { tree, problems } = parseJson(source);
  if (tree === undefined) return { query: undefined, problems };
  if (tree.kind === "object") return { query: sorted(tree.entries()), problems };
  const reading = new DocumentReading();
  reading.report(tree, "query");
  return { query: undefined, problems: reading.problems };
}

const [features, properties] = ["ranking.features.", "ranking.properties."];
/** What is behind it may be an object. */
const wholeInput = /^input\./i;

/** The other names that parameters have in requests, in lower or upper case. */
const shorter: readonly (readonly [RegExp, string])[] = [
  [/^(?:input|rankfeature)\.(?=.)/i, features],
  [/^rankproperty\.(?=.)/i, properties],
  [/^ranking$/i, "ranking.profile"],
];

/** The full name of a parameter, which is the only one that it has in query profiles. */
export function fullName(name: string): string {
  const found = shorter.find(([form]) => form.test(name));
  return found === undefined ? name : name.replace(found[0], found[1]);
}

/** The name behind such a beginning of a full name. */
const nameAfter = (beginning: string, name: string): string | undefined =>
  name.startsWith(beginning) && name.length > beginning.length ? name.slice(beginning.length) : undefined;

/** A name that all ways to write one parameter have in common. */
export function parameterKey(name: string): string {
  const full = fullName(name);
  const input = nameAfter(features, full);
  return input === undefined ? full : `${features}${canonicalName(input)}`;
}

/** How many parts and letters a name may have that objects in each other make; what lies deeper is a value. */
const mostParts = 50;
const mostLetters = 1000;

/** The value of a parameter as Vespa has it, where all are texts: what is written, unless that is a string. */
export const parameterText = (value: JsonValue): string => value.string ?? value.written;

/**
 * Told apart by their names. Walks down objects, whose keys become parts of names; what is behind `input.` may be an object
 * itself.
 */
export function sorted(entries: Iterable<readonly [string, JsonValue]>): Query {
  const inputs = new Map<string, JsonValue>();
  const rankProperties = new Map<string, JsonValue>();
  const parameters = new Map<string, JsonValue>();
  const names = new Map<string, string>();
  const repeated: RepeatedParameter[] = [];
  const open = Array.from(entries, ([name, value]) => ({ name, value, parts: 1 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, value, parts } = next;
    const full = fullName(name);
    const [input, property] = [nameAfter(features, full), nameAfter(properties, full)];
    const isWhole = value.kind !== "object" || (input !== undefined && wholeInput.test(name));
    if (!isWhole && parts < mostParts && name.length < mostLetters) {
      for (const [key, each] of [...value.entries()].reverse())
        open.push({ name: `${name}.${key}`, value: each, parts: parts + 1 });
      continue;
    }
    const key = parameterKey(name);
    const before = names.get(key);
    if (before !== undefined && before !== name) repeated.push({ before, name, value });
    names.set(key, name);
    if (input !== undefined) inputs.set(input, value);
    else if (property !== undefined) rankProperties.set(property, value);
    else parameters.set(name, value);
  }
  const asked = [...parameters.keys()].findLast((each) => fullName(each) === "ranking.profile");
  const profile = parameters.get(asked ?? "")?.string;
  return { profile, inputs, properties: rankProperties, parameters, repeated };
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
    const span: Span = { source, start: found.index + at + 1, end: found.index + found[0].length };
    yield [name, new JsonLeaf(decoded(found[0].slice(at + 1).trim()), span, name)];
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
