import { isOfKind } from "../../vespa/package/rank-features/field-kinds.js";
import {
  type ArgumentKind,
  argumentKind,
  rankFeatures,
} from "../../vespa/package/rank-features/rank-features.js";
import type { Field } from "../../vespa.js";

/** Which fields an argument of a rank feature may name. */
function isMeant(field: Field, kind: ArgumentKind): boolean {
  if (kind === "number" || kind === "feature") return false;
  if (kind === "word") return field.isAttribute && field.tensorType !== undefined;
  if (kind === "field") return field.isIndex && field.tensorType === undefined;
  return isOfKind(field, kind);
}

/** Features whose words are those of nearest neighbour search: a field, or `field` or `label` and a name. */
const ofNeighbours = new Set(["closeness", "distance"]);

/** What may stand where a rank feature has an argument; undefined where an expression may, and of what is no rank feature. */
export function featureArguments(
  name: string,
  position: number,
  fields: readonly Field[],
): readonly string[] | undefined {
  const row = Object.hasOwn(rankFeatures, name) ? rankFeatures[name] : undefined;
  const kind = row === undefined ? "feature" : argumentKind(row, position);
  if (kind === "feature") return undefined;
  if (kind === "word" && !ofNeighbours.has(name)) return [];
  const meant =
    name === "bm25"
      ? fields.filter(({ enablesBm25 }) => enablesBm25)
      : fields.filter((each) => isMeant(each, kind));
  const names = meant.map((each) => each.name.text);
  return kind === "word" && position === 0 ? ["field", "label", ...names] : names;
}
