import { typeInJson } from "../../../formats/json/json.js";
import { readTypedValue } from "../../../formats/json/typed-value.js";
import type { JsonValue } from "../../../formats/json/value.js";
import { textAsNumber } from "../../../language/scalar/hash.js";
import { SphexError } from "../../../language/source/problem.js";
import { isAssignable } from "../../../language/types/assignable.js";
import { TensorType } from "../../../language/types/type.js";
import { Tensor } from "../../../language/values/tensor.js";
import { defaultLimits } from "../../../program/options.js";
import { problem } from "../messages.js";

/**
 * The value of a supplied feature, in the type that it has in the profile where that is known. A response
 * may have narrower or wider cells than an expression's type says. What a document or a query says may be a text, unless its field
 * has none.
 * @throws SphexError where it is no tensor, or one of other dimensions.
 */
export function readFeature(
  name: string,
  json: JsonValue,
  type: TensorType | undefined,
  mayBeText = /^(?:attribute|query)\(/.test(name),
): Tensor {
  const stated = statedType(json);
  const read = readTypedValue(json, stated ?? type, { empty: 0, cells: defaultLimits.cells });
  if (read.tree === undefined) {
    const { string } = json;
    const isScalar = (type ?? TensorType.scalar).isScalar && stated === undefined;
    // A text is the number that its hash spells.
    if (string !== undefined && isScalar && mayBeText)
      return Tensor.scalar(textAsNumber(string), TensorType.scalar);
    throw new SphexError(read.problems);
  }
  const { tree } = read;
  if (type === undefined || tree.type.equals(type)) return tree;
  if (isAssignable(tree.type.withCells(type.cellType), type))
    return tree.as(tree.type.withCells(type.cellType));
  const values = { name, type: tree.type, declared: type };
  throw new SphexError([problem("ranking/given-type", json.span, values)]);
}

/** The type that a value in JSON states, if any; a number is a scalar. */
export function typeInValue(json: JsonValue): TensorType | undefined {
  const stated = statedType(json);
  if (stated !== undefined) return stated;
  if (json.kind === "number" || json.kind === "null") return TensorType.scalar;
  const read = readTypedValue(json, undefined, { empty: 0, cells: defaultLimits.cells });
  return read.tree?.type;
}

const statedType = (json: JsonValue): TensorType | undefined => typeInJson(json).tree;
