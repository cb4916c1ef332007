import { readNumber } from "../../formats/json/numbers.js";
import { parseJson } from "../../formats/json/parse.js";
import type { JsonValue } from "../../formats/json/value.js";
import type { Problem } from "../../language/source/problem.js";
import type { Source } from "../../language/source/span.js";
import { DocumentReading } from "./document-reading.js";

/** Query responses: their hits, with the features that ranking computed for each. */

/** A hit of a query response. */
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

/** What a Vespa answered to a query. */
export interface QueryResponse {
  /** In the order of the response; hits of groups and of other lists among them. */
  readonly hits: readonly Hit[];
  /** What the response says went wrong, in its own words. */
  readonly errors: readonly string[];
}

/** What could be read of a query response. */
export interface ParsedResponse {
  readonly response: QueryResponse | undefined;
  readonly problems: readonly Problem[];
}

/** A query response of Vespa as data, with all that is wrong with it. */
export function readResponse(source: Source): ParsedResponse {
  const { tree, problems } = parseJson(source);
  return tree === undefined ? { response: undefined, problems } : responseIn(tree);
}

/** The response that a value in JSON is. */
export function responseIn(tree: JsonValue): ParsedResponse {
  const reading = new DocumentReading();
  const root = tree.member("root");
  if (root?.kind !== "object") {
    reading.reportMember(tree, "root", "response");
    return { response: undefined, problems: reading.problems };
  }
  const hits = [...nodes(root, reading)].filter(isHit).map((each) => hitOf(each, reading));
  const response = reading.isSound ? { hits, errors: errorsOf(root) } : undefined;
  return { response, problems: reading.problems };
}

/** Everything below the root, in the order of the text, without recursion. */
function* nodes(root: JsonValue, reading: DocumentReading): Generator<JsonValue> {
  const open = childrenOf(root, reading);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    for (const child of childrenOf(node, reading)) open.push(child);
  }
}

/** The last one first. */
function childrenOf(node: JsonValue, reading: DocumentReading): JsonValue[] {
  const children = node.member("children");
  if (children === undefined) return [];
  if (children.kind !== "array") reading.report(children, "hits");
  return children.kind === "array" ? [...children.items()].reverse() : [];
}

/** Groups and lists of hits are no hits. */
function isHit(node: JsonValue): boolean {
  const isGroup = /^(?:group|grouplist|hitlist):/.test(node.member("id")?.string ?? "");
  return !isGroup && node.member("children") === undefined;
}

const featureFields = ["matchfeatures", "summaryfeatures"];

function hitOf(hit: JsonValue, reading: DocumentReading): Hit {
  if (hit.kind !== "object") reading.report(hit, "hit");
  const fields = hit.member("fields");
  if (fields !== undefined && fields.kind !== "object") reading.report(fields, "fields");
  const [matchFeatures, summaryFeatures] = featureFields.map((name) =>
    featuresOf(fields?.member(name), reading),
  );
  const others = [...(fields?.entries() ?? [])].filter(([name]) => !featureFields.includes(name));
  return {
    id: hit.member("id")?.string,
    relevance: relevanceOf(hit.member("relevance"), reading),
    features: new Map([...(summaryFeatures ?? []), ...(matchFeatures ?? [])]),
    matchFeatures: matchFeatures ?? new Map(),
    summaryFeatures: summaryFeatures ?? new Map(),
    fields: new Map(others),
    whole: hit,
  };
}

/** The engine adds notes of its own, such as `vespa.summaryFeatures.cached`, which are no features. */
function featuresOf(features: JsonValue | undefined, reading: DocumentReading): Map<string, JsonValue> {
  if (features === undefined) return new Map();
  if (features.kind !== "object") reading.report(features, "features");
  return new Map([...features.entries()].filter(([name]) => !name.startsWith("vespa.")));
}

/** JSON has no NaN and no infinities: these come as text, or as null. */
function relevanceOf(relevance: JsonValue | undefined, reading: DocumentReading): number {
  if (relevance === undefined) return Number.NaN;
  const number = readNumber(relevance);
  if (number === undefined) reading.report(relevance, "relevance");
  return number ?? Number.NaN;
}

function errorsOf(root: JsonValue): string[] {
  const errors = [...(root.member("errors")?.items() ?? [])];
  return errors.map((each) => {
    const texts = ["summary", "message"].flatMap((name) => each.member(name)?.string ?? []);
    return texts.join(": ") || each.written;
  });
}

/** The name of a hit: the id of its document where the response has it. */
export function hitName({ id, fields, whole }: Pick<Hit, "id" | "fields" | "whole">): string {
  const documentId = fields.get("documentid")?.value;
  return typeof documentId === "string" ? documentId : (id ?? `${whole.path}`);
}
