import { createRequire } from "node:module";
import type { NetFile, NetInput } from "./nets.js";

/** What is used of ONNX Runtime, in either package. */
interface Package {
  readonly env: { readonly wasm: { numThreads?: number }; logLevel?: string };
  readonly InferenceSession: { create(bytes: Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (type: string, data: NetInput["cells"], shape: readonly number[]) => object;
}

interface Session {
  readonly outputNames: readonly string[];
  run(
    feeds: object,
    outputs: readonly string[],
  ): Promise<Readonly<Record<string, { readonly data: ArrayLike<number> }>>>;
  release(): Promise<void>;
}

/** Somebody who computes a net: its output of this name, or its first. */
export interface Contender {
  readonly name: string;
  readonly open: (
    net: NetFile,
    output?: string,
  ) => Promise<{
    readonly run: () => Promise<ArrayLike<number>>;
    readonly close: () => Promise<void>;
  }>;
}

const providers = { "onnxruntime-web": "wasm", "onnxruntime-node": "cpu" };

/** A package with a list of its own of who computes: if both shared one, onnxruntime-node would compute for both. */
function load(name: string): Package {
  const require = createRequire(import.meta.url);
  for (const path of Object.keys(require.cache))
    if (path.includes("onnxruntime-common")) delete require.cache[path];
  return require(name) as Package; // as it is documented
}

/** The packages of ONNX Runtime that are installed, on one thread; NODE_PATH may name their folder. */
export function runtimes(): Contender[] {
  return Object.entries(providers).flatMap(([name, provider]) => {
    try {
      return [contender(name, provider, load(name))];
    } catch {
      console.log(`${name} is not installed, and takes no part`);
      return [];
    }
  });
}

function contender(name: string, provider: string, ort: Package): Contender {
  ort.env.wasm.numThreads = 1;
  return {
    name,
    open: async ({ bytes, inputs }, output) => {
      const session = await ort.InferenceSession.create(bytes, {
        executionProviders: [provider],
        intraOpNumThreads: 1,
        interOpNumThreads: 1,
        graphOptimizationLevel: "all",
        logSeverityLevel: 3,
      });
      const feeds = Object.fromEntries(
        Object.entries(inputs).map(([input, { cells, shape }]) => [
          input,
          new ort.Tensor(cells instanceof BigInt64Array ? "int64" : "float32", cells, shape),
        ]),
      );
      const asked = output ?? session.outputNames[0] ?? "";
      return {
        run: async () => (await session.run(feeds, [asked]))[asked]?.data ?? [],
        close: () => session.release(),
      };
    },
  };
}
