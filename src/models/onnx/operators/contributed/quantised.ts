import { mapTuple } from "../../../../language/source/lists.js";
import type { Attributes } from "../../attributes.js";
import { axesFrom } from "../../axes.js";
import { elementTypes } from "../../file/element-type.js";
import type { NodeImport } from "../../node.js";
import type { Value } from "../../value.js";
import type { Become, OperatorTable } from "../table.js";
import { defineEmbedded, sumOf, windowAttributes } from "./fused.js";
import { projectedAttention } from "./fused-attention.js";

/** Operators on whole numbers that stand for others, whose scales and zero points are inputs of their own. */

/** The numbers that an input stands for, with its scale and zero point behind it. */
const dequantised = (node: NodeImport, position: number): Value =>
  node.operation("DequantizeLinear", [
    node.input(position),
    node.input(position + 1),
    node.optional(position + 2),
  ]);

/** Says the first output: numbers as whole ones, with the scale and zero point from an input on. */
const defineQuantised = (node: NodeImport, value: Value, position: number): void =>
  void node.operation("QuantizeLinear", [value, node.input(position), node.optional(position + 1)], {}, 0);

/** What a standard operator makes of the numbers that inputs stand for, with the scale of the result at another input. */
const onNumbers =
  (
    operator: string,
    operands: readonly number[],
    result: number,
    attributes: (node: NodeImport) => Attributes = () => ({}),
  ): Become =>
  (node) => {
    const numbers = operands.map((position) => dequantised(node, position));
    defineQuantised(node, node.operation(operator, numbers, attributes(node)), result);
  };

const alphaOf = (node: NodeImport): Attributes => ({ alpha: { float: node.float("alpha", 0.01) } });

/** Until opset 13 a softmax ran over all axes from one on, which is the same for the last. */
function softmaxAttributes(node: NodeImport): Attributes {
  const axis = node.integer("axis", -1);
  const { shape } = node.input(0);
  const isLast = node.axis(axis, shape.length) === shape.length - 1;
  const opset = node.requiredInteger("opset");
  return isLast || opset >= 13
    ? { axis }
    : node.refuse({ kind: "attribute", name: "opset", value: `${opset}` });
}

/** What a standard operator, for which channels come behind the batch, makes of images whose channels may come last. */
function ofImages(node: NodeImport, x: Value, areLast: boolean, write: (x: Value) => Value): Value {
  const rank = x.shape.length;
  if (!areLast) return write(x);
  const first = node.operation("Transpose", [x], { perm: [0, rank - 1, ...axesFrom(1, rank - 1)] });
  return node.operation("Transpose", [write(first)], { perm: [0, ...axesFrom(2, rank), 1] });
}

const hasChannelsLast = (node: NodeImport): boolean => node.integer("channels_last", 0) !== 0;

/** A pool of numbers that images stand for. */
const poolOfNumbers =
  (operator: string, attributes: (node: NodeImport) => Attributes): Become =>
  (node) => {
    const pooled = ofImages(node, dequantised(node, 0), hasChannelsLast(node), (x) =>
      node.operation(operator, [x], attributes(node)),
    );
    defineQuantised(node, pooled, 3);
  };

function poolingAttributes(node: NodeImport): Attributes {
  const { group: _, ...windows } = windowAttributes(node);
  return { ...windows, ceil_mode: node.integer("ceil_mode", 0) };
}

const averageAttributes = (node: NodeImport): Attributes => ({
  ...poolingAttributes(node),
  count_include_pad: node.integer("count_include_pad", 0),
});

const convolutionOfNumbers: Become = (node) => {
  const [x, ...others] = node.inputs;
  const write = (images: Value): Value =>
    node.operation("QLinearConv", [images, ...others], windowAttributes(node));
  node.alias(ofImages(node, x ?? node.input(0), hasChannelsLast(node), write));
};

const maxPoolOfLast: Become = (node) => {
  const write = (x: Value): Value => node.operation("MaxPool", [x], poolingAttributes(node));
  node.alias(ofImages(node, node.input(0), true, write));
};

const whereOfNumbers: Become = (node) => {
  const chosen = node.operation("Where", [node.input(0), dequantised(node, 1), dequantised(node, 4)]);
  defineQuantised(node, chosen, 7);
};

/** The scale and zero point of the result come first. */
const concatOfNumbers: Become = (node) => {
  const parts = node.allInputs.flatMap((_, at) => (at >= 2 && at % 3 === 2 ? [dequantised(node, at)] : []));
  const whole = node.operation("Concat", parts, { axis: node.requiredInteger("axis") });
  defineQuantised(node, whole, 0);
};

/** The inputs of a product of whole numbers, by where they stand. */
interface ProductInputs {
  readonly left: Value;
  readonly right: Value;
  readonly leftScale: Value;
  readonly rightScale: Value;
  readonly leftZero: Value | undefined;
  readonly rightZero: Value | undefined;
  /** Whole numbers that are added to the sums. */
  readonly addend?: Value | undefined;
  readonly factor?: number;
}

