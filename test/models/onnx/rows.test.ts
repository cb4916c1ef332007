import { expect, test } from "vitest";
import { SphexError } from "../../../src/index.js";
import type { ElementType } from "../../../src/models/onnx/file/element-type.js";
import { decode } from "../../../src/models/onnx/file/protobuf.js";
import { modelFields } from "../../../src/models/onnx/file/schema.js";
import { importModel } from "../../../src/models/onnx/importer.js";
import { readOnnx } from "../../../src/models.js";
import type { Attribute, Graph, Step } from "../campaign/graph.js";
import { modelBytes } from "../campaign/write.js";
import { differenceOf, evaluate, runProgram } from "./imported.js";

/** Rows of the tables of operators that no case of ONNX tries: those of old opsets, of the newest, and those that are refused. */

interface Row {
  readonly operator: string;
  readonly opset: number;
  readonly attributes?: Readonly<Record<string, Attribute>>;
  readonly inputs: readonly (readonly [shape: readonly number[], numbers: readonly number[]])[];
  readonly element?: ElementType;
  readonly result?: ElementType;
  readonly shape: readonly number[];
  readonly numbers: readonly number[];
}

function graphOf({ operator, opset, attributes = {}, inputs, element = "float", ...row }: Row): Graph {
  const names = inputs.map((_, at) => `x${at}`);
  return {
    opset,
    constants: new Map(),
    inputs: new Map(inputs.map(([shape, numbers], at) => [`x${at}`, { element, shape, numbers }])),
    steps: [{ operator, inputs: names, outputs: ["y"], attributes }],
    outputs: new Map([["y", { element: row.result ?? element, shape: row.shape }]]),
  };
}

const six = [1, 2, 3, 4, 5, 6];
/** Until opset 7 the second operand had the axes from one on. */
const atFirst = { broadcast: 1, axis: 0 };
const two = Math.log(3) / 2; // sigmoid(log 3) is 3/4
const channels = [
  [1, 2, 2, 2],
  [3, -4, 0, 0, 1, -1, 1, -1],
] as const;

/** Queries that agree with all keys alike, so that what a query takes is the mean of the values that it may look at. */
const alike: Row["inputs"] = [
  [[1, 1, 3, 2], Array(6).fill(0)],
  [[1, 1, 3, 2], Array(6).fill(0)],
  [
    [1, 1, 3, 1],
    [1, 2, 4],
  ],
];
const no = Number.NEGATIVE_INFINITY;

