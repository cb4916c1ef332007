import type { FieldKind } from "../model/expression-messages.js";
import type { Field } from "../model/model.js";

/** Whether a field is one that a feature can be about. */

/** What is imported is an attribute, whatever it is where it comes from. */
const hasIndex = ({ isIndex, where }: Field): boolean => isIndex && where !== "imported";

// biome-ignore format: a table
const kinds: Readonly<Record<FieldKind, (field: Field) => boolean>> = {
  field:                      () => true,
  "index field":              hasIndex,
  "index field of one value": (field) => hasIndex(field) && !/^\s*(?:array|weightedset|map)\b/.test(field.typeText),
  attribute:                  ({ isAttribute }) => isAttribute,
  "attribute without index":  (field) => field.isAttribute && !hasIndex(field) && field.tensorType === undefined,
  "attribute of no tensor":   ({ isAttribute, tensorType }) => isAttribute && tensorType === undefined,
};

export const isOfKind = (field: Field, kind: FieldKind): boolean => kinds[kind](field);

/** Of a tensor and of a `bool` the engine has no weight and no count. */
export const hasOnlyValue = (field: Field | undefined): boolean =>
  field?.tensorType !== undefined || field?.typeText.trim() === "bool";
