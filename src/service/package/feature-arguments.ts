import { type ArgumentKind, rankFeatures } from "../../vespa/package/rank-features/rank-features.js";
import type { Field } from "../../vespa.js";

/** Which fields an argument of a rank feature may name. */
const areMeant: Readonly<Record<ArgumentKind, (field: Field) => boolean>> = {
  field: ({ isIndex, tensorType }) => isIndex && tensorType === undefined,
  attribute: ({ isAttribute }) => isAttribute,
  word: ({ isAttribute, tensorType }) => isAttribute && tensorType !== undefined,
  number: () => false,
  feature: () => false,
};

/** Features whose words are those of nearest neighbour search: a field, or `field` or `label` and a name. */
const ofNeighbours = new Set(["closeness", "distance"]);

/** What may stand where a rank feature has an argument; undefined where an expression may, and of what is no rank feature. */
export function featureArguments(
  name: string,
  position: number,
  fields: readonly Field[],
): readonly string[] | undefined {
  if (!Object.hasOwn(rankFeatures, name)) return undefined;
  const kinds = rankFeatures[name]?.arguments ?? [];
  const kind = kinds[Math.min(position, kinds.length - 1)] ?? "number";
  if (kind === "feature") return undefined;
  if (kind === "word" && !ofNeighbours.has(name)) return [];
  const meant =
    name === "bm25" ? fields.filter(({ enablesBm25 }) => enablesBm25) : fields.filter(areMeant[kind]);
  const names = meant.map((each) => each.name.text);
  return kind === "word" && position === 0 ? ["field", "label", ...names] : names;
}