// By hand.
// biome-ignore format: a table
const rows: readonly Row[] = [
  { operator: "And",     opset: 6, attributes: atFirst, element: "bool", inputs: [[[2, 3], [1, 0, 1, 0, 1, 1]], [[2], [1, 0]]], shape: [2, 3], numbers: [1, 0, 1, 0, 0, 0] },
  { operator: "Or",      opset: 6, attributes: atFirst, element: "bool", inputs: [[[2, 3], [1, 0, 1, 0, 1, 1]], [[2], [1, 0]]], shape: [2, 3], numbers: [1, 1, 1, 0, 1, 1] },
  { operator: "Equal",   opset: 6, attributes: atFirst, result: "bool", inputs: [[[2, 3], six], [[2], [2, 5]]], shape: [2, 3], numbers: [0, 1, 0, 0, 1, 0] },
  { operator: "Greater", opset: 6, attributes: atFirst, result: "bool", inputs: [[[2, 3], six], [[2], [2, 5]]], shape: [2, 3], numbers: [0, 0, 1, 0, 0, 1] },
  { operator: "Less",    opset: 6, attributes: atFirst, result: "bool", inputs: [[[2, 3], six], [[2], [2, 5]]], shape: [2, 3], numbers: [1, 0, 0, 1, 0, 0] },
  { operator: "Pow",     opset: 6, attributes: atFirst, inputs: [[[2, 3], six], [[2], [2, 1]]], shape: [2, 3], numbers: [1, 4, 9, 4, 5, 6] },
  { operator: "Pow",     opset: 6, inputs: [[[2], [2, 3]], [[2], [3, 2]]], shape: [2], numbers: [8, 9] },
  { operator: "Cast",    opset: 5, attributes: { to: "INT32" }, result: "int32", inputs: [[[3], [1.5, -1.5, 2]]], shape: [3], numbers: [1, -1, 2] },
  { operator: "Cast",    opset: 13, attributes: { to: 13 }, element: "int64", result: "uint64", inputs: [[[3], [-4, 0, 3]]], shape: [3], numbers: [2 ** 64 - 4, 0, 3] },
  { operator: "Softsign", opset: 7, inputs: [[[3], [-3, 0, 1]]], shape: [3], numbers: [-0.75, 0, 0.5] },
  { operator: "Swish",   opset: 24, inputs: [[[3], [0, 2 * two, -2 * two]]], shape: [3], numbers: [0, 1.5 * two, -0.5 * two] },
  { operator: "Swish",   opset: 24, attributes: { alpha: { float: 2 } }, inputs: [[[2], [two, -two]]], shape: [2], numbers: [0.75 * two, -0.25 * two] },
  { operator: "GlobalLpPool",  opset: 7, inputs: [channels], shape: [1, 2, 1, 1], numbers: [5, 2] },
  { operator: "GlobalLpPool",  opset: 7, attributes: { p: 1 }, inputs: [channels], shape: [1, 2, 1, 1], numbers: [7, 4] },
  { operator: "AveragePool", opset: 19, attributes: { kernel_shape: [2], dilations: [2], pads: [1, 1] }, inputs: [[[1, 1, 1], [5]]], shape: [1, 1, 1], numbers: [0] },
  { operator: "PRelu",   opset: 16, inputs: [[[1, 2], [-1, 2]], [[2, 2], [10, 20, 30, 40]]], shape: [2, 2], numbers: [-10, 2, -30, 2] },
  { operator: "GlobalMaxPool", opset: 7, inputs: [[[1, 2, 2, 2], [3, 4, 0, 0, -1, -2, -3, -4]]], shape: [1, 2, 1, 1], numbers: [4, -1] },
  { operator: "BitShift", opset: 28, attributes: { direction: "LEFT" }, element: "int8", inputs: [[[5], [1, -1, 65, 3, -5]], [[5], [7, 1, 1, -1, 9]]], shape: [5], numbers: [-128, -2, -126, 0, 0] },
  { operator: "BitShift", opset: 28, attributes: { direction: "RIGHT" }, element: "int8", inputs: [[[5], [-128, 5, -5, 3, -3]], [[5], [7, 1, 9, -1, -1]]], shape: [5], numbers: [-1, 2, -1, 0, -1] },
  { operator: "BitShift", opset: 11, attributes: { direction: "LEFT" }, element: "uint8", inputs: [[[2], [129, 3]], [[2], [1, 2]]], shape: [2], numbers: [2, 12] },
  { operator: "Mod",     opset: 28, inputs: [[[5], [-3, 3, -3, 4, -4.5]], [[5], [2, -2, Infinity, 2, 2]]], shape: [5], numbers: [1, -1, Infinity, 0, 1.5] },
  { operator: "Mod",     opset: 13, attributes: { fmod: 1 }, inputs: [[[2], [-3, 3]], [[2], [2, -2]]], shape: [2], numbers: [-1, 1] },
  { operator: "SpaceToDepth", opset: 28, attributes: { blocksize: 2, mode: "CRD" }, inputs: [[[1, 2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8]]], shape: [1, 8, 1, 1], numbers: [1, 2, 3, 4, 5, 6, 7, 8] },
  { operator: "SpaceToDepth", opset: 13, attributes: { blocksize: 2 }, inputs: [[[1, 2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8]]], shape: [1, 8, 1, 1], numbers: [1, 5, 2, 6, 3, 7, 4, 8] },
  { operator: "Attention", opset: 25, attributes: { is_causal: 1, left_window_size: 1 }, inputs: alike, shape: [1, 1, 3, 1], numbers: [1, 1.5, 3] },
  { operator: "Attention", opset: 25, attributes: { right_window_size: 1 }, inputs: alike, shape: [1, 1, 3, 1], numbers: [1.5, 7 / 3, 7 / 3] },
  { operator: "Attention", opset: 23, inputs: [...alike, [[3, 3], [0, 0, 0, ...[no, no, no], 0, no, 0]]], shape: [1, 1, 3, 1], numbers: [7 / 3, 0, 2.5] },
  { operator: "Attention", opset: 23, inputs: [...alike, [[3], [0, no, 0]]], shape: [1, 1, 3, 1], numbers: [2.5, 2.5, 2.5] },
];

