import { greatest, mapTuple } from "../../../language/source/lists.js";
import { element as elementOf } from "../../../language/values/element.js";
import { cellsIn, replaced, type Shape, sizeAt, spreadsTo } from "../axes.js";
import { divided, number } from "../expression.js";
import { type ElementType, elementTypes } from "../file/element-type.js";
import type { NodeImport } from "../node.js";
import { elementAt, generated, isSingle, moved } from "../operand.js";
import type { Value } from "../value.js";
import { defineProduct } from "./products.js";
import type { Become, OperatorTable } from "./table.js";

/** Whole numbers that stand for others: a scale apart, and a zero point away. */

/** The scale or zero point of each element: one for all, one for each index of an axis, or one for each block along it. */
function spread(node: NodeImport, parameter: Value, shape: Shape, axis: number): string {
  if (isSingle(parameter)) return parameter.text;
  const block = node.integer("block_size", 0);
  const isAlongAxis = block === 0 && parameter.shape.length === 1;
  const size = sizeAt(shape, axis);
  const expected = isAlongAxis ? [size] : replaced(shape, axis, block === 0 ? size : Math.ceil(size / block));
  if (!spreadsTo(parameter.shape, expected))
    node.refuse({ kind: "shapes", shapes: [shape, parameter.shape] });
  if (block === 0) return moved(parameter, shape.length, (each) => (isAlongAxis ? axis : each));
  return generated(shape, parameter.element, (indexes) =>
    elementAt(
      parameter,
      indexes.map((index, at) => (at === axis ? divided(index, block) : index)),
    ),
  );
}

const axisOf = (node: NodeImport, x: Value): number =>
  x.shape.length === 0
    ? 0
    : node.axis(Math.min(node.integer("axis", 1), Math.max(1, x.shape.length) - 1), x.shape.length);

/** Clamps and rounds, halves to even. */
export function quantised(text: string, zero: string, element: ElementType): string {
  const [least, most] = elementTypes[element].range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const shifted = zero === "0" ? `round_even(${text})` : `round_even(${text}) + ${zero}`;
  return `min(max(${shifted}, ${number(least)}), ${number(most)})`;
}

/** A single number, rounded as a float is: whether an element lies halfway depends on it. */
const asFloat = (text: string): string => `tensor<float>(o[1])(${text}){o:0}`;

const quantizeLinear: Become = (node) => {
  const [x, scale, zero] = [node.input(0), node.input(1), node.optional(2)];
  const axis = axisOf(node, x);
  const element = zero?.element ?? node.element("output_dtype", "uint8");
  const zeroText = zero === undefined ? "0" : spread(node, zero, x.shape, axis);
  const quotient = `${x.text} / ${spread(node, scale, x.shape, axis)}`;
  const isRounded = isSingle(x) && isSingle(scale) && x.element === "float";
  node.define(quantised(isRounded ? asFloat(quotient) : quotient, zeroText, element), x.shape, element);
};

const dequantizeLinear: Become = (node) => {
  const [x, scale, zero] = [node.input(0), node.input(1), node.optional(2)];
  const axis = axisOf(node, x);
  const element = node.element("output_dtype", scale.element);
  const shifted = zero === undefined ? x.text : `(${x.text} - ${spread(node, zero, x.shape, axis)})`;
  node.define(`${shifted} * ${spread(node, scale, x.shape, axis)}`, x.shape, element);
};

/** Numbers as bytes of which the least and the greatest stand for the numbers' own; both are 0 where all numbers are on one side of it. */
export function dynamicallyQuantised(
  node: NodeImport,
  x: Value,
  defineScale: (text: string) => Value,
  defineZero: (text: string) => Value,
): { readonly text: string; readonly scale: Value; readonly zero: Value } {
  const low = node.intermediate("least", `min(min(${x.text}), 0)`, [], "float", [x]);
  const high = node.intermediate("most", `max(max(${x.text}), 0)`, [], "float", [x]);
  const width = node.intermediate("width", `${high.text} - ${low.text}`, [], "float", [low, high]);
  // Where all elements are 0 any scale would do.
  const scale = defineScale(asFloat(`if(${width.text} == 0, 1, ${width.text} / 255)`));
  const zero = defineZero(quantised(asFloat(`0 - ${low.text} / ${scale.text}`), "0", "uint8"));
  return { text: quantised(`${x.text} / ${scale.text}`, zero.text, "uint8"), scale, zero };
}

const dynamicQuantizeLinear: Become = (node) => {
  const x = node.input(0);
  const { text } = dynamicallyQuantised(
    node,
    x,
    (scale) => node.define(scale, [], "float", 1),
    (zero) => node.define(zero, [], "uint8", 2),
  );
  node.define(text, x.shape, "uint8");
};

/** Whole numbers that are multiplied: their zero point, if any, and the axis along which it may differ. */
interface WholeOperand {
  readonly value: Value;
  readonly zero: Value | undefined;
  readonly axis: number;
}

/** The whole numbers that floats hold exactly are no greater. */
const mostExact = 2 ** 24;

