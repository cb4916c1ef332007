import { expect, test } from "vitest";
import type { Constant } from "../../../src/models/onnx/file/constant.js";
import type { ElementType } from "../../../src/models/onnx/file/element-type.js";
import { decode } from "../../../src/models/onnx/file/protobuf.js";
import { modelFields } from "../../../src/models/onnx/file/schema.js";
import { importModel } from "../../../src/models/onnx/importer.js";
import type { Attribute, Graph } from "../campaign/graph.js";
import { modelBytes } from "../campaign/write.js";
import { differenceOf, evaluate, runProgram } from "./imported.js";

/** Values of which every digit counts: whole numbers, and what images of whole numbers become. What is expected is what ONNX Runtime computes, or follows by hand. */

type Values = readonly [element: ElementType, shape: readonly number[], numbers: readonly number[]];

interface Case {
  readonly operator: string;
  readonly opset?: number;
  readonly attributes?: Readonly<Record<string, Attribute>>;
  /** Empty where an input is left out. */
  readonly inputs: readonly (Values | "")[];
  /** Values that are known when the model is imported, from this input on. */
  readonly fixed?: number;
  readonly outputs: readonly Values[];
}

const constantOf = ([element, shape, numbers]: Values): Constant => ({ element, shape, numbers });

function graphOf({ operator, opset = 18, attributes = {}, inputs, fixed = 9, outputs }: Case): Graph {
  const named = inputs.map((values, at) => [values === "" ? "" : `x${at}`, values, at] as const);
  const ofKind = (isFixed: boolean): Map<string, Constant> =>
    new Map(
      named.flatMap(([name, values, at]) =>
        values === "" || at >= fixed !== isFixed ? [] : [[name, constantOf(values)] as const],
      ),
    );
  return {
    opset,
    inputs: ofKind(false),
    constants: ofKind(true),
    steps: [
      {
        operator,
        inputs: named.map(([name]) => name),
        outputs: outputs.map((_, at) => `y${at}`),
        attributes,
      },
    ],
    outputs: new Map(outputs.map(([element, shape], at) => [`y${at}`, { element, shape }] as const)),
  };
}

const full = (value: number): number[] => Array<number>(520).fill(value);
const [least, most] = [-(2 ** 31), 2 ** 31 - 1];
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const long = Array<number>(60_000).fill(0);
const image = ["uint8", [1, 1, 1, 4], [250, 0, 250, 255]] as const;
const wider = ["int64", [4], [1, 1, 1, 8]] as const;
const row = [1, 1, 1, 8];