/** The numbers that a product of whole numbers stands for. */
function scaledProduct(node: NodeImport, inputs: ProductInputs): Value {
  const { left, right, leftZero, rightZero, addend, factor = 1 } = inputs;
  const product = node.operation("MatMulInteger", [left, right, leftZero, rightZero]);
  const sums = node.operation("Cast", [sumOf(node, product, addend)], { to: elementTypes.float.code });
  const scale = node.operation("Mul", [inputs.leftScale, inputs.rightScale]);
  const factors =
    factor === 1 ? scale : node.operation("Mul", [scale, node.table("alpha", [factor], [], "float")]);
  return node.operation("Mul", [sums, factors]);
}

const productToFloats: Become = (node) => {
  const [left, right, leftScale, rightScale] = [node.input(0), node.input(1), node.input(2), node.input(3)];
  const [leftZero, rightZero, bias] = [node.optional(4), node.optional(5), node.optional(6)];
  const product = scaledProduct(node, { left, right, leftScale, rightScale, leftZero, rightZero });
  node.alias(sumOf(node, product, bias));
};

const dynamicProduct: Become = (node) => {
  const names = ["whole", "scale", "zero"] as const;
  const [left, leftScale, leftZero] = node.operations("DynamicQuantizeLinear", [node.input(0)], {}, names);
  const [right, rightScale, rightZero] = [node.input(1), node.input(2), node.optional(3)];
  const product = scaledProduct(node, { left, right, leftScale, rightScale, leftZero, rightZero });
  node.alias(sumOf(node, product, node.optional(4)));
};

/** Without a scale of its own the result is of floats. */
const gemmOfNumbers: Become = (node) => {
  const matrix = (position: number, name: string): Value =>
    node.integer(name, 0) === 0
      ? node.input(position)
      : node.operation("Transpose", [node.input(position)], { perm: [1, 0] });
  const product = scaledProduct(node, {
    ...{ left: matrix(0, "transA"), leftScale: node.input(1), leftZero: node.optional(2) },
    ...{ right: matrix(3, "transB"), rightScale: node.input(4), rightZero: node.optional(5) },
    ...{ addend: node.optional(6), factor: node.float("alpha", 1) },
  });
  if (node.optional(7) === undefined) node.alias(product);
  else defineQuantised(node, product, 7);
};

const attentionOfNumbers: Become = (node) => {
  const [left, right, bias, leftScale, rightScale] = mapTuple([0, 1, 2, 3, 4], (at) => node.input(at));
  const [leftZero, rightZero] = [node.optional(6), node.optional(7)];
  const product = scaledProduct(node, { left, right, leftScale, rightScale, leftZero, rightZero });
  const projected = sumOf(node, product, bias);
  projectedAttention(node, projected, { mask: node.optional(5), past: node.optional(8) });
};

/** Scales of the tables lie six inputs behind them, and zero points five behind those. */
const embeddingOfNumbers: Become = (node) =>
  defineEmbedded(node, (at) => {
    const [table, scale, zero] = [node.input(at), node.input(at + 6), node.input(at + 11)];
    return node.operation("DequantizeLinear", [table, scale, zero]);
  });

const quantize: Become = (node) =>
  void node.operation("QuantizeLinear", node.inputs, { axis: node.integer("axis", 1) }, 0);

const dequantize: Become = (node) =>
  void node.operation("DequantizeLinear", node.inputs, { axis: node.integer("axis", 1) }, 0);

// biome-ignore format: a table
export const quantisedOperators: OperatorTable = {
  "com.microsoft.DequantizeLinear":           { 1: dequantize },
  "com.microsoft.DynamicQuantizeMatMul":      { 1: dynamicProduct },
  "com.microsoft.MatMulIntegerToFloat":       { 1: productToFloats },
  "com.microsoft.NhwcMaxPool":                { 1: maxPoolOfLast },
  "com.microsoft.QAttention":                 { 1: attentionOfNumbers },
  "com.microsoft.QEmbedLayerNormalization":   { 1: embeddingOfNumbers },
  "com.microsoft.QGemm":                      { 1: gemmOfNumbers },
  "com.microsoft.QLinearAdd":                 { 1: onNumbers("Add", [0, 3], 6) },
  "com.microsoft.QLinearAveragePool":         { 1: poolOfNumbers("AveragePool", averageAttributes) },
  "com.microsoft.QLinearConcat":              { 1: concatOfNumbers },
  "com.microsoft.QLinearConv":                { 1: convolutionOfNumbers },
  "com.microsoft.QLinearGlobalAveragePool":   { 1: poolOfNumbers("GlobalAveragePool", () => ({})) },
  "com.microsoft.QLinearLeakyRelu":           { 1: onNumbers("LeakyRelu", [0], 3, alphaOf) },
  "com.microsoft.QLinearMul":                 { 1: onNumbers("Mul", [0, 3], 6) },
  "com.microsoft.QLinearSigmoid":             { 1: onNumbers("Sigmoid", [0], 3) },
  "com.microsoft.QLinearSoftmax":             { 1: onNumbers("Softmax", [0], 3, softmaxAttributes) },
  "com.microsoft.QLinearWhere":               { 1: whereOfNumbers },
  "com.microsoft.QuantizeLinear":             { 1: quantize },
};