test.each(rows)("$operator of opset $opset", (row) => {
  const graph = graphOf(row);
  const program = importModel(decode(modelBytes(graph), modelFields), { evaluate });
  const [result] = runProgram(program, graph.inputs);
  const [port] = program.outputs;
  if (result === undefined || port === undefined) throw new Error("no output");
  const { shape, numbers, result: element = row.element ?? "float" } = row;
  expect(differenceOf(port, result, { element, shape, numbers })).toBeUndefined();
});

// What onnxruntime 1.32.0 gives; no node of it has an opset before 7.
test.each([
  [7, "float", 0],
  [9, "float", 0],
  [10, "bool", 0],
  [11, "bool", 0],
  [12, "bool", 1],
] as const)("the mask of a Dropout of opset %i has elements of %s, which are %i", (opset, element, mask) => {
  const graph = graphOf({ operator: "Dropout", opset, inputs: [[[2], [3, 0]]], shape: [2], numbers: [] });
  const steps = graph.steps.map((step) => ({ ...step, outputs: ["y", "mask"] }));
  const outputs = new Map([["mask", { element, shape: [2] }]]);
  const program = importModel(decode(modelBytes({ ...graph, steps, outputs }), modelFields), { evaluate });
  const [result] = runProgram(program, graph.inputs);
  const [port] = program.outputs;
  if (result === undefined || port === undefined) throw new Error("no output");
  expect(differenceOf(port, result, { element, shape: [2], numbers: [mask, mask] })).toBeUndefined();
});

test.each([
  ["Compress", 9, 2],
  ["NonMaxSuppression", 10, 2],
  ["NonZero", 9, 1],
  ["Unique", 11, 1],
] as const)("%s is refused, since the shape of what it makes depends on data", (operator, opset, count) => {
  const inputs = Array.from({ length: count }, () => [[2], [0, 1]] as const);
  const graph = graphOf({ operator, opset, inputs, shape: [1], numbers: [] });
  const model = readOnnx({ name: "m.onnx", bytes: modelBytes(graph) });
  expect(() => model.program()).toThrow(SphexError);
  expect(() => model.program()).toThrow("the shape of its result depends on the values of its input");
});

test("an attribute that nobody asks for is refused beyond opset 28", () => {
  const inputs = [[[2], [0, 1]]] as const;
  const graph = graphOf({
    operator: "Relu",
    opset: 30,
    attributes: { slope: 1 },
    inputs,
    shape: [2],
    numbers: [],
  });
  const model = readOnnx({ name: "m.onnx", bytes: modelBytes(graph) });
  expect(() => model.program()).toThrow("its attribute slope is not known in this opset");
  const known = graphOf({ operator: "Relu", opset: 29, inputs, shape: [2], numbers: [] });
  expect(() => readOnnx({ name: "m.onnx", bytes: modelBytes(known) }).program()).not.toThrow();
});

