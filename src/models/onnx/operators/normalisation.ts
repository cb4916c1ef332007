import { mapTuple } from "../../../language/source/lists.js";
import { axesFrom, axisName, cellsIn, flattened, namesOf, type Shape, sizeAt, spreadsTo } from "../axes.js";
import { number, reduce, rename } from "../expression.js";
import type { NodeImport } from "../node.js";
import { moved } from "../operand.js";
import type { Value } from "../value.js";
import { reshaped } from "./reshaping.js";
import type { Become, OperatorTable } from "./table.js";

/** Operators that shift and scale elements by their mean and spread along some axes. */

/** One number for each channel, along the second axis of a shape. */
export function perChannel(node: NodeImport, value: Value, shape: Shape): string {
  if (value.shape.length !== 1 || value.shape[0] !== shape[1])
    node.refuse({ kind: "shapes", shapes: [shape, value.shape] });
  return moved(value, shape.length, () => 1);
}

const square = (text: string): string => `${text} * ${text}`;

interface Normalised {
  /** A value without its mean, divided by its spread. */
  readonly value: Value;
  readonly mean: Value;
  readonly inverse: Value;
}

/** Takes off the mean along some axes and divides by the root of the variance there. */
function normalised(node: NodeImport, x: Value, axes: readonly number[], epsilon: number): Normalised {
  const names = namesOf(x.shape, axes);
  const flat = flattened(x.shape, axes);
  const from = [x];
  const mean = node.intermediate("mean", reduce("avg", x.text, names), flat, x.element, from);
  const centred = node.intermediate("centred", `${x.text} - ${mean.text}`, x.shape, x.element, from);
  const variance = reduce("avg", `${centred.text} * ${centred.text}`, names);
  const inverse = node.intermediate(
    "scale",
    `1 / sqrt(${variance} + ${number(epsilon)})`,
    flat,
    x.element,
    from,
  );
  const value = node.intermediate(
    "normalised",
    `${centred.text} * ${inverse.text}`,
    x.shape,
    x.element,
    from,
  );
  return { value, mean, inverse };
}

const layerNormalised = ({ text }: Value, name: string, node: NodeImport): string =>
  `layer_normalised(${text}, ${name}, ${number(node.float("epsilon", 1e-5))})`;

/** What `recovery.ts` makes of the parts of a layer normalisation. */
const recoveredNormalization: Become = (node) => {
  const x = node.input(0);
  const [name] = namesOf(x.shape, [x.shape.length - 1]);
  // A single number is its mean.
  node.define(name === undefined ? `${x.text} * 0` : layerNormalised(x, name, node), x.shape, x.element);
};

const layerNormalization: Become = (node) => {
  const x = node.input(0);
  const rank = x.shape.length;
  const axes = axesFrom(node.axis(node.integer("axis", -1), rank), rank);
  const [scale, bias] = [node.input(1), node.optional(2)];
  for (const each of [scale, bias])
    if (each !== undefined) node.checkFit(spreadsTo(each.shape, x.shape), [x, each]);
  const names = namesOf(x.shape, axes);
  const [name] = names;
  if (name !== undefined && names.length === 1 && !node.isUsed(1) && !node.isUsed(2)) {
    const normal = layerNormalised(x, name, node);
    const scaled = `${normal} * ${scale.text}${bias === undefined ? "" : ` + ${bias.text}`}`;
    return void node.define(scaled, x.shape, x.element);
  }
  const { value, mean, inverse } = normalised(node, x, axes, node.float("epsilon", 1e-5));
  const text = `${value.text} * ${scale.text}${bias === undefined ? "" : ` + ${bias.text}`}`;
  node.define(text, x.shape, x.element);
  if (node.isUsed(1)) node.alias({ ...mean, element: "float" }, 1);
  if (node.isUsed(2)) node.alias({ ...inverse, element: "float" }, 2);
};

const rmsNormalization: Become = (node) => {
  const [x, scale] = [node.input(0), node.input(1)];
  const rank = x.shape.length;
  node.checkFit(spreadsTo(scale.shape, x.shape), [x, scale]);
  const names = namesOf(x.shape, axesFrom(node.axis(node.integer("axis", -1), rank), rank));
  const spread = `sqrt(${reduce("avg", square(x.text), names)} + ${number(node.float("epsilon", 1e-5))})`;
  node.define(`${x.text} / ${spread} * ${scale.text}`, x.shape, x.element);
};

const batchNormalization: Become = (node) => {
  const [x, scale, bias, mean, variance] = mapTuple([0, 1, 2, 3, 4], (at) => node.input(at));
  const rank = x.shape.length;
  const epsilon = number(node.float("epsilon", 1e-5));
  const isTraining = node.integer("training_mode", 0) === 1;
  if (!isTraining && node.opset >= 14) node.refuseOutputs(1);
  const each = (value: Value): string => perChannel(node, value, x.shape);
  const result = (middle: string, spread: string): string =>
    `(${x.text} - ${middle}) / sqrt(${spread} + ${epsilon}) * ${each(scale)} + ${each(bias)}`;
  if (!isTraining) return void node.define(result(each(mean), each(variance)), x.shape, x.element);
  const axes = axesFrom(0, rank).filter((axis) => axis !== 1);
  const names = namesOf(x.shape, axes);
  const flat = flattened(x.shape, axes);
  const own = node.intermediate("mean", reduce("avg", x.text, names), flat, x.element);
  const difference = `(${x.text} - ${own.text})`;
  const spread = node.intermediate("variance", reduce("avg", square(difference), names), flat, x.element);
  node.define(result(own.text, spread.text), x.shape, x.element);
  const momentum = node.float("momentum", 0.9);
  for (const [position, [old, current]] of [[mean, own] as const, [variance, spread] as const].entries()) {
    const channels = rename(
      current.text,
      sizeAt(x.shape, 1) === 1 ? [] : [[axisName(rank, 1), axisName(1, 0)]],
    );
    const text = `${old.text} * ${number(momentum)} + ${channels} * ${number(1 - momentum)}`;
    if (node.isUsed(position + 1)) node.define(text, old.shape, old.element, position + 1);
  }
};

