import { parseJson, parsePart } from "../../../formats/json/parse.js";
import { JsonLeaf, type JsonValue } from "../../../formats/json/value.js";
import { type Problem, SphexError } from "../../../language/source/problem.js";
import type { Source, Span } from "../../../language/source/span.js";
import { canonicalName } from "../../../program/options.js";
import type { Hit } from "../../documents/response.js";
import { problem } from "../messages.js";

/**
 * Features that are supplied from outside, because only an engine can compute them or to see the effect of another value:
 * values by canonical name. They come from a JSON object, from `name=value`, or from what a response holds of a hit.
 */
export type InjectedFeatures = ReadonlyMap<string, JsonValue>;

/** Reads features from a text of JSON: an object of their names and values. */
export function readFeatures(source: Source): {
  readonly features: InjectedFeatures;
  readonly problems: readonly Problem[];
} {
  const { tree, problems } = parseJson(source);
  if (tree === undefined) return { features: new Map(), problems };
  if (tree.kind !== "object") {
    const found = { kind: "value", value: tree } as const;
    const values = { path: tree.path, found, expected: "features" } as const;
    return { features: new Map(), problems: [problem("json/shape", tree.span, values)] };
  }
  return { features: canonical(tree.entries()), problems };
}

/** `bm25(title)=3.2`: a number, a literal, or JSON. The value begins behind the first `=` outside of brackets. */
export function featureSetting(text: string): readonly [string, JsonValue] {
  const at = equalsIn(text);
  const name = text.slice(0, Math.max(at, 0)).trim();
  const whole: Span = { source: { name: "--feature", text }, start: 0, end: text.length };
  if (name === "") throw new SphexError([problem("ranking/setting", whole, { text })]);
  const span = { ...whole, start: at + 1 };
  // What is no JSON is a text, such as a literal.
  const { tree = new JsonLeaf(text.slice(at + 1).trim(), span, name) } = parsePart(span, name);
  return [featureKey(name), tree];
}

function equalsIn(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if ("([{".includes(sign)) depth++;
    else if (")]}".includes(sign)) depth--;
    else if (sign === "=" && depth <= 0) return at;
  }
  return -1;
}

/** What a response holds of a hit: its match features and summary features. */
export const featuresOf = ({ features }: Hit): InjectedFeatures => canonical(features);

function canonical(entries: Iterable<readonly [string, JsonValue]>): Map<string, JsonValue> {
  return new Map([...entries].map(([name, value]) => [featureKey(name), value]));
}

/** The name that a feature has here; a function is called by its name alone. */
export function featureKey(name: string): string {
  const key = canonicalName(name.trim());
  return /^rankingExpression\(([A-Za-z_]\w*)\)$/.exec(key)?.[1] ?? key;
}