// biome-ignore format: a table
const cases: readonly Case[] = [
  { operator: "Add", inputs: [["int64", [1], [16777216]], ["int64", [], [1]]], outputs: [["int64", [1], [16777217]]] },
  { operator: "Add", inputs: [["int32", [1, 1], [16777216]], ["int32", [1], [1]]], outputs: [["int32", [1, 1], [16777217]]] },
  { operator: "Add", inputs: [["double", [1], [1e8]], ["double", [], [0.123456789]]], outputs: [["double", [1], [1e8 + 0.123456789]]] },
  { operator: "Where", inputs: [["bool", [2], [1, 0]], ["int64", [], [16777217]], ["int64", [1], [16777219]]], outputs: [["int64", [2], [16777217, 16777219]]] },
  { operator: "Where", inputs: [["bool", [2], [1, 0]], ["double", [], [0.1]], ["double", [], [100000000.125]]], outputs: [["double", [2], [0.1, 100000000.125]]] },
  { operator: "Add", inputs: [["int32", [2], [most, 1]], ["int32", [], [1]]], outputs: [["int32", [2], [least, 2]]] },
  { operator: "Sub", inputs: [["int32", [2], [least, 1]], ["int32", [], [1]]], outputs: [["int32", [2], [most, 0]]] },
  { operator: "Sub", inputs: [["uint32", [2], [0, 5]], ["uint32", [], [1]]], outputs: [["uint32", [2], [2 ** 32 - 1, 4]]] },
  // 123456789 * 987654321 is 121932631112635269, and 65537 * 65537 is 2^32 + 2^17 + 1.
  { operator: "Mul", inputs: [["int32", [4], [123456789, 65537, most, least]], ["int32", [4], [987654321, 65537, most, -1]]], outputs: [["int32", [4], [-67153019, 131073, 1, least]]] },
  { operator: "Mul", inputs: [["int32", [], [-7]], ["int32", [], [6]]], outputs: [["int32", [], [-42]]] },
  { operator: "Mul", inputs: [["int16", [3], [32767, -32768, 12345]], ["int16", [3], [32767, -1, 6789]]], outputs: [["int16", [3], [1, -32768, -10339]]] },
  { operator: "Mul", inputs: [["uint16", [2], [65535, 257]], ["uint16", [], [65535]]], outputs: [["uint16", [2], [1, 65279]]] },
  { operator: "Neg", inputs: [["int8", [2], [-128, 1]]], outputs: [["int8", [2], [-128, -1]]] },
  { operator: "Abs", inputs: [["int8", [2], [-128, -1]]], outputs: [["int8", [2], [-128, 1]]] },
  { operator: "ReduceSum", inputs: [["int32", [2], [most, 1]]], attributes: { keepdims: 0 }, outputs: [["int32", [], [least]]] },
  { operator: "MatMul", inputs: [["int32", [1, 2], [most, 1]], ["int32", [2, 1], [1, 2]]], outputs: [["int32", [1, 1], [least + 1]]] },
  // Of several updates for an element the last one counts.
  { operator: "ScatterElements", attributes: { axis: 0 }, fixed: 1, inputs: [["float", [3, 2], [1, 2, 3, 4, 5, 6]], ["int64", [3, 1], [2, 0, -1]], ["float", [3, 1], [7, 8, 9]]], outputs: [["float", [3, 2], [8, 2, 3, 4, 9, 6]]] },
  { operator: "ScatterND", fixed: 1, inputs: [["float", [3, 2], [1, 2, 3, 4, 5, 6]], ["int64", [3, 1], [-3, 2, 0]], ["float", [3, 2], [7, 8, 9, 10, 11, 12]]], outputs: [["float", [3, 2], [11, 12, 3, 4, 9, 10]]] },
  { operator: "ScatterND", fixed: 1, inputs: [["float", [2, 2], [1, 2, 3, 4]], ["int64", [2, 1, 2], [0, 1, 1, -2]], ["float", [2, 1], [7, 8]]], outputs: [["float", [2, 2], [1, 7, 8, 4]]] },
  // 60 000 elements and 5 000 updates are too many pairs to be compared.
  { operator: "ScatterElements", fixed: 1, inputs: [["float", [60_000], long], ["int64", [5000], upTo(5000).map((at) => at * 11)], ["float", [5000], upTo(5000)]], outputs: [["float", [60_000], long.map((zero, at) => (at % 11 === 0 && at < 55_000 ? at / 11 : zero))]] },
  { operator: "MatMulInteger", inputs: [["uint8", [1, 520], full(255)], ["uint8", [520, 1], [...full(255).slice(1), 2]]], outputs: [["int32", [1, 1], [33748485]]] },
  // The same with weights that are known, whose sums floats hold, or do not hold.
  { operator: "MatMulInteger", fixed: 1, inputs: [["uint8", [1, 3], [255, 255, 1]], ["uint8", [3, 2], [254, 1, 3, 2, 1, 5]]], outputs: [["int32", [1, 2], [65536, 770]]] },
  { operator: "MatMulInteger", fixed: 1, inputs: [["uint8", [1, 520], full(255)], ["uint8", [520, 2], full(255).flatMap((each, at) => [at === 0 ? 2 : each, 1])]], outputs: [["int32", [1, 2], [33748485, 132600]]] },
  { operator: "MatMulInteger", fixed: 1, inputs: [["uint8", [2, 520], [...full(255), ...full(0)]], ["uint8", [520], [2, ...full(255).slice(1)]]], outputs: [["int32", [2], [33748485, 0]]] },
  { operator: "MatMulInteger", fixed: 1, inputs: [["uint8", [1, 2], [255, 0]], ["int8", [2, 2], [-128, 127, 5, -5]], ["uint8", [], [1]], ["int8", [2], [127, -128]]], outputs: [["int32", [1, 2], [-64648, 64647]]] },
  { operator: "ConvInteger", fixed: 1, inputs: [["uint8", [1, 1, 1, 3], [255, 0, 7]], ["uint8", [2, 1, 1, 2], [255, 0, 3, 250]], ["uint8", [], [5]], ["uint8", [], [128]]], outputs: [["int32", [1, 2, 1, 2], [32390, -891, -31860, 869]]] },
  { operator: "Resize", attributes: { axes: [1], coordinate_transformation_mode: "tf_crop_and_resize", mode: "linear" }, inputs: [["float", [2, 3], [0, 1, 2, 3, 4, 5]], ["float", [2], [0, 1]], "", ["int64", [1], [3]]], fixed: 1, outputs: [["float", [2, 3], [0, 1, 2, 3, 4, 5]]] },
  { operator: "Resize", attributes: { coordinate_transformation_mode: "align_corners", mode: "nearest", nearest_mode: "floor" }, inputs: [["float", [7], [0, 1, 2, 3, 4, 5, 6]], "", "", ["int64", [1], [2]]], fixed: 1, outputs: [["float", [2], [0, 6]]] },
  { operator: "Resize", opset: 19, attributes: { mode: "cubic", antialias: 1 }, inputs: [image, "", "", wider], fixed: 1, outputs: [["uint8", row, [255, 185, 30, 30, 184, 255, 255, 255]]] },
  { operator: "Resize", opset: 19, attributes: { mode: "linear", antialias: 1 }, inputs: [image, "", "", wider], fixed: 1, outputs: [["uint8", row, [250, 188, 63, 63, 188, 251, 254, 255]]] },
  { operator: "Resize", opset: 19, attributes: { mode: "linear" }, inputs: [image, "", "", wider], fixed: 1, outputs: [["uint8", row, [250, 187, 62, 62, 187, 251, 253, 255]]] },
  { operator: "MaxPool", attributes: { kernel_shape: [2], pads: [1, 0], strides: [2] }, inputs: [["int8", [1, 1, 2], [-128, -128]]], outputs: [["int8", [1, 1, 1], [-128]], ["int64", [1, 1, 1], [0]]] },
  { operator: "MaxPool", attributes: { kernel_shape: [2], pads: [1, 0], strides: [2] }, inputs: [["float", [1, 1, 2], [-Infinity, -Infinity]]], outputs: [["float", [1, 1, 1], [-Infinity]], ["int64", [1, 1, 1], [0]]] },
  { operator: "MaxPool", attributes: { kernel_shape: [2, 2], storage_order: 1 }, inputs: [["float", [1, 1, 2, 2], [1, 5, 5, 1]]], outputs: [["float", [1, 1, 1, 1], [5]], ["int64", [1, 1, 1, 1], [2]]] },
  { operator: "MaxPool", attributes: { kernel_shape: [1, 2], storage_order: 1 }, inputs: [["float", [1, 2, 2, 3], [1, 2, 3, 4, 6, 5, 9, 8, 7, 0, 0, 1]]], outputs: [["float", [1, 2, 2, 2], [2, 3, 6, 6, 9, 8, 0, 1]], ["int64", [1, 2, 2, 2], [2, 4, 3, 3, 6, 8, 7, 11]]] },
];