// biome-ignore format: a table
test.each<[string, number, Row["attributes"], readonly (readonly number[])[], string]>([
  ["Conv",               11, {},                          [[3], [3, 1]],       "the shapes [3] do not fit"],
  ["Conv",               11, {},                          [[1, 2, 4], [2]],    "the shapes [2] do not fit"],
  ["ConvTranspose",      11, {},                          [[3], [3, 1]],       "the shapes [3] do not fit"],
  ["MaxPool",            12, { kernel_shape: [1] },       [[3]],               "the shapes [3] do not fit"],
  ["GroupNormalization", 21, { num_groups: 1 },           [[3], [3], [3]],     "the shapes [3] do not fit"],
  ["DepthToSpace",       13, { blocksize: 2 },            [[4, 2, 2]],         "the shapes [4,2,2] do not fit"],
  ["SpaceToDepth",       13, { blocksize: 2 },            [[2, 2]],            "the shapes [2,2] do not fit"],
  ["Gemm",               13, {},                          [[2, 2, 2], [2, 2]], "the shapes [2,2,2] do not fit"],
  ["Einsum",             12, { equation: "ij->i" },       [[3]],               "the shapes [3] do not fit"],
  ["Einsum",             12, { equation: "i,j->i" },      [[3]],               "the shapes [3] do not fit"],
  ["Slice",               1, { starts: [0, 1], ends: [1] }, [[3, 3]],          "its ends must have 2 numbers, and has 1"],
  ["Gemm",               13, {},                          [[2, 3], [4, 2]],    "the shapes [2,3] and [4,2] do not fit"],
  ["Gemm",               13, {},                          [[2, 3], [3, 2], [3]], "the shapes [2,3] and [3,2] and [3] do not fit"],
  ["Einsum",             12, { equation: "ij,jk->ik" },   [[2, 3], [4, 2]],    "the shapes [2,3] and [4,2] do not fit"],
  ["Concat",             13, { axis: 0 },                 [[2, 3], [2, 4]],    "the shapes [2,3] and [2,4] do not fit"],
  ["Split",              11, { split: [2, 1] },           [[4]],               "the shapes [4] and [2,1] do not fit"],
  ["Squeeze",            11, { axes: [0] },               [[2, 3]],            "the shapes [2,3] do not fit"],
  ["Transpose",          13, { perm: [0, 0] },            [[2, 3]],            "perm = 0,0 is not supported"],
  ["DepthToSpace",       13, { blocksize: 2 },            [[1, 3, 2, 2]],      "the shapes [1,0.75,4,4] do not fit"],
  ["ReverseSequence",    10, {},                          [[2, 3], [2]],       "the shapes [2,3] and [2] do not fit"],
  ["GatherElements",     13, { axis: 0 },                 [[2, 3], [2, 4]],    "the shapes [2,3] and [2,4] do not fit"],
  ["ScatterElements",    13, { axis: 0 },                 [[2, 3], [1, 3], [1, 2]], "the shapes [1,3] and [1,2] do not fit"],
  ["ScatterND",          13, {},                          [[2, 3], [1, 1], [1, 2]], "the shapes [2,3] and [1,1] and [1,2] do not fit"],
  ["LayerNormalization", 17, {},                          [[2, 3], [2]],       "the shapes [2,3] and [2] do not fit"],
  ["RMSNormalization",   23, {},                          [[2, 3], [2]],       "the shapes [2,3] and [2] do not fit"],
  ["InstanceNormalization", 6, {},                        [[1, 3, 2], [2], [3]], "the shapes [1,3,2] and [2] do not fit"],
  ["Conv",               11, {},                          [[1, 1, 3], [2, 1, 3], [3]], "the shapes [1,2,1] and [3] do not fit"],
  ["ConvTranspose",      11, {},                          [[1, 2, 3], [3, 1, 3]], "the shapes [1,2,3] and [3,1,3] do not fit"],
  ["NegativeLogLikelihoodLoss", 13, {},                   [[2, 3], [3]],       "the shapes [2,3] and [3] do not fit"],
  ["DequantizeLinear",   13, { axis: 0 },                 [[2, 3], [3]],       "the shapes [2,3] and [3] do not fit"],
  ["Attention",          23, {},                          [[1, 1, 2, 2], [1, 1, 3, 2], [1, 1, 3, 2], [3, 3]], "the shapes [3,3] and [1,1,2,3] do not fit"],
  ["RotaryEmbedding",    23, {},                          [[1, 1, 3, 4], [1, 2, 2], [1, 2, 2]], "the shapes [1,1,3,4] and [1,2,2] and [1,2,2] do not fit"],
  ["RNN",                14, {},                          [[3, 2, 2], [1, 2, 2], [1, 3, 2]], "the shapes [3,2,2] and [1,2,2] and [1,3,2] do not fit"],
  ["RNN",                14, {},                          [[3, 2, 2], [1, 2, 2], [1, 2, 2], [1, 3]], "the shapes [3,2,2] and [1,2,2] and [1,3] do not fit"],
  ["PRelu",               6, {},                          [[1, 3, 2], [2]],    "the shapes [1,3,2] and [2] do not fit"],
  ["GatherND",           13, { batch_dims: 1 },           [[2, 3], [3, 1]],    "the shapes [2,3] and [3,1] do not fit"],
  ["MatMulInteger",      10, {},                          [[2, 3], [3, 2], [3]], "the shapes [2,3] and [3] do not fit"],
  ["MaxPool",            12, { kernel_shape: [2, 2] },    [[1, 1, 3]],         "the shapes [3] and [2,2] do not fit"],
  ["MaxUnpool",          11, { kernel_shape: [2] },       [[1, 1, 3], [1, 1, 2]], "the shapes [1,1,3] and [1,1,2] do not fit"],
  ["Attention",          23, {},                          [[1, 1, 2, 2], [1, 1, 3, 2], [1, 1, 4, 2]], "the shapes [1,1,2,2] and [1,1,3,2] and [1,1,4,2] do not fit"],
])("%s of opset %i is refused where it lacks axes or numbers, or where shapes do not fit: %j of %j", (operator, opset, attributes, shapes, words) => {
  const inputs = shapes.map((shape) => [shape, Array(shape.reduce((a, b) => a * b, 1)).fill(1)] as const);
  const graph = graphOf({ operator, opset, attributes: attributes ?? {}, inputs, shape: [1], numbers: [] });
  expect(() => readOnnx({ name: "m.onnx", bytes: modelBytes(graph) }).program()).toThrow(words);
});

