import { mapTuple } from "../../../../language/source/lists.js";
import type { NodeImport } from "../../node.js";
import { isSingle } from "../../operand.js";
import type { Value } from "../../value.js";
import { perChannel } from "../normalisation.js";
import { defineWhole, quantised, scalable, wholeProduct } from "../quantisation.js";
import type { Become, OperatorTable } from "../table.js";
import { transposedConvolution } from "./transposed-convolution.js";
import { defineWindows } from "./windowed-sums.js";
import { windowsOf } from "./windows.js";

/** Convolutions: sums of products of the elements in a window with weights. */

const convolution: Become = (node) => {
  const bias = node.optional(2);
  const x = node.input(0);
  defineConvolution(node, x, node.input(1), bias);
};

/** The convolution of a value, with the bias of each filter, as the attributes of a node have it. */
function defineConvolution(node: NodeImport, x: Value, weights: Value, bias?: Value): Value {
  const [, channels, ...spatial] = node.withAxes(x.shape, 2);
  const [, ownChannels, ...kernel] = node.withAxes(weights.shape, 2);
  const groups = node.integer("group", 1);
  if (ownChannels * groups !== channels) node.refuse({ kind: "shapes", shapes: [x.shape, weights.shape] });
  return defineWindows(node, x, weights, { windows: windowsOf(node, spatial, kernel), groups, bias });
}

const convInteger: Become = (node) => {
  const x = { value: node.input(0), zero: node.optional(2), axis: 0 };
  const weights = { value: node.input(1), zero: node.optional(3), axis: 0 };
  defineWhole(
    node,
    wholeProduct(node, x, weights, (inner, left, right) => defineConvolution(inner, left, right)),
  );
};

const qLinearConv: Become = (node) => {
  const [x, scaleX, zeroX, w, scaleW, zeroW, scale, zero] = mapTuple([0, 1, 2, 3, 4, 5, 6, 7], (at) =>
    node.input(at),
  );
  const sums = wholeProduct(
    node,
    { value: x, zero: zeroX, axis: 0 },
    { value: w, zero: zeroW, axis: 0 },
    (inner, left, right) => defineConvolution(inner, left, right, node.optional(8)),
  );
  const filterScale = isSingle(scaleW) ? scaleW.text : perChannel(node, scaleW, sums.shape);
  const real = `${scalable(sums)} * (${scaleX.text} * ${filterScale} / ${scale.text})`;
  node.define(quantised(real, zero.text, zero.element), sums.shape, zero.element);
};

// biome-ignore format: a table
export const convolutions: OperatorTable = {
  Conv:          { 1: convolution },
  ConvInteger:   { 10: convInteger },
  ConvTranspose: { 1: transposedConvolution },
  QLinearConv:   { 10: qLinearConv },
};
