import { axesFrom } from "../../axes.js";
import type { NodeImport } from "../../node.js";
import type { Value } from "../../value.js";
import type { Become, OperatorTable } from "../table.js";

/** What ONNX Runtime puts together of several standard operators when it optimises a model: they are taken apart again. */

/** The sum of those values that there are. */
export function sumOf(node: NodeImport, first: Value, ...others: readonly (Value | undefined)[]): Value {
  let sum = first;
  for (const other of others) if (other !== undefined) sum = node.operation("Add", [sum, other]);
  return sum;
}

// Functions of each element

const geluOfSum =
  (approximate: "none" | "tanh"): Become =>
  (node) =>
    void node.operation("Gelu", [sumOf(node, node.input(0), node.optional(1))], { approximate }, 0);

const quickGelu: Become = (node) => {
  const x = node.input(0);
  const alpha = node.table("alpha", [node.float("alpha", 1.702)], [], "float");
  const gate = node.operation("Sigmoid", [node.operation("Mul", [x, alpha])]);
  node.operation("Mul", [x, gate], {}, 0);
};

/** The functions that products and convolutions are fused with, with the names of their parameters in the order of a list of them. */
// biome-ignore format: a table
const parametersOf: Readonly<Record<string, readonly string[]>> = {
  Relu:        [],
  Tanh:        [],
  Sigmoid:     [],
  HardSwish:   [],
  LeakyRelu:   ["alpha"],
  Elu:         ["alpha"],
  HardSigmoid: ["alpha", "beta"],
  Clip:        ["min", "max"],
};

/** What the function of a fused operator makes of a value, as the first output of the node. */
function defineActivated(node: NodeImport, value: Value, parameters: readonly (number | undefined)[]): void {
  const name = node.text("activation", "");
  if (name === "") return node.alias(value);
  const names = node.choice("activation", parametersOf, "");
  const numbers = names.map((_, at) => parameters[at]);
  const isClip = name === "Clip";
  const bounds = isClip
    ? numbers.map((each) => (each === undefined ? undefined : node.table("bound", [each], [], "float")))
    : [];
  const attributes = names.flatMap((each, at) => {
    const float = numbers[at];
    return float === undefined || isClip ? [] : [[each, { float }] as const];
  });
  node.operation(name, [value, ...bounds], Object.fromEntries(attributes), 0);
}

// Products

const fusedMatMul: Become = (node) => {
  const [left, right] = [matrixOf(node, 0, "A"), matrixOf(node, 1, "B")];
  const alpha = node.float("alpha", 1);
  if (alpha === 1) return void node.operation("MatMul", [left, right], {}, 0);
  const product = node.operation("MatMul", [left, right]);
  node.operation("Mul", [product, node.table("alpha", [alpha], [], "float")], {}, 0);
};

/** An operand of a product, whose axes lie as that has them. */
function matrixOf(node: NodeImport, position: number, suffix: string): Value {
  const value = node.input(position);
  const last = value.shape.length - 1;
  if (last < 1) return value;
  // The first axis comes before the last.
  const before = node.integer(`transBatch${suffix}`, 0) === 1 ? [...axesFrom(1, last), 0] : axesFrom(0, last);
  const isTransposed = node.integer(`trans${suffix}`, 0) === 1;
  const axes = isTransposed ? [...before.slice(0, -1), last, ...before.slice(-1)] : [...before, last];
  return axes.every((axis, at) => axis === at) ? value : node.operation("Transpose", [value], { perm: axes });
}

/** How far each row of one matrix is from each of another. */
const distances: Become = (node) => {
  const apart = (axis: number): Value => node.table("axis", [axis], [1], "int64");
  const left = node.operation("Unsqueeze", [node.input(0), apart(1)]);
  const right = node.operation("Unsqueeze", [node.input(1), apart(0)]);
  const difference = node.operation("Sub", [left, right]);
  const hasRoot = node.choice("metric", { sqeuclidean: false, euclidean: true }, "sqeuclidean");
  node.operation(hasRoot ? "ReduceL2" : "ReduceSumSquare", [difference, apart(2)], { keepdims: 0 }, 0);
};

const triangle: Become = (node) =>
  void node.operation("Trilu", node.inputs, { upper: node.integer("upper", 1) }, 0);

const fusedGemm: Become = (node) => {
  const [transA, transB] = [node.integer("transA", 0), node.integer("transB", 0)];
  const [alpha, beta] = [{ float: node.float("alpha", 1) }, { float: node.float("beta", 1) }];
  const sum = node.operation("Gemm", node.inputs, { alpha, beta, transA, transB });
  defineActivated(node, sum, [node.float("activation_alpha"), node.float("activation_beta")]);
};

