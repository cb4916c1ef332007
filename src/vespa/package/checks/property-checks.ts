import { type Problem, SphexError } from "../../../language/source/problem.js";
import { elementExpression } from "../expressions/element-expressions.js";
import { propertyTensor } from "../expressions/property-values.js";
import { boostTable } from "../model/boost-tables.js";
import { leadingNumber } from "../model/engine-numbers.js";
import { problem } from "../model/messages.js";
import type { Profile, Property } from "../model/model.js";

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
  // Vespa reads a number at the beginning, and nothing behind it.
  number: (value) => leadingNumber(value) !== undefined,
  table: (value) => boostTable(value) !== undefined,
  expression: (value) => elementExpression(value) !== undefined,
};

/** The rank properties that are to be the tensors of inputs that phases and lists of features read, and that Vespa refuses. */
export function unreadableTensors(
  { inputs, properties }: Profile,
  isRead: (input: string) => boolean,
): readonly Problem[] {
  return [...inputs.values()].flatMap(({ name, type, default: declared }) => {
    const older = declared === undefined ? properties.get(`$${name.slice("query(".length, -1)}`) : undefined;
    const property = properties.get(name) ?? older;
    if (property === undefined || type.isScalar || !isRead(name)) return [];
    try {
      propertyTensor(property, type);
      return [];
    } catch (error) {
      if (error instanceof SphexError) return error.problems;
      throw error;
    }
  });
}
