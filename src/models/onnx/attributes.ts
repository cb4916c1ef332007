import type { AttributeProto } from "./file/protos.js";

/** Attributes of a node as one writes them: numbers are whole unless they are said to be floats. */
export type Attributes = Readonly<
  Record<string, number | { readonly float: number } | string | readonly number[]>
>;

const empty = { f: undefined, i: undefined, s: undefined, t: undefined, g: undefined };

/** The messages of attributes. */
export const attributeProtos = (attributes: Attributes): AttributeProto[] =>
  Object.entries(attributes).map(([name, value]) => ({
    ...{ ...empty, name, floats: [], ints: [], strings: [], refAttrName: "" },
    ...attributeValue(value),
  }));

function attributeValue(value: Attributes[string]): Partial<AttributeProto> {
  if (typeof value === "number") return { i: value };
  if (typeof value === "string") return { s: value };
  return "float" in value ? { f: value.float } : { ints: value };
}