const fusedConv: Become = (node) => {
  const [x, weights, bias, addend] = [node.input(0), node.input(1), node.optional(2), node.optional(3)];
  const sums = node.operation("Conv", [x, weights, bias], windowAttributes(node));
  defineActivated(node, sumOf(node, sums, addend), node.floats("activation_params") ?? []);
};

/** The attributes of a node's windows, as they are. */
export function windowAttributes(node: NodeImport): Record<string, number | string | readonly number[]> {
  const lists = ["kernel_shape", "pads", "strides", "dilations"].flatMap((name) => {
    const list = node.integers(name);
    return list === undefined || list.length === 0 ? [] : [[name, list] as const];
  });
  return {
    ...{ auto_pad: node.text("auto_pad", "NOTSET"), group: node.integer("group", 1) },
    ...Object.fromEntries(lists),
  };
}

// Normalisation

/** A value that is added to another before both are normalised; the sum is an output as well. */
const skipNormalization =
  (operator: "LayerNormalization" | "RMSNormalization", bias: number): Become =>
  (node) => {
    for (const position of [1, 2]) if (node.isUsed(position)) node.refuse({ kind: "output", position });
    const sum = sumOf(node, node.input(0), node.input(1), node.optional(bias));
    const shift = operator === "LayerNormalization" ? [node.optional(3)] : [];
    node.operation(operator, [sum, node.input(2), ...shift], epsilonOf(node, 1e-12), 0);
    node.alias(sum, 3);
  };

const epsilonOf = (
  node: NodeImport,
  otherwise: number,
): { readonly epsilon: { readonly float: number } } => ({
  epsilon: { float: node.float("epsilon", otherwise) },
});

const simplifiedNormalization: Become = (node) => {
  node.refuseOutputs(1);
  const axis = node.integer("axis", -1);
  node.operation("RMSNormalization", [node.input(0), node.input(1)], { axis, ...epsilonOf(node, 1e-5) }, 0);
};

/** The embeddings of words, positions and segments, summed and normalised; the tables are at the inputs 2 to 6. */
const embedNormalization = (node: NodeImport): void =>
  defineEmbedded(node, (at) => node.optional(at), node.optional(8));

/** The same with tables that somebody reads, and the positions of words, which otherwise are in order. */
export function defineEmbedded(
  node: NodeImport,
  table: (position: number) => Value | undefined,
  positions?: Value,
): void {
  const [ids, segments, mask] = [node.input(0), node.optional(1), node.optional(7)];
  const [batch, length] = node.withAxes(ids.shape, 2);
  const rows = (at: number, indexes: Value): Value => node.operation("Gather", [table(at), indexes]);
  const inOrder = (): Value => node.table("positions", [...Array(length).keys()], [1, length], "int64");
  const sum = sumOf(
    node,
    rows(2, ids),
    rows(3, positions ?? inOrder()),
    segments === undefined ? undefined : rows(4, segments),
  );
  node.operation("LayerNormalization", [sum, table(5), table(6)], epsilonOf(node, 1e-12), 0);
  node.alias(sum, 2);
  if (!node.isUsed(1)) return;
  if (mask === undefined) return node.alias(node.table("lengths", Array(batch).fill(0), [batch], "int32"), 1);
  const axes = node.table("axes", [1], [1], "int64");
  node.operation("ReduceSum", [mask, axes], { keepdims: 0 }, 1);
}

// biome-ignore format: a table
export const fused: OperatorTable = {
  SimplifiedLayerNormalization:                   { 1: simplifiedNormalization },
  "com.microsoft.BiasGelu":                       { 1: geluOfSum("none") },
  "com.microsoft.CDist":                          { 1: distances },
  "com.microsoft.EmbedLayerNormalization":        { 1: embedNormalization },
  "com.microsoft.FastGelu":                       { 1: geluOfSum("tanh") },
  "com.microsoft.FusedConv":                      { 1: fusedConv },
  "com.microsoft.FusedGemm":                      { 1: fusedGemm },
  "com.microsoft.FusedMatMul":                    { 1: fusedMatMul },
  "com.microsoft.Gelu":                           { 1: geluOfSum("none") },
  "com.microsoft.QuickGelu":                      { 1: quickGelu },
  "com.microsoft.SkipLayerNormalization":         { 1: skipNormalization("LayerNormalization", 4) },
  "com.microsoft.SkipSimplifiedLayerNormalization": { 1: skipNormalization("RMSNormalization", 3) },
  "com.microsoft.Trilu":                          { 1: triangle },
};
