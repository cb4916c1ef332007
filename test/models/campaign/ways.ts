import type { BackendName } from "../../../src/backends/backends.js";
import { compile, type Tensor, writeNpzOf } from "../../../src/index.js";
import type { Constant } from "../../../src/models/onnx/file/constant.js";
import { decode } from "../../../src/models/onnx/file/protobuf.js";
import { modelFields } from "../../../src/models/onnx/file/schema.js";
import { importModel } from "../../../src/models/onnx/importer.js";
import { programText } from "../../../src/models/onnx/program-writer.js";
import { models, readOnnx } from "../../../src/models.js";
import { borderTensor, evaluate } from "../onnx/imported.js";
import { namedSize } from "./draft.js";
import type { Graph, Port } from "./graph.js";
import { modelBytes } from "./write.js";

/** A way to come to the outputs of a model. */
export interface Way {
  readonly name: string;
  /** The outputs, for each of some lists of inputs in turn. */
  readonly run: (graph: Graph, inputs: readonly Inputs[]) => Promise<readonly (readonly Tensor[])[]>;
  /** Whether its inputs may have several sizes. */
  readonly isNamed?: boolean;
  /** Whether it is too slow for large tensors. */
  readonly isSlow?: boolean;
}

export type Inputs = ReadonlyMap<string, Constant>;

const imported = (backend: BackendName): Way => ({
  name: `imported, on ${backend}`,
  isSlow: backend !== "engine",
  run: async (graph, runs) => {
    const model = decode(modelBytes(graph), modelFields);
    const program = importModel(model, { evaluate });
    const text = [programText(program), ...program.outputs.map(({ name }) => name)].join("\n");
    const types = [...program.constants].map(([name, { type }]) => [name, type] as const);
    const compiled = compile(text, { inputs: Object.fromEntries(types), backend });
    return runs.map((inputs) => {
      const values = program.inputs.map(
        (port) => [port.name, borderTensor(port, inputs.get(port.label))] as const,
      );
      const all = { ...Object.fromEntries(program.constants), ...Object.fromEntries(values) };
      return compiled.runAll(all).results;
    });
  },
});

const written: Way = {
  name: "written as a program",
  run: async (graph, runs) => {
    const model = readOnnx({ name: "net.onnx", bytes: modelBytes(graph) });
    const { text, constants, inputs: names, outputs } = model.program({ weights: "net.npz" });
    const archive = await writeNpzOf(Object.fromEntries(constants), { isStored: true });
    const program = compile(text, { readFile: () => "", readBytes: () => archive });
    return runs.map((inputs) => {
      const values = [...inputs.values()].map((each, at) => [names[at] ?? "", borderOf(each)] as const);
      const { results } = program.runAll(Object.fromEntries(values));
      if (results.length !== outputs.length) throw new Error(`${results.length} results`);
      return results;
    });
  },
};

/** The same graph, whose file does not tell the shapes of its outputs. */
const shapeless = (graph: Graph): Graph => ({
  ...graph,
  outputs: new Map([...graph.outputs].map(([name, { element }]) => [name, { element }])),
});

/** A program that declares the model and calls it, with inputs of these types. */
const declared = (name: string, backend: BackendName, isNamed: boolean, hasShapes = true): Way => ({
  name,
  isNamed,
  run: async (graph, runs) => {
    const [first] = runs;
    if (first === undefined) return [];
    const size = { size: namedSize, name: "n" };
    const bytes = modelBytes(hasShapes ? graph : shapeless(graph), ...(isNamed ? [size] : []));
    const inputs = [...graph.inputs].map(([input, value]) => {
      const sizes = value.shape.map((each, axis) => `d${axis}[${isNamed && each === namedSize ? "" : each}]`);
      return `input ${input}: ${borderOf(value).type.rank === 0 ? "tensor()" : `tensor<${borderOf(value).type.cellType}>(${sizes})`}`;
    });
    const args = [...graph.inputs.keys()].map((input) => `${input}: ${input}`).join(", ");
    const calls = [...graph.outputs.keys()].map((output) => `net(${args}).${output}`);
    const text = ['model net = file("net.onnx")', ...inputs, ...calls].join("\n");
    const program = compile(text, { models, readBytes: () => bytes, backend });
    return runs.map((values) => {
      const all = [...values].map(([input, value]) => [input, borderOf(value)] as const);
      return program.runAll(Object.fromEntries(all)).results;
    });
  },
});

const borderOf = (value: Constant): Tensor => borderTensor({ ...value, name: "", label: "" }, value);

/** The ports of a graph's outputs as a test of differences asks for them. */
export const portOf = (name: string, { element }: Port, { shape }: Constant) => ({
  name,
  label: name,
  element,
  shape,
});

export const ways: readonly Way[] = [
  imported("engine"),
  imported("closures"),
  imported("reference"),
  written,
  declared("called in a program", "engine", false),
];

/** The sizes bound in turn. */
export const namedWays: readonly Way[] = [
  declared("called with sizes in turn", "engine", true),
  declared("called with sizes in turn, by the reference", "reference", true),
  declared("called with sizes in turn, without shapes of outputs", "engine", true, false),
];
