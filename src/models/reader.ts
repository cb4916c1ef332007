import { requireUtf8 } from "../formats/utf8.js";
import type { Model, ModelPort } from "../language/check/models/models.js";
import { SphexError } from "../language/source/problem.js";
import { spanOfText } from "../language/source/span.js";
import { problem } from "./messages.js";
import { ProgramNames } from "./names.js";
import { elementCell } from "./onnx/file/element-type.js";
import { type OnnxFile, type OnnxModel, type OnnxPort, readOnnxModel } from "./onnx/model.js";
import type { Evaluate } from "./onnx/program-writer.js";
import { type OnnxRuntime, outputsBy } from "./onnx/runtime/runtime.js";
import { tokenRow } from "./tokens/token-row.js";
import { readTokenizerFile, type Tokenizer } from "./tokens/tokenizer.js";
import { isVocabulary } from "./tokens/vocabulary.js";
import type { Forest } from "./trees/forest.js";
import { featureInputs, forestCall } from "./trees/forest-text.js";
import { readForest } from "./trees/read.js";

/** Models in any of the formats that are read here, as programs of the language call them. */

/** @throws SphexError with what is wrong with the file, or why it is none of a model. */
export function modelReader(file: OnnxFile, evaluate: Evaluate, runtime?: OnnxRuntime): Model {
  const end = file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase();
  const read = Object.hasOwn(formats, end) ? formats[end] : undefined;
  if (read !== undefined) return read(file, evaluate, runtime);
  throw new SphexError([problem("model/format", spanOfText(file.name, ""), { ends: Object.keys(formats) })]);
}

type Read = (file: OnnxFile, evaluate: Evaluate, runtime: OnnxRuntime | undefined) => Model;

const forest: Read = ({ name, bytes }) => forestModel(readForest({ name, bytes }));

/** A forest, or a tokenizer. */
const json: Read = ({ name, bytes }) => {
  const text = requireUtf8(bytes, "json", spanOfText(name, ""));
  const isTokenizer = text.includes('"vocab"') && text.includes('"model"');
  return isTokenizer
    ? tokenizerModel(readTokenizerFile({ name, text }))
    : forestModel(readForest({ name, text }));
};

/** A forest of LightGBM, or the vocabulary of a tokenizer. */
const lines: Read = ({ name, bytes }) => {
  const text = requireUtf8(bytes, "txt", spanOfText(name, ""));
  return isVocabulary(text)
    ? tokenizerModel(readTokenizerFile({ name, text }))
    : forestModel(readForest({ name, text }));
};

/** Readers by the end of a file's name. */
const formats: Readonly<Record<string, Read>> = {
  onnx: (file, evaluate, runtime) => onnxModel(readOnnxModel(file, evaluate), runtime),
  json,
  ubj: forest,
  txt: lines,
};

function onnxModel(model: OnnxModel, runtime: OnnxRuntime | undefined): Model {
  return {
    inputs: ports(model.inputs),
    outputs: ports(model.outputs),
    program: (sizes, numbers) =>
      model.statements({
        sizes: Object.fromEntries(sizes),
        values: Object.fromEntries([...numbers].map(([label, number]) => [label, [number]])),
      }),
    ...(runtime === undefined ? {} : { compute: outputsBy(runtime, model) }),
  };
}

/** The ports of a model, under words of the language. */
function ports(list: readonly OnnxPort[]): ModelPort[] {
  const names = new ProgramNames();
  return list.map(({ name, element, shape }) => ({
    name: names.unique(name),
    label: name,
    cell: elementCell(element),
    shape,
  }));
}

/** The ids, mask and types of the tokens of a text, in one row. */
function tokenizerModel(tokenizer: Tokenizer): Model {
  const names = ["input_ids", "attention_mask", "token_type_ids"];
  return {
    inputs: [{ name: "text", label: "text", cell: "double", shape: [] }],
    outputs: names.map((name) => ({ name, label: name, cell: "long", shape: [1, "tokens"] })),
    program: () => ({ text: "", inputs: [], outputs: [], constants: new Map() }),
    decode: (token) => tokenizer.decode(token),
    longest: (text) => tokenizer.longest(text),
    encode: (text, length, isPlain) => {
      const { ids, mask, types } = tokenizer.encode(text, length, isPlain);
      return [ids, mask, types].map(tokenRow);
    },
  };
}

/** A forest as a model; its text is read where it has at most so many splits. */
export function forestModel(forest: Forest, mostWritten?: number): Model {
  const scalar = (name: string, label: string): ModelPort => ({ name, label, cell: "double", shape: [] });
  const isVector = forest.classes.length > 1 && forest.transform.kind !== "greatest";
  const prediction = {
    ...scalar("prediction", "prediction"),
    shape: isVector ? [forest.classes.length] : [],
  };
  const program = forestCall(forest, mostWritten);
  return {
    inputs: featureInputs(forest).map(({ label, name }) => scalar(name, label)),
    outputs: [prediction],
    ...(forest.isUnordered === true ? { isUnordered: true } : {}),
    program: () => program,
  };
}
