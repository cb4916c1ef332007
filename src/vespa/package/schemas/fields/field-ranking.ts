import { textIn } from "../../../../language/source/span.js";
import type { Field, RankProfile } from "../../model/model.js";
import type { Detail } from "../../syntax/tree.js";

/** How much a field counts in features of several fields. */
export interface FieldRanking {
  /** 100 unless the schema or the profile says otherwise. */
  readonly weight: number;
  /** `identity`, `about`, `tags`, `empty`; nothing where nobody says. */
  readonly type: string | undefined;
  /** Whether it only filters, and has no positions. */
  readonly isFilter: boolean;
  /** How many words an element of several counts as more than it has; nothing where no distance leads from one to the next. */
  readonly elementGap: number | undefined;
}

/** The field that a setting of a rank profile is about: `weight f: 200`, `rank-type f: about`, `rank f { filter }`. */
export function settingOfField({
  span,
}: Detail): { readonly keyword: string; readonly field: string; readonly value: string } | undefined {
  const [, keyword, field, value = ""] =
    /^(weight|rank-type|rank)\s+([\w.$-]+)(?:\s*[:{]\s*([\w-]*))?/.exec(textIn(span)) ?? [];
  return keyword === undefined || field === undefined ? undefined : { keyword, field, value };
}

const behindField = ({ span }: Detail): string => textIn(span).replace(/^rank\s+[\w.$-]+/, "");
const rankSettings = /(?<=[\s:{])(filter|element-gap)(?![\w-])(?:\s*:\s*(\d+))?/g;

/**
 * What the nearest profile of a lineage says. What the field says itself of its weight and its rank type belongs to the profile
 * `default` alone, and to those that inherit it.
 */
export function fieldRanking(
  name: string,
  field: Field | undefined,
  lineage: readonly RankProfile[],
): FieldRanking {
  const hasDefault = lineage.some(
    (each) => each.name.text === "default" || each.inherits.some(({ text }) => text === "default"),
  );
  const ofField = hasDefault ? field : undefined;
  const isFilter = field?.isFilter === true;
  const found = new Map<string, string>();
  for (const { settings } of lineage.toReversed()) {
    const own = ownSettings(name, settings);
    for (const [keyword, value] of own) found.set(keyword, value);
    // What only filters in a profile has no other rank type there than one that the profile says.
    if (own.has("filter") && !isFilter && !own.has("rank-type")) found.set("rank-type", "empty");
  }
  const weight = Number(found.get("weight"));
  const declared = ofField?.weight ?? 0;
  return {
    weight: Number.isNaN(weight) ? (declared > 0 ? declared : 100) : weight,
    // Vespa reads it in upper case, too.
    type: (found.get("rank-type") ?? ofField?.rankType)?.toLowerCase(),
    isFilter: isFilter || found.has("filter"),
    elementGap: found.has("element-gap") ? Number(found.get("element-gap")) : undefined,
  };
}

/** What a profile says of a field, of each thing the last. */
function ownSettings(name: string, settings: readonly Detail[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const each of settings) {
    const setting = settingOfField(each);
    if (setting?.field !== name) continue;
    if (setting.keyword !== "rank" && setting.value !== "") found.set(setting.keyword, setting.value);
    // A block says several things of a field, each of which is inherited by itself.
    if (setting.keyword === "rank")
      for (const [, word = "", value = ""] of behindField(each).matchAll(rankSettings))
        found.set(word, value);
  }
  return found;
}
