import { number } from "./expression.js";
import { type ElementType, elementTypes, isWhole } from "./file/element-type.js";
import { isSingle } from "./operand.js";
import type { Value } from "./value.js";

/** What is true of whole numbers alone: they have an end, and no fractions. */

export const isWholeValue = ({ element }: Value): boolean => isWhole(element);

/** Numbers with fractions as elements of a type: of whole numbers the fractions are cut off. */
export const fitting = (text: string, element: ElementType): string =>
  isWhole(element) ? `trunc(${text})` : text;

/** Whole numbers start again where their type ends. Those of 64 bits are not exact enough to be told from others. */
export function withinRange(text: string, element: ElementType): string {
  if (element === "int32" || element === "uint32") return `wrapped_${element}(${text})`;
  const [least, most] = elementTypes[element].range ?? [0, 0];
  const count = most - least + 1;
  const isNarrow = count > 2 && count <= 2 ** 16;
  return isNarrow ? `map(${text}, f(a)(a - ${count} * floor((a - ${number(least)}) / ${count})))` : text;
}

/** The product of two values. Whole numbers of 32 bits have longer ones than a double holds, and those of 16 bits than a float does. */
export function product(left: Value, right: Value): string {
  const { element } = left;
  const { inside, width } = elementTypes[element];
  if (element === "int32" || element === "uint32")
    return withinRange(`long_product(${left.text}, ${right.text})`, element);
  const areLong =
    isWhole(element) && inside === "float" && width === 2 && !(isSingle(left) && isSingle(right));
  if (!areLong) return withinRange(`${left.text} * ${right.text}`, element);
  const wide = (value: Value): string => (isSingle(value) ? value.text : `cell_cast(${value.text}, double)`);
  return `cell_cast(${withinRange(`${wide(left)} * ${wide(right)}`, element)}, float)`;
}
