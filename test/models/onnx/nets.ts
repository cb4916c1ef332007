import { decode } from "../../../src/models/onnx/file/protobuf.js";
import type { ValueInfoProto } from "../../../src/models/onnx/file/protos.js";
import { modelFields } from "../../../src/models/onnx/file/schema.js";
import { importModel } from "../../../src/models/onnx/importer.js";
import type { Files } from "./archive.js";
import { differenceOf, evaluate, runProgram } from "./imported.js";
import { constantIn } from "./suite.js";

/** Whole nets, each with the output that its authors recorded for the input that ONNX's runner makes. */
export function netsIn(files: Files): string[] {
  const isRecorded = (path: string): boolean => files.has(recordedFor(path));
  return [...files.keys()].filter((path) => path.endsWith(".onnx") && isRecorded(path)).sort();
}

const recordedFor = (path: string): string => path.replace(/\.onnx$/, "_output_0.pb");

/** How the output of a net differs from the one that is recorded, if it does. */
export function netDifference(files: Files, path: string): string | undefined {
  const content = (each: string): Uint8Array => files.get(each)?.() ?? new Uint8Array();
  const model = decode(content(path), modelFields);
  const initial = new Set(model.graph?.initializer.map(({ name }) => name));
  const free = (model.graph?.input ?? []).filter(({ name }) => !initial.has(name));
  const inputs = new Map(free.map((each) => [each.name, ramp(each)]));
  const program = importModel(model, { evaluate, inputs });
  const [result] = runProgram(program, inputs);
  const [port] = program.outputs;
  const expected = constantIn(content(recordedFor(path)));
  return port === undefined || result === undefined ? "no output" : differenceOf(port, result, expected);
}

/** Evenly spaced from 0 to below 1, over all elements: what ONNX's runner gives to nets without data. */
function ramp({ type }: ValueInfoProto) {
  const shape = (type?.tensorType?.shape?.dim ?? []).map(({ dimValue }) => dimValue ?? 1);
  const count = shape.reduce((cells, size) => cells * size, 1);
  const numbers = Float32Array.from({ length: count }, (_, at) => at / count);
  return { element: "float" as const, shape, numbers };
}
