import type { IndexingFault } from "../../model/feature-messages.js";
import type { Field } from "../../model/model.js";
import type * as Tree from "../../syntax/tree.js";

/**
 * What Vespa refuses of the dictionary of a field that is no number. It is cased where the matching is, and must be; one that hashes
 * texts must be cased, too.
 */
export function dictionaryFault(field: Field, items: readonly Tree.FieldItem[]): IndexingFault | undefined {
  const words = wordsOf("dictionary", items);
  if (words.length === 0) return undefined;
  const isCased = wordsOf("match", items).includes("cased");
  if (words.includes("uncased") && (isCased || words.includes("cased"))) return "uncased dictionary";
  if (!field.isAttribute) return undefined;
  if (field.tensorType !== undefined || /^(?:bool|raw|predicate)$/.test(field.typeText))
    return "no dictionary";
  if (isCased || !/\bstring\b/.test(field.typeText)) return undefined;
  if (words.includes("cased")) return "cased dictionary";
  return words.findLast((each) => each === "hash" || each === "btree") === "hash"
    ? "hash dictionary"
    : undefined;
}

const wordsOf = (keyword: string, items: readonly Tree.FieldItem[]): readonly string[] =>
  items.flatMap((each) =>
    each.kind === "setting" && each.keyword.text === keyword
      ? each.details.map((detail) => detail.keyword.text)
      : [],
  );
