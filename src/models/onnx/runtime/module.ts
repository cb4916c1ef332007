import type { ElementArray } from "./elements.js";
import type { OnnxRuntime, RuntimeTensor } from "./runtime.js";

/** What is used of the packages `onnxruntime-node`, `onnxruntime-web` and `onnxruntime-react-native`. */
export interface OnnxRuntimeModule {
  readonly InferenceSession: {
    create(bytes: Uint8Array, options: RuntimeSessionOptions): Promise<RuntimeSession>;
  };
  readonly Tensor: new (type: "float32", data: Float32Array, dims: readonly number[]) => object;
}

/** How a session is opened. */
export interface RuntimeSessionOptions {
  /** Errors alone: warnings of a runtime are nothing that a program could mend. */
  readonly logSeverityLevel: 3;
  readonly externalData?: readonly { readonly path: string; readonly data: Uint8Array }[];
}

/** A model that is ready to run. */
export interface RuntimeSession {
  run(inputs: Readonly<Record<string, never>>, outputs: readonly string[]): Promise<unknown>;
}

/** ONNX Runtime by its package: what runs is asynchronous. */
export const runtimeOf =
  ({ InferenceSession, Tensor }: OnnxRuntimeModule): OnnxRuntime =>
  ({ bytes, external }) => {
    const externalData = [...external].map(([path, data]) => ({ path, data }));
    const options = { logSeverityLevel: 3, ...(externalData.length === 0 ? {} : { externalData }) } as const;
    let session: Promise<RuntimeSession> | undefined;
    return async (inputs, output) => {
      session ??= InferenceSession.create(bytes, options);
      const opened = await session;
      // The constructor has an overload for each type of elements, which no name of a type at run time selects.
      const feeds = [...inputs].map(([name, { type, data, dims }]) => [
        name,
        new Tensor(type as "float32", data as Float32Array, dims) as never,
      ]);
      const outputs = await opened.run(Object.fromEntries(feeds), [output]);
      const { [output]: found } = outputs as Readonly<Record<string, RuntimeTensor | undefined>>; // as is documented
      if (found === undefined) throw new Error(`it has no output ${output}`);
      return { type: found.type, dims: found.dims, data: found.data as ElementArray };
    };
  };