const instanceNormalization: Become = (node) => {
  const x = node.input(0);
  const { value } = normalised(node, x, axesFrom(2, x.shape.length), node.float("epsilon", 1e-5));
  const [scale, bias] = [1, 2].map((at) => perChannel(node, node.input(at), x.shape));
  const text = `${value.text} * ${scale} + ${bias}`;
  node.define(text, x.shape, x.element);
};

const groupNormalization: Become = (node) => {
  const [x, scale, bias] = [node.input(0), node.input(1), node.input(2)];
  const [batch, channels, ...spatial] = node.withAxes(x.shape, 2);
  const groups = node.requiredInteger("num_groups");
  const grouped = [batch, groups, channels / groups, ...spatial];
  const parts = node.intermediate("groups", reshaped(node, x, grouped), grouped, x.element);
  const { value } = normalised(node, parts, axesFrom(2, grouped.length), node.float("epsilon", 1e-5));
  // Until opset 20 there was a scale for each group.
  const isPerGroup = cellsIn(scale.shape) === groups && groups !== channels;
  const shape = isPerGroup ? grouped : x.shape;
  const affine = (text: string): string =>
    `${text} * ${perChannel(node, scale, shape)} + ${perChannel(node, bias, shape)}`;
  if (!isPerGroup) return void node.define(affine(reshapedName(node, value, x.shape)), x.shape, x.element);
  const scaled = node.intermediate("scaled", affine(value.text), grouped, x.element);
  node.define(reshaped(node, scaled, x.shape), x.shape, x.element);
};

/** A reshaped value as an operand. */
function reshapedName(node: NodeImport, value: Value, shape: readonly number[]): string {
  return node.intermediate("ungrouped", reshaped(node, value, shape), shape, value.element, [value]).text;
}

const meanVarianceNormalization: Become = (node) => {
  const x = node.input(0);
  const axes = (node.integers("axes") ?? [0, 2, 3]).map((axis) => node.axis(axis, x.shape.length));
  const names = namesOf(x.shape, axes);
  const mean = reduce("avg", x.text, names);
  const centred = node.intermediate("centred", `${x.text} - ${mean}`, x.shape, x.element);
  const spread = `sqrt(${reduce("avg", square(centred.text), names)})`;
  node.define(`${centred.text} / (${spread} + 0.000000001)`, x.shape, x.element);
};

/** Divided by the norm along an axis; 0 where that is 0. */
const lpNormalization: Become = (node) => {
  const x = node.input(0);
  const names = namesOf(x.shape, [node.axis(node.integer("axis", -1), x.shape.length)]);
  const isFirst = node.integer("p", 2) === 1;
  const norm = isFirst
    ? reduce("sum", `abs(${x.text})`, names)
    : `sqrt(${reduce("sum", square(x.text), names)})`;
  node.define(`join(${x.text}, ${norm}, f(a, b)(if(b == 0, 0, a / b)))`, x.shape, x.element);
};

const localResponse: Become = (node) => {
  const x = node.input(0);
  const rank = x.shape.length;
  const size = node.requiredInteger("size");
  const channels = sizeAt(x.shape, 1);
  const [before, after] = [Math.floor((size - 1) / 2), Math.ceil((size - 1) / 2)];
  const name = axisName(rank, 1);
  const near = `tensor<float>(k[${channels}], ${name}[${channels}])(k >= ${name} - ${before} && k <= ${name} + ${after})`;
  const squares = square(x.text);
  const summed = channels === 1 ? squares : `sum(rename(${squares}, ${name}, k) * ${near}, k)`;
  const [alpha, beta, bias] = [node.float("alpha", 1e-4), node.float("beta", 0.75), node.float("bias", 1)];
  const text = `${x.text} / pow(${number(bias)} + ${number(alpha / size)} * ${summed}, ${number(beta)})`;
  node.define(text, x.shape, x.element);
};

// biome-ignore format: a table
export const normalisation: OperatorTable = {
  BatchNormalization:        { 1: batchNormalization },
  GroupNormalization:        { 18: groupNormalization },
  InstanceNormalization:     { 1: instanceNormalization },
  LayerNormalization:        { 1: layerNormalization },
  LpNormalization:           { 1: lpNormalization },
  LRN:                       { 1: localResponse },
  MeanVarianceNormalization: { 9: meanVarianceNormalization },
  "sphex.LayerNormalised":   { 1: recoveredNormalization },
  RMSNormalization:          { 23: rmsNormalization },
};
