import { error, type NoValues, quoted } from "../language/source/message.js";
import { problemsOf } from "../language/source/problem.js";
import { type ExpectedJson, expectedText } from "./json-reader.js";
import { type ConstantFault, constantFaultText } from "./onnx/file/constant-fault.js";
import { type Refusal, refusalText } from "./onnx/refusal.js";

/** Libraries as they write their own names, with the article. */
const libraryNames: Readonly<Record<string, { readonly name: string; readonly article: string }>> = {
  xgboost: { name: "XGBoost", article: "an" },
  lightgbm: { name: "LightGBM", article: "a" },
};

const nameOf = (library: string): string => libraryNames[library]?.name ?? library;
const modelOf = (library: string): string =>
  `${libraryNames[library]?.article ?? "a"} ${nameOf(library)} model`;

interface ModelNode {
  readonly node: string;
  readonly operator: string;
  readonly opset: number;
  readonly refusal: Refusal;
  /** Inputs of the model with which as constants it could be an expression. */
  readonly inputs: readonly string[];
}

/** What can be wrong with files of models. */
export const modelMessages = {
  "model/format": error(({ ends }: { ends: readonly string[] }) => ({
    message: "the ending of this file name belongs to no known format of models",
    expected: ends.map((each) => `.${each}`).join(", "),
  })),
  "model/bytes": error(({ offset }: { offset: number }) => ({
    message: `byte ${offset} cannot be read as part of a model`,
    found: "bytes that are not an ONNX message",
    expected: "an ONNX file",
  })),
  "model/empty": error((_: NoValues) => ({
    message: "this file has no graph",
    found: "no graph",
    expected: "an ONNX file",
  })),
  "model/tensor": error(({ name, fault }: { name: string; fault: ConstantFault }) => ({
    message: `the tensor ${quoted(name)} cannot be read: ${constantFaultText(fault)}`,
  })),
  "model/node": error((values: ModelNode) => ({
    message: `the node ${quoted(values.node)} cannot become an expression: ${refusalText(values.refusal)}`,
    found: `${values.operator} of opset ${values.opset}`,
    hint:
      values.inputs.length > 0
        ? `give ${values.inputs.map(quoted).join(", ")} a number where the model is called, or by --set of sphex import`
        : "ask for ONNX Runtime, with --models onnxruntime of run, score and test, where its package is installed",
  })),
  "model/port": error(({ refusal }: { refusal: Refusal }) => ({
    message: `the inputs and outputs of this model cannot be those of a program: ${refusalText(refusal)}`,
  })),
  "model/size": error(({ name, input }: { name: string; input: string }) => ({
    message: `the size ${quoted(name)} of the input ${quoted(input)} is not known`,
    found: "a size without a number",
    expected: "a number for each size",
    hint: `give it a number, such as ${name}=1`,
  })),
  "model/no-shape": error(({ port, name }: { port: "input" | "output"; name: string }) => ({
    message: `the file does not say what shape the ${port} ${quoted(name)} has`,
    found: port === "input" ? "an input without a shape" : "an output whose shape its nodes do not tell",
    expected: "a shape",
    hint:
      port === "input"
        ? "export the model with the shapes of its inputs; a size may have a name"
        : "write the model with shapes, as by onnx.shape_inference.infer_shapes of ONNX's own package",
  })),
  "model/json": error(({ library }: { library: string }) => ({
    message: `this is not ${modelOf(library)}: it is not JSON`,
    found: "a text that is not JSON",
    expected: `what ${nameOf(library)} writes as JSON`,
  })),
  "model/ubjson": error(({ offset }: { offset: number }) => ({
    message: `byte ${offset} cannot be read as part of an XGBoost model`,
    found: "bytes that are not UBJSON",
    expected: "what save_model writes",
  })),
  "model/tokenizer": error(({ reason }: { reason: string }) => ({
    message: `this is not a tokenizer: ${reason}`,
    expected: "a tokenizer.json of Hugging Face",
  })),
  "model/content": error(
    (values: { library: string; path: readonly (string | number)[]; expected: ExpectedJson }) => ({
      message: `this is not ${modelOf(values.library)}: ${values.path.length === 0 ? "it" : values.path.join(".")} must be ${expectedText(values.expected)}`,
      expected: expectedText(values.expected),
    }),
  ),
};

declare module "../language/source/problem.js" {
  interface MessageTables {
    readonly models: typeof modelMessages;
  }
}

export const problem = problemsOf<"models">(modelMessages);