test.each(cases.map((each) => [each.operator, each] as const))("%s, every digit", (_, each) => {
  const graph = graphOf(each);
  const program = importModel(decode(modelBytes(graph), modelFields), { evaluate });
  const results = runProgram(program, graph.inputs);
  for (const [at, expected] of each.outputs.entries()) {
    const [port, result] = [program.outputs[at], results[at]];
    if (port === undefined || result === undefined) throw new Error("no output");
    const tolerance = { relative: 1e-15, absolute: 0 };
    expect(differenceOf(port, result, constantOf(expected), tolerance)).toBeUndefined();
  }
});

// 258 * 255 * 255 is 16 776 450, and 2^24 is 16 777 216.
test.each([
  [258, false],
  [259, true],
])("a sum of %d products of bytes has operands of doubles: %s", (count, isWide) => {
  const bytes = (shape: readonly number[]): Values => ["uint8", shape, Array<number>(2 * count).fill(255)];
  const graph = graphOf({
    operator: "MatMulInteger",
    fixed: 1,
    inputs: [bytes([2, count]), bytes([count, 2])],
    outputs: [["int32", [2, 2], []]],
  });
  const program = importModel(decode(modelBytes(graph), modelFields), { evaluate });
  const isDouble = ({ text }: { readonly text: string }): boolean =>
    text.startsWith("cell_cast(x0_inside, double)");
  expect(program.definitions.some(isDouble)).toBe(isWide);
});
