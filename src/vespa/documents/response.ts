import { spelt } from "../../formats/json/numbers.js";
import { JsonReading, wholeOf } from "../../formats/json/reading.js";
import { isList, isObject, JsonValue, Path, shown } from "../../formats/json/text.js";
import type { Problem } from "../../language/source/problem.js";
import type { Source } from "../../language/source/span.js";

/** Query responses: their hits, with the features that ranking computed for each. */
export interface Hit {
  readonly id: string | undefined;
  /** NaN where the response does not say. */
  readonly relevance: number;
  /** The features of `matchfeatures` and `summaryfeatures`; of one that both have, the former. */
  readonly features: ReadonlyMap<string, JsonValue>;
  readonly matchFeatures: ReadonlyMap<string, JsonValue>;
  readonly summaryFeatures: ReadonlyMap<string, JsonValue>;
  /** All other fields. */
  readonly fields: ReadonlyMap<string, JsonValue>;
  /** All of it, for messages. */
  readonly whole: JsonValue;
}

export interface QueryResponse {
  /** In the order of the response; hits of groups and of other lists among them. */
  readonly hits: readonly Hit[];
  /** What the response says went wrong, in its own words. */
  readonly errors: readonly string[];
}

export interface ParsedResponse {
  readonly response: QueryResponse | undefined;
  readonly problems: readonly Problem[];
}

export function readResponse(source: Source): ParsedResponse {
  const span = wholeOf(source);
  const reading = new JsonReading(span);
  const value = reading.parse();
  if (value === undefined) return { response: undefined, problems: reading.problems };
  const root = new JsonValue(value, span).member("root");
  if (root === undefined || !isObject(root.value)) {
    reading.complain(
      Path.root.at("root"),
      shown(root?.value),
      'an object with hits: {"root":{"children":[…]}}',
    );
    return { response: undefined, problems: reading.problems };
  }
  const hits = [...nodes(root, reading)].filter(isHit).map((each) => hitOf(each, reading));
  const response = reading.isSound ? { hits, errors: errorsOf(root) } : undefined;
  return { response, problems: reading.problems };
}

/** Everything below the root, in the order of the text, without recursion. */
function* nodes(root: JsonValue, reading: JsonReading): Generator<JsonValue> {
  const open = childrenOf(root, reading);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    for (const child of childrenOf(node, reading)) open.push(child);
  }
}

/** The last one first. */
function childrenOf(node: JsonValue, reading: JsonReading): JsonValue[] {
  const children = node.member("children");
  if (children === undefined) return [];
  if (!isList(children.value)) {
    reading.complain(children.path, shown(children.value), "an array of hits");
    return [];
  }
  return [...children.entries()].map(([, each]) => each).reverse();
}

/** Groups and lists of hits are no hits. */
function isHit(node: JsonValue): boolean {
  const id = node.member("id")?.value;
  const isGroup = typeof id === "string" && /^(?:group|grouplist|hitlist):/.test(id);
  return !isGroup && node.member("children") === undefined;
}

const featureFields = ["matchfeatures", "summaryfeatures"];

function hitOf(hit: JsonValue, reading: JsonReading): Hit {
  if (!isObject(hit.value)) reading.complain(hit.path, shown(hit.value), "a hit: an object");
  const fields = hit.member("fields");
  if (fields !== undefined && !isObject(fields.value)) {
    reading.complain(fields.path, shown(fields.value), "an object of fields");
  }
  const [matchFeatures, summaryFeatures] = featureFields.map((name) =>
    featuresOf(fields?.member(name), reading),
  );
  const others = [...(fields?.entries() ?? [])].filter(([name]) => !featureFields.includes(name));
  const id = hit.member("id")?.value;
  return {
    id: typeof id === "string" ? id : undefined,
    relevance: relevanceOf(hit.member("relevance"), reading),
    features: new Map([...(summaryFeatures ?? []), ...(matchFeatures ?? [])]),
    matchFeatures: matchFeatures ?? new Map(),
    summaryFeatures: summaryFeatures ?? new Map(),
    fields: new Map(others),
    whole: hit,
  };
}

/** The engine adds notes of its own, such as `vespa.summaryFeatures.cached`, which are no features. */
function featuresOf(features: JsonValue | undefined, reading: JsonReading): Map<string, JsonValue> {
  if (features === undefined) return new Map();
  if (!isObject(features.value)) {
    reading.complain(features.path, shown(features.value), "an object of features");
  }
  return new Map([...features.entries()].filter(([name]) => !name.startsWith("vespa.")));
}

/** JSON has no NaN and no infinities: these come as text, or as null. */
function relevanceOf(relevance: JsonValue | undefined, reading: JsonReading): number {
  const { value = null } = relevance ?? {};
  if (typeof value === "number") return value;
  if (value === null) return Number.NaN;
  const number = typeof value === "string" ? spelt(value) : undefined;
  if (number === undefined) reading.complain(relevance?.path ?? Path.root, shown(value), "a number");
  return number ?? Number.NaN;
}

function errorsOf(root: JsonValue): string[] {
  const errors = [...(root.member("errors")?.entries() ?? [])];
  return errors.map(([, each]) => {
    const texts = ["summary", "message"].flatMap((name) => {
      const text = each.member(name)?.value;
      return typeof text === "string" ? [text] : [];
    });
    return texts.join(": ") || JSON.stringify(each.value);
  });
}
