import { JsonReading, wholeOf } from "../../formats/json/reading.js";
import { isObject, JsonValue, Path, shown } from "../../formats/json/text.js";
import { type Problem, problem, SphexError } from "../../language/source/problem.js";
import type { Source } from "../../language/source/span.js";
import { canonicalName } from "../../program/options.js";
import type { Hit } from "../documents/response.js";

/**
 * Features that are given, because only an engine can compute them or because somebody wants to see what would be if:
 * values by canonical name. They come from a JSON object, from `name=value`, or from what a response holds of a hit.
 */
export type GivenFeatures = ReadonlyMap<string, JsonValue>;

/** A JSON object of names and values. */
export function readFeatures(source: Source): {
  readonly features: GivenFeatures;
  readonly problems: readonly Problem[];
} {
  const root = wholeOf(source);
  const reading = new JsonReading(root);
  const value = reading.parse();
  if (value !== undefined && !isObject(value))
    reading.complain(Path.root, shown(value), "an object of features and their values");
  const features = value === undefined ? new Map() : featuresIn(new JsonValue(value, root));
  return { features, problems: reading.problems };
}

export const featuresIn = (object: JsonValue): GivenFeatures => canonical(object.entries());

/** `bm25(title)=3.2`: a number, a literal, or JSON. The value begins behind the first `=` outside of brackets. */
export function featureSetting(text: string): readonly [string, JsonValue] {
  const at = equalsIn(text);
  const name = text.slice(0, Math.max(at, 0)).trim();
  const source = { name: "--feature", text };
  if (name === "")
    throw new SphexError([problem("ranking/setting", wholeOf(source), { text, form: "bm25(title)=3.2" })]);
  const root = { source, start: at + 1, end: text.length };
  const value = text.slice(at + 1).trim();
  return [featureKey(name), new JsonValue(parsedOr(value), root, Path.named(name))];
}

function equalsIn(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if ("([{".includes(sign)) depth++;
    else if (")]}".includes(sign)) depth--;
    else if (sign === "=" && depth <= 0) return at;
  }
  return -1;
}

/** What is JSON is that; anything else is a text, such as a literal. */
function parsedOr(text: string): JsonValue["value"] {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What a response holds of a hit: its match features and summary features. */
export const featuresOf = ({ features }: Hit): GivenFeatures => canonical(features);

function canonical(entries: Iterable<readonly [string, JsonValue]>): Map<string, JsonValue> {
  return new Map([...entries].map(([name, value]) => [featureKey(name), value]));
}

/** The name that a feature has here; a function is called by its name alone. */
export function featureKey(name: string): string {
  const known = canonicalName(name.trim());
  return /^rankingExpression\(([A-Za-z_]\w*)\)$/.exec(known)?.[1] ?? known;
}