// biome-ignore format: a table
test.each([
  ["Resize",     { nearest_mode: "nearest" },                   "nearest_mode = nearest is not supported"],
  ["Resize",     { coordinate_transformation_mode: "corners" }, "coordinate_transformation_mode = corners is not supported"],
  ["GridSample", { mode: "constructor" },                       "mode = constructor is not supported"],
] as const)("%s with %j is refused", (operator, attributes, words) => {
  const inputs = [[[1, 1, 1, 2], [1, 2]], ...(operator === "Resize" ? [] : [[[1, 1, 1, 2], [0, 0]] as const])] as const;
  const graph = graphOf({ operator, opset: 16, attributes, inputs, shape: [1], numbers: [] });
  expect(() => readOnnx({ name: "m.onnx", bytes: modelBytes(graph) }).program()).toThrow(words);
});

test("the waves of a Fourier transform are computed before the program runs", () => {
  const inputs = [
    [
      [1, 4, 1],
      [1, 2, 3, 4],
    ],
  ] as const;
  const graph = graphOf({
    operator: "DFT",
    opset: 17,
    attributes: { axis: 1 },
    inputs,
    shape: [1, 4, 2],
    numbers: [],
  });
  const program = importModel(decode(modelBytes(graph), modelFields), { evaluate });
  expect([...program.constants.values()].map(({ type }) => String(type))).toEqual([
    "tensor<float>(y[4],z[4])",
    "tensor<float>(y[4],z[4])",
  ]);
  expect(program.definitions.filter(({ text }) => text.includes("cos(") || text.includes("sin("))).toEqual(
    [],
  );
});

