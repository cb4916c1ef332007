import type { Tensor } from "../../../src/index.js";
import { type Constant, constantOf } from "../../../src/models/onnx/file/constant.js";
import { UnreadableTensor } from "../../../src/models/onnx/file/constant-fault.js";
import { decode } from "../../../src/models/onnx/file/protobuf.js";
import type { ModelProto, NodeProto } from "../../../src/models/onnx/file/protos.js";
import { modelFields, tensorFields } from "../../../src/models/onnx/file/schema.js";
import { ImportFailure, importModel } from "../../../src/models/onnx/importer.js";
import type { ImportedProgram } from "../../../src/models/onnx/program-writer.js";
import type { Files } from "./archive.js";
import { differenceOf, evaluate, runProgram, type Tolerance } from "./imported.js";

/** The cases of an archive laid out as ONNX's own: a folder each, with a model, its inputs, and the outputs expected of it. */
export interface Verdict {
  readonly name: string;
  readonly outcome: "passed" | "passed with constants" | "unsupported" | "wrong";
  readonly reason?: string;
  /** Operators with their opsets. */
  readonly operators: readonly string[];
}

/** The folders that hold a case. */
export function casesIn(files: Files): string[] {
  const models = [...files.keys()].filter((path) => path.endsWith("/model.onnx"));
  return models.map((path) => path.slice(0, -"/model.onnx".length)).sort();
}

export function runCase(files: Files, folder: string): Verdict {
  const name = folder.replace(/^.*\//, "");
  const model = modelOf(files, folder);
  const operators = operatorsOf(model);
  try {
    const inputs = inputsOf(model, dataIn(files, `${folder}/test_data_set_0/input_`));
    const expected = dataIn(files, `${folder}/test_data_set_0/output_`);
    const outcome = withProgram(model, inputs, (program, bound) => {
      const tolerance = tolerances.get(model.graph?.node[0]?.opType ?? "");
      const reason = faultOf(program, runProgram(program, inputs), expected, tolerance);
      if (reason !== undefined) return { outcome: "wrong", reason } as const;
      return { outcome: bound.size === 0 ? "passed" : "passed with constants" } as const;
    });
    return { name, operators, ...outcome };
  } catch (error) {
    return { name, operators, ...failure(error) };
  }
}

/** A case for another use than its outputs. Throws as `withProgram` does, and where its inputs are no tensors of numbers. */
export function importedCase<T>(
  files: Files,
  folder: string,
  use: (program: ImportedProgram, inputs: ReadonlyMap<string, Constant>) => T,
): T {
  const model = modelOf(files, folder);
  const inputs = inputsOf(model, dataIn(files, `${folder}/test_data_set_0/input_`));
  return withProgram(model, inputs, (program) => use(program, inputs));
}

const modelOf = (files: Files, folder: string): ModelProto =>
  decode(contentOf(files, `${folder}/model.onnx`), modelFields);

/** Sums of what cancels: where nothing remains, the recorded outputs have what rounding to floats left. */
const tolerances = new Map([["DFT", { relative: 1e-3, absolute: 1e-6 }]]);

type Outcome = Pick<Verdict, "outcome" | "reason">;

/**
 * Imports a model for some use; inputs that have to be constant are bound then.
 * @throws ImportFailure where it cannot become a program.
 */
function withProgram<T>(
  model: ModelProto,
  inputs: ReadonlyMap<string, Constant>,
  use: (program: ImportedProgram, bound: ReadonlyMap<string, Constant>) => T,
): T {
  const bind = new Map([...inputs].filter(([, { numbers }]) => numbers.length === 0));
  for (;;) {
    try {
      return use(importModel(model, { evaluate, inputs, bind }), bind);
    } catch (error) {
      if (!(error instanceof ImportFailure)) throw error;
      const needed = error.refused.bind.filter((each) => !bind.has(each) && isShapeLike(inputs.get(each)));
      if (needed.length === 0) throw error;
      for (const each of needed) bind.set(each, inputs.get(each) as Constant); // is there, by the line before
    }
  }
}

/** The data by the names of the inputs that have them: those with an initial value may have none. */
function inputsOf({ graph }: ModelProto, data: readonly Constant[]): ReadonlyMap<string, Constant> {
  const names = graph?.input.map((each) => each.name) ?? [];
  const initial = new Set(graph?.initializer.map((each) => each.name));
  const free = names.length === data.length ? names : names.filter((each) => !initial.has(each));
  return new Map(data.map((constant, at) => [free[at] ?? "", constant]));
}

/** How the outputs differ from those that are expected, if they do. */
function faultOf(
  { outputs }: ImportedProgram,
  results: readonly Tensor[],
  expected: readonly Constant[],
  tolerance: Tolerance | undefined,
): string | undefined {
  if (outputs.length !== expected.length) return `${outputs.length} outputs and not ${expected.length}`;
  for (const [at, port] of outputs.entries()) {
    const [target, actual] = [expected[at], results[at]];
    const fault =
      target === undefined || actual === undefined
        ? "no output"
        : differenceOf(port, actual, target, tolerance);
    if (fault !== undefined) return `${port.label}: ${fault}`;
  }
  return undefined;
}

/** Whether an input may be a shape, axes, a number of them, or a setting: at most a short list. */
const isShapeLike = (constant: Constant | undefined): boolean =>
  constant !== undefined && constant.shape.length <= 1;

/** A file of data whose content is no tensor of numbers. */
class Unreadable extends Error {}

function failure(error: unknown): Outcome {
  if (error instanceof Unreadable || error instanceof UnreadableTensor)
    return { outcome: "unsupported", reason: error.message };
  if (!(error instanceof ImportFailure)) {
    const lines =
      error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 3) : [`${error}`];
    return { outcome: "wrong", reason: lines.join(" ") };
  }
  const { node, opset } = error;
  const where = node === undefined ? "" : `${node.opType}-${opset}: `;
  return { outcome: "unsupported", reason: where + error.message };
}

function contentOf(files: Files, path: string): Uint8Array {
  const read = files.get(path);
  if (read === undefined) throw new Error(`no file ${path}`);
  return read();
}

/** The tensors of the files that begin so, by their numbers. */
function dataIn(files: Files, prefix: string): Constant[] {
  const number = (path: string): number => Number.parseInt(path.slice(prefix.length), 10);
  const paths = [...files.keys()].filter((path) => path.startsWith(prefix));
  return paths.sort((a, b) => number(a) - number(b)).map((path) => constantIn(contentOf(files, path)));
}

export function constantIn(content: Uint8Array): Constant {
  try {
    const proto = decode(content, tensorFields);
    return constantOf(proto);
  } catch (error) {
    if (error instanceof UnreadableTensor && error.fault !== undefined) throw error;
    throw new Unreadable("data that is no tensor");
  }
}

/** Each operator of a model, as `Relu 13`; of other domains as `ai.onnx.ml.Scaler 3`. */
function operatorsOf(model: ModelProto): string[] {
  const opset = (domain: string): number =>
    model.opsetImport.find((each) => each.domain.replace("ai.onnx", "") === domain.replace("ai.onnx", ""))
      ?.version ?? 0;
  const nodes: NodeProto[] = [...(model.graph?.node ?? []), ...model.functions.flatMap(({ node }) => node)];
  const prefix = (domain: string): string => (["", "ai.onnx"].includes(domain) ? "" : `${domain}.`);
  return [...new Set(nodes.map(({ opType, domain }) => `${prefix(domain)}${opType} ${opset(domain)}`))];
}
