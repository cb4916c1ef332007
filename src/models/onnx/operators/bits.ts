import { elementTypes } from "../element-type.js";
import { number } from "../expression.js";
import type { NodeImport } from "../node.js";
import type { Become, OperatorTable } from "./table.js";

/** Operators on the bits of whole numbers. */

const binary =
  (name: string): Become =>
  (node) => {
    const [left, right] = [node.input(0), node.input(1)];
    node.define(`${name}(${left.text}, ${right.text})`, node.broadcast([left, right]), left.element);
  };

/** The least and the greatest number of the elements of an input. */
function rangeOf(node: NodeImport): readonly [number, number] {
  const { element } = node.input(0);
  return elementTypes[element].range ?? node.refuse({ kind: "element type", name: element });
}

/** In two's complement both numbers add up to -1, and without a sign to the greatest one. */
const not: Become = (node) => {
  const x = node.input(0);
  const [least, most] = rangeOf(node);
  if (most > 2 ** 53 && least === 0) node.refuse({ kind: "element type", name: x.element });
  node.define(`${number(least < 0 ? -1 : most)} - ${x.text}`, x.shape, x.element);
};

const shift: Become = (node) => {
  const [x, places] = [node.input(0), node.input(1)];
  const [, most] = rangeOf(node);
  const direction = node.text("direction", "");
  const shape = node.broadcast([x, places]);
  if (direction === "RIGHT") node.define(`floor(ldexp(${x.text}, -${places.text}))`, shape, x.element);
  else if (direction === "LEFT") {
    // Of 64 bits the greatest number is told as 2^64 already.
    const count = most % 2 === 0 ? most : most + 1;
    node.define(`fmod(ldexp(${x.text}, ${places.text}), ${number(count)})`, shape, x.element);
  } else node.refuse({ kind: "attribute", name: "direction", value: direction });
};

// biome-ignore format: a table
export const bits: OperatorTable = {
  BitShift:   { 11: shift },
  BitwiseAnd: { 18: binary("bit_and") },
  BitwiseNot: { 18: not },
  BitwiseOr:  { 18: binary("bit_or") },
  BitwiseXor: { 18: binary("bit_xor") },
};
