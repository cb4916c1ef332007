import { createRequire } from "node:module";
import { readCell } from "../../../src/language/types/cell.js";
import type { Constant } from "../../../src/models/onnx/file/constant.js";
import type { ElementType } from "../../../src/models/onnx/file/element-type.js";
import type { Graph } from "./graph.js";
import { type ElementArray, elementArray, modelBytes } from "./write.js";

/** What is used of the package `onnxruntime-node`. */
interface Package {
  readonly InferenceSession: {
    create(
      bytes: Uint8Array,
      options: object,
    ): Promise<{
      run(feeds: object, outputs: readonly string[]): Promise<Readonly<Record<string, Output>>>;
      release?(): Promise<void>;
    }>;
  };
  readonly Tensor: new (type: string, data: ElementArray, dims: readonly number[]) => object;
}

interface Output {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<number | bigint>;
}

/** What ONNX Runtime calls the elements that the campaign uses. */
const typeNames: Partial<Record<ElementType, string>> = {
  float: "float32",
  double: "float64",
  float16: "float16",
  bool: "bool",
  int8: "int8",
  uint8: "uint8",
  int32: "int32",
  int64: "int64",
};

/** ONNX Runtime, whose values are the right ones. */
export class Oracle {
  private constructor(private readonly ort: Package) {}

  /** Nothing where the package is not installed; NODE_PATH may name its folder. */
  static find(): Oracle | undefined {
    try {
      return new Oracle(createRequire(import.meta.url)("onnxruntime-node") as Package); // as it is documented
    } catch {
      return undefined;
    }
  }

  /** The outputs of a graph for its inputs. Throws what ONNX Runtime says of one that is none. */
  async run(graph: Graph): Promise<ReadonlyMap<string, Constant>> {
    const session = await this.ort.InferenceSession.create(modelBytes(graph), {
      graphOptimizationLevel: "disabled",
      intraOpNumThreads: 1,
      logSeverityLevel: 4,
    });
    const feeds = [...graph.inputs].map(([name, each]) => [
      name,
      new this.ort.Tensor(typeNames[each.element] ?? each.element, elementArray(each), each.shape),
    ]);
    const outputs = await session.run(Object.fromEntries(feeds), [...graph.outputs.keys()]);
    const found = [...graph.outputs].map(
      ([name, { element }]) => [name, constantOf(outputs[name], element)] as const,
    );
    await session.release?.();
    return new Map(found);
  }
}

function constantOf(output: Output | undefined, element: ElementType): Constant {
  if (output === undefined) throw new Error("an output is missing");
  const { data, dims } = output;
  const isBits = element === "float16" && data instanceof Uint16Array;
  const numbers = Array.from(data, (each, at) => (isBits ? readCell("half", data, at) : Number(each)));
  return { element, shape: [...dims], numbers };
}
