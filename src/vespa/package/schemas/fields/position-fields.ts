import type { Field } from "../../model/model.js";

/** Fields of positions, for each of which Vespa has an attribute of whole numbers of another name, and none of their own. */

const suffix = "_zcurve";

/** The name of the attribute that content nodes have for a field. */
export const attributeName = (field: Field): string =>
  positionCollection(field) === undefined ? field.name.text : `${field.name.text}${suffix}`;

/** The field of positions that an attribute is of, by its name. */
export const positionedBy = (name: string): string | undefined =>
  name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;

/** Whether a field has one position or several, if it has positions. */
export function positionCollection({ typeText }: Pick<Field, "typeText">): "single" | "array" | undefined {
  const [found, array] = /^\s*(array\s*<\s*)?position\b/.exec(typeText) ?? [];
  return found === undefined ? undefined : array === undefined ? "single" : "array";
}
