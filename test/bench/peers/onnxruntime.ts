import type { Input } from "../inputs.js";
import { type Graph, modelOf } from "../onnx.js";
import { loadPeer } from "./installed.js";

/** ONNX Runtime with its native part, on one thread. */
export interface Onnx {
  /** Something that runs a model on its inputs. */
  session(graph: Graph): Promise<() => Promise<ArrayLike<number>>>;
}

interface OnnxTensor {
  readonly data: ArrayLike<number>;
}

interface Whole {
  readonly InferenceSession: {
    create(model: Uint8Array, options: object): Promise<Session>;
  };
  readonly Tensor: new (kind: string, cells: Input["cells"], shape: readonly number[]) => OnnxTensor;
}

interface Session {
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
}

const kinds: Readonly<Record<string, string>> = {
  Float64Array: "float64",
  Float32Array: "float32",
  Int8Array: "int8",
};

export async function loadOnnx(): Promise<Onnx | undefined> {
  const whole = await loadPeer<Whole>("onnxruntime-node");
  if (whole === undefined) return undefined;
  const { InferenceSession, Tensor } = whole;
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: "sequential" };
  return {
    async session(graph) {
      const session = await InferenceSession.create(modelOf(graph), options);
      const inputs = Object.entries(graph.inputs).map(([name, { cells, shape }]) => {
        return [name, new Tensor(kinds[cells.constructor.name] ?? "", cells, shape)] as const;
      });
      const feeds = Object.fromEntries(inputs);
      const output = session.outputNames[0] ?? "";
      return async () => (await session.run(feeds))[output]?.data ?? [];
    },
  };
}
