import { textIn } from "../../../language/source/span.js";
import type { Field, RankProfile } from "../model/model.js";
import type { Detail } from "../syntax/tree.js";

/** How much a field counts in features of several fields. */
export interface FieldRanking {
  /** 100 unless the schema or the profile says otherwise. */
  readonly weight: number;
  /** `identity`, `about`, `tags`, `empty`; nothing where nobody says. */
  readonly type: string | undefined;
  /** Whether it only filters, and has no positions. */
  readonly isFilter: boolean;
}

/** The field that a setting of a rank profile is about: `weight f: 200`, `rank-type f: about`, `rank f { filter }`. */
export function settingOfField({
  span,
}: Detail): { readonly keyword: string; readonly field: string; readonly value: string } | undefined {
  const [, keyword, field, value = ""] =
    /^(weight|rank-type|rank)\s+([\w.$-]+)(?:\s*[:{]\s*([\w-]*))?/.exec(textIn(span)) ?? [];
  return keyword === undefined || field === undefined ? undefined : { keyword, field, value };
}

/** What the field says, and over it the nearest profile of a lineage that says anything. */
export function fieldRanking(
  name: string,
  field: Field | undefined,
  lineage: readonly RankProfile[],
): FieldRanking {
  const found = new Map<string, string>();
  for (const { settings } of lineage.toReversed())
    for (const each of settings) {
      const setting = settingOfField(each);
      if (setting?.field === name && setting.value !== "") found.set(setting.keyword, setting.value);
    }
  const weight = Number(found.get("weight") ?? field?.weight ?? 100);
  return {
    weight: Number.isNaN(weight) ? 100 : weight,
    type: found.get("rank-type") ?? field?.rankType,
    isFilter: (found.get("rank") ?? (field?.isFilter === true ? "filter" : "")) === "filter",
  };
}