/** How far whole numbers may lie from their zero point. */
function reachOf({ value, zero }: WholeOperand): number {
  const [least, most] = elementTypes[value.element].range ?? [Number.NEGATIVE_INFINITY, 0];
  return zero === undefined ? Math.max(-least, most) : most - least;
}

/**
 * The greatest sum of products that there may be with constant weights: for each index along their axis, how far all of them lie from
 * their zero point. Infinity where they are not constant.
 */
function greatestSum(x: WholeOperand, weights: WholeOperand): number {
  const { value, zero, axis } = weights;
  const isAlongAxis = zero !== undefined && !isSingle(zero);
  const isKnown = zero === undefined || zero.numbers !== undefined;
  // Of a vector all elements are summed.
  const isVector = value.shape.length < 2;
  if (value.numbers === undefined || !isKnown || (isAlongAxis && (isVector || zero.shape.length !== 1)))
    return Number.POSITIVE_INFINITY;
  const zeros = Array.from(zero?.numbers ?? [0]);
  const size = isVector ? 1 : sizeAt(value.shape, axis);
  const stride = cellsIn(value.shape.slice(axis + 1));
  const sums = Array<number>(size).fill(0);
  let at = 0;
  for (const number of value.numbers) {
    const index = Math.floor(at++ / stride) % size;
    sums[index] = elementOf(sums, index) + Math.abs(number - elementOf(zeros, isAlongAxis ? index : 0));
  }
  return reachOf(x) * greatest(sums);
}

/** A sum of products of two values without their zero points. Floats hold it where it cannot be too great for them; else doubles do. */
export function wholeProduct(
  node: NodeImport,
  x: WholeOperand,
  weights: WholeOperand,
  define: (inner: NodeImport, x: Value, weights: Value) => Value,
): Value {
  const isExact = greatestSum(x, weights) < mostExact;
  const [left, right] = mapTuple([x, weights], (each) => centred(node, each, isExact));
  return node.inner("sums", (inner) => define(inner, left, right));
}

/** Whole numbers without their zero point. */
function centred(node: NodeImport, { value, zero, axis }: WholeOperand, isExact: boolean): Value {
  const wide = isExact || isSingle(value) ? value.text : `cell_cast(${value.text}, double)`;
  const element = isExact ? "float" : "int32";
  if (zero === undefined) return node.intermediate("wide", wide, value.shape, element);
  const isAlongAxis = zero.shape.length === 1;
  const expected = isAlongAxis ? [sizeAt(value.shape, axis)] : value.shape;
  node.checkFit(spreadsTo(zero.shape, expected), [value, zero]);
  const offset = isSingle(zero)
    ? zero.text
    : moved(zero, value.shape.length, (each) => (isAlongAxis ? axis : each));
  return node.intermediate("centred", `${wide} - ${offset}`, value.shape, element);
}

/** Defines sums as whole numbers of 32 bits, which are doubles. */
export function defineWhole(node: NodeImport, sums: Value): void {
  const isDouble = isSingle(sums) || sums.element === "int32";
  node.define(isDouble ? sums.text : `cell_cast(${sums.text}, double)`, sums.shape, "int32");
}

/** Whole numbers as what is scaled: floats. A single number is always a double. */
export const scalable = (sums: Value): string =>
  isSingle(sums) ? sums.text : `cell_cast(${sums.text}, float)`;

/** The product of two matrices of whole numbers. */
function matrixProduct(
  node: NodeImport,
  [a, zeroA]: readonly [Value, Value | undefined],
  [b, zeroB]: readonly [Value, Value | undefined],
): Value {
  const left = { value: a, zero: zeroA, axis: a.shape.length - 2 };
  const right = { value: b, zero: zeroB, axis: b.shape.length - 1 };
  return wholeProduct(node, left, right, (inner, x, weights) => defineProduct(inner, x, weights));
}

const matMulInteger: Become = (node) =>
  defineWhole(
    node,
    matrixProduct(node, [node.input(0), node.optional(2)], [node.input(1), node.optional(3)]),
  );

const qLinearMatMul: Become = (node) => {
  const [a, scaleA, zeroA, b, scaleB, zeroB, scale, zero] = mapTuple([0, 1, 2, 3, 4, 5, 6, 7], (at) =>
    node.input(at),
  );
  const product = matrixProduct(node, [a, zeroA], [b, zeroB]);
  const rank = product.shape.length;
  const factor = (value: Value, axis: number): string =>
    isSingle(value) ? value.text : moved(value, rank, () => axis);
  const real = `${scalable(product)} * (${factor(scaleA, rank - 2)} * ${factor(scaleB, rank - 1)} / ${factor(scale, rank - 1)})`;
  node.define(quantised(real, zero.text, zero.element), product.shape, zero.element);
};

// biome-ignore format: a table
export const quantisation: OperatorTable = {
  DequantizeLinear:      { 10: dequantizeLinear },
  DynamicQuantizeLinear: { 11: dynamicQuantizeLinear },
  MatMulInteger:         { 10: matMulInteger },
  QLinearMatMul:         { 10: qLinearMatMul },
  QuantizeLinear:        { 10: quantizeLinear },
};
