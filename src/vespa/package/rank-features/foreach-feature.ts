import { bareWord } from "../../../language/check/names.js";
import type { Reference } from "../../../language/syntax/tree.js";
import type { Field, Profile } from "../model/model.js";
import { hasOnlyValue, isOfKind } from "./field-kinds.js";
import { argumentKind, isFieldKind, rankFeatures } from "./rank-features.js";

/** How `foreach` puts numbers together. */
const operations = ["sum", "product", "average", "max", "min", "count"] as const;
export type ForeachOperation = (typeof operations)[number];

export const isForeachOperation = (text: string): text is ForeachOperation =>
  operations.some((each) => each === text);

/** Whether `foreach(attributes, …)` or `foreach(fields, …)` has a feature of this field. */
export const isLoopedOver: Readonly<Record<"attributes" | "fields", (field: Field) => boolean>> = {
  attributes: ({ isAttribute, isIndex, where }) => isAttribute && (!isIndex || where === "imported"),
  fields: ({ isIndex, where }) => isIndex && where !== "imported",
};

/** The first field of which the feature in a `foreach` is no number, or is refused by content nodes: that of any is computed. */
export function unloopable(
  { fields }: Profile,
  over: "attributes" | "fields",
  variable: string,
  inner: Reference,
): Field | undefined {
  const row = rankFeatures[inner.name.text];
  const named = (inner.arguments ?? []).flatMap((each, at) => {
    const isNamed = each.kind === "reference" && bareWord(each)?.text === variable;
    const kind = isNamed && row !== undefined ? argumentKind(row, at) : "word";
    return isFieldKind(kind) ? kind : [];
  });
  const [output] = inner.outputs;
  const isPlain = output === undefined || output.text === "value";
  const isAttribute = inner.name.text === "attribute" && named.length > 0;
  const isRefused = (field: Field): boolean =>
    isAttribute && (field.tensorType !== undefined || (!isPlain && hasOnlyValue(field)));
  return [...fields.values()].find(
    (field) =>
      isLoopedOver[over](field) && (isRefused(field) || !named.every((kind) => isOfKind(field, kind))),
  );
}
