/**
 * Sphex, models: files of other tools as programs of the language, and as what programs learn from. It stands apart from `sphex`, so that
 * whoever has no such files does not load it.
 */
import type { Tensor } from "./language/values/tensor.js";
import { type OnnxFile, type OnnxModel, readOnnxModel } from "./models/onnx/model.js";
import { type OnnxRuntimeModule, runtimeOf } from "./models/onnx/runtime/module.js";
import type { OnnxRuntime } from "./models/onnx/runtime/runtime.js";
import { modelReader } from "./models/reader.js";
import { readTokenizerFile, type Tokenizer, type TokenizerFile } from "./models/tokens/tokenizer.js";
import { type ForestProgram, forestProgram } from "./models/trees/forest-text.js";
import { type ForestFile, type ForestLibrary, readForest } from "./models/trees/read.js";
import { compile } from "./program/compile.js";
import type { ModelReader } from "./program/options.js";

export type { ComputeOutput, Model, ModelPort, ModelProgram } from "./language/check/models/models.js";
export type { BuildScalar, ScalarBuilder } from "./language/check/models/scalar-builder.js";
export type { ScalarName } from "./language/scalar/functions.js";
export type {
  OnnxFile,
  OnnxModel,
  OnnxPort,
  OnnxProgram,
  OnnxProgramOptions,
  RuntimeFile,
} from "./models/onnx/model.js";
export type { ElementArray } from "./models/onnx/runtime/elements.js";
export type {
  OnnxRuntimeModule,
  RuntimeSession,
  RuntimeSessionOptions,
} from "./models/onnx/runtime/module.js";
export type { OnnxRuntime, RunModel, RuntimeTensor } from "./models/onnx/runtime/runtime.js";
export type { OnnxSummary } from "./models/onnx/summary.js";
export type { Tokenizer, TokenizerFile, Tokens } from "./models/tokens/tokenizer.js";
export type { ForestProgram } from "./models/trees/forest-text.js";
export { type ForestFile, type ForestLibrary, forestLibraries } from "./models/trees/read.js";
export type { ModelFile, ModelReader } from "./program/options.js";
export { readTrainingParquet, type TrainingFileOptions } from "./program/training/data/parquet-data.js";

/**
 * Reads the tokenizer of a model of texts: `tokenizer.json` of Hugging Face, of the kinds WordPiece, BPE and Unigram.
 * @throws SphexError where the file is none.
 */
export const readTokenizer = (file: TokenizerFile): Tokenizer => readTokenizerFile(file);

/** Reads the models that programs name, in the format that the end of the file's name tells: an option of `compile`. */
export const models: ModelReader = (file) => modelReader(file, evaluate);

/**
 * The same, but ONNX Runtime computes the models of ONNX, with types from their files: `models: modelsBy(onnxRuntime(ort))`.
 * Only asynchronous runs can wait for it.
 */
export const modelsBy =
  (runtime: OnnxRuntime): ModelReader =>
  (file) =>
    modelReader(file, evaluate, runtime);

/** ONNX Runtime, by its package: `import * as ort from "onnxruntime-web"`, or `"onnxruntime-node"`. */
export const onnxRuntime = (ort: OnnxRuntimeModule): OnnxRuntime => runtimeOf(ort);

/**
 * Reads a file of ONNX.
 * @throws SphexError that names the byte where it is none.
 */
export function readOnnx(file: OnnxFile): OnnxModel {
  return readOnnxModel(file, evaluate);
}

/**
 * Reads a forest that XGBoost (`dump_model` or `save_model`, also as UBJSON) or LightGBM (`dump_model` or `save_model`) has written, as a
 * program whose inputs are its features and whose result is the prediction.
 * @throws SphexError that says where the file has something else.
 */
export function readTrees(file: ForestFile, library?: ForestLibrary): ForestProgram {
  return forestProgram(readForest(file, library));
}

/** Constants are folded by the engine itself. */
function evaluate(text: string, inputs: ReadonlyMap<string, Tensor>): Tensor {
  const types = [...inputs].map(([name, { type }]) => [name, type] as const);
  return compile(text, { inputs: Object.fromEntries(types) }).runOnce(Object.fromEntries(inputs));
}
