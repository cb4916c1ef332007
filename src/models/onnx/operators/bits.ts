import { number } from "../expression.js";
import { elementTypes } from "../file/element-type.js";
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

/** Fewer places than none, as more than there are, leave nothing but the sign. */
const shift: Become = (node) => {
  const [x, amount] = [node.input(0), node.input(1)];
  const [least, most] = rangeOf(node);
  const bits = Math.round(Math.log2(most - least));
  const count = `map(${amount.text}, f(a)(if(a < 0 || a > ${bits}, ${bits}, a)))`;
  const direction = node.text("direction", "");
  const shape = node.broadcast([x, amount]);
  if (direction === "RIGHT") node.define(`floor(ldexp(${x.text}, -${count}))`, shape, x.element);
  else if (direction === "LEFT") {
    const all = number(2 ** bits);
    const shifted = `floor_mod(ldexp(${x.text}, ${count}), ${all})`;
    const signed = `map(${shifted}, f(a)(if(a >= ${number(2 ** (bits - 1))}, a - ${all}, a)))`;
    node.define(least === 0 ? shifted : signed, shape, x.element);
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
