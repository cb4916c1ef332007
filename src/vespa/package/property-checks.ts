import type { Problem } from "../../language/source/problem.js";
import { parseExpression } from "../../language/syntax/parse.js";
import { boostTable } from "./boost-tables.js";
import { problem } from "./messages.js";
import type { Profile, Property } from "./model.js";

/** What a rank property of a feature must be. */
type Expected = "number" | "table" | "expression";

/** The rank properties that a feature cannot do with where they cannot be read: Vespa refuses the rank profile. */
export function unreadableProperties(
  { properties, phases }: Profile,
  /** The names of the features that the profile mentions. */
  mentioned: Iterable<string>,
): readonly Problem[] {
  const features = new Set(Array.from(mentioned, (each) => /^\w*/.exec(each)?.[0] ?? ""));
  // What Vespa ranks by otherwise.
  if (phases["first-phase"]?.expression === undefined) features.add("nativeRank");
  if (features.has("nativeRank"))
    for (const each of ["nativeFieldMatch", "nativeProximity", "nativeAttributeMatch"]) features.add(each);
  return [...properties.values()].flatMap((property) => {
    const [feature = ""] = /^\w*/.exec(property.key) ?? [];
    const expected = features.has(feature) ? expectedOf(feature, property.key) : undefined;
    if (expected === undefined || isReadable[expected](property.value)) return [];
    return [
      problem("feature/property", property.span, { key: property.key, value: property.value, expected }),
    ];
  });
}

function expectedOf(feature: string, key: string): Expected | undefined {
  if (feature.startsWith("native")) return /Table(?:\.|$)/.test(key) ? "table" : undefined;
  if (feature === "bm25") return /\.(?:k1|b|averageFieldLength)$/.test(key) ? "number" : undefined;
  return feature === "elementSimilarity" && /\.output\.\w+$/.test(key) ? "expression" : undefined;
}

const isReadable: Readonly<Record<Expected, (value: Property["value"]) => boolean>> = {
  number: (value) => value.trim() !== "" && !Number.isNaN(Number(value)),
  table: (value) => boostTable(value) !== undefined,
  expression: (value) => elementExpression(value) !== undefined,
};

/** An output of `elementSimilarity`: what is computed of each element, and which of these values counts. */
export interface ElementExpression {
  readonly aggregator: "max" | "avg" | "sum";
  /** Of `p`, `o`, `q`, `f` and `w`. */
  readonly text: string;
}

/** `max((0.35*p+0.65*o)*w)`; nothing where a text is no such thing. */
export function elementExpression(value: string): ElementExpression | undefined {
  const [, name, text = ""] = /^\s*(\w+)\s*\(([\s\S]*)\)\s*$/.exec(value) ?? [];
  const aggregator = (["max", "avg", "sum"] as const).find((each) => each === name);
  if (aggregator === undefined || parseExpression({ name: "output", text }).tree === undefined)
    return undefined;
  return { aggregator, text };
}