const oneQuestion: Readonly<Record<string, Attribute>> = {
  nodes_modes: { strings: ["BRANCH_LEQ", "LEAF", "LEAF"] },
  nodes_treeids: [0, 0, 0],
  nodes_nodeids: [0, 1, 2],
  nodes_featureids: [0, 0, 0],
  nodes_values: { floats: [0.5, 0, 0] },
  nodes_truenodeids: [1, 0, 0],
  nodes_falsenodeids: [2, 0, 0],
};

// Where a weight is negative, 0 parts the classes, and not 0.5.
test.each<[string, Readonly<Record<string, Attribute>>]>([
  ["floats", { class_weights: { floats: [-1, 0.25] } }],
  [
    "doubles",
    { class_weights_as_tensor: { tensor: { element: "double", shape: [2], numbers: [-1, 0.25] } } },
  ],
])("a classifier of two classes asks whether its weights are negative, also of %s", (_, weights) => {
  const step: Step = {
    operator: "TreeEnsembleClassifier",
    domain: "ai.onnx.ml",
    inputs: ["x"],
    outputs: ["label", "scores"],
    attributes: {
      classlabels_int64s: [3, 4],
      ...oneQuestion,
      class_treeids: [0, 0],
      class_nodeids: [1, 2],
      class_ids: [0, 0],
      ...weights,
    },
  };
  const inputs = new Map([["x", { element: "float" as const, shape: [2, 1], numbers: [0, 1] }]]);
  const outputs = new Map([
    ["label", { element: "int64" as const, shape: [2] }],
    ["scores", { element: "float" as const, shape: [2, 2] }],
  ]);
  const graph = { opset: 13, constants: new Map(), inputs, steps: [step], outputs };
  const program = importModel(decode(modelBytes(graph), modelFields), { evaluate });
  const [labels, scores] = runProgram(program, inputs);
  expect(labels?.toNested()).toEqual([3, 4]);
  expect(scores?.toNested()).toEqual([
    [1, -1],
    [-0.25, 0.25],
  ]);
});

// biome-ignore format: a table
test.each<[string, Readonly<Record<string, Attribute>>, string]>([
  ["a weight of a leaf twice",       { target_ids: [0, 1, 1] },           "target_ids = 1 twice in a leaf is not supported"],
  ["fewer base values than targets", { base_values: { floats: [5] } },    "base_values = 5 is not supported"],
  // ONNX Runtime has 0 for it, and ONNX 5.
  ["a base for a target that a row may lack", { base_values: { floats: [0, 5] } }, "base_values = … for targets without a score is not supported"],
])("a regressor with %s is refused", (_, attributes, words) => {
  const step: Step = {
    operator: "TreeEnsembleRegressor",
    domain: "ai.onnx.ml",
    inputs: ["x"],
    outputs: ["y"],
    attributes: {
      n_targets: 2,
      ...oneQuestion,
      target_treeids: [0, 0, 0],
      target_nodeids: [1, 2, 2],
      target_ids: [0, 0, 1],
      target_weights: { floats: [1, 2, 3] },
      ...attributes,
    },
  };
  const inputs = new Map([["x", { element: "float" as const, shape: [2, 1], numbers: [0, 1] }]]);
  const outputs = new Map([["y", { element: "float" as const, shape: [2, 2] }]]);
  const graph = { opset: 13, constants: new Map(), inputs, steps: [step], outputs };
  expect(() => importModel(decode(modelBytes(graph), modelFields), { evaluate })).toThrow(words);
});
