import { createRequire } from "node:module";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import {
  type ModelReader,
  models,
  modelsBy,
  type OnnxRuntime,
  type RuntimeFile,
  type RuntimeTensor,
} from "../models.js";
import { UsageError } from "./failure.js";

/** What computes models of ONNX: the programs that they become, or ONNX Runtime, whose package a user may have. */
export const modelRuntimes = ["onnxruntime"] as const;

export type ModelRuntime = (typeof modelRuntimes)[number];

/** The packages that have it, the faster first. */
const packages = ["onnxruntime-node", "onnxruntime-web"] as const;

/** Reads models. Throws where they are to be computed by what is not installed. */
export function modelsFor(runtime: ModelRuntime | undefined): ModelReader {
  if (runtime === undefined) return models;
  const name = packages.find(isInstalled);
  if (name !== undefined) return modelsBy(threadRuntime(name));
  const [first] = packages;
  throw new UsageError(
    `--models ${runtime} needs the package ${packages.join(" or ")}: npm install ${first}, where sphex is installed`,
  );
}

const load = createRequire(import.meta.url);

function isInstalled(name: string): boolean {
  try {
    load.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** ONNX Runtime in a thread of its own, which this one waits for: it answers later, and rank profiles are computed at once. */
const threadRuntime = (name: string): OnnxRuntime => {
  let thread: RuntimeThread | undefined;
  return (file) => {
    thread ??= new RuntimeThread(name);
    const { ask } = thread;
    const session = ask({ open: file });
    return (inputs, output) => ask({ session, inputs, output }) as RuntimeTensor; // the thread answers with its output
  };
};

/** The file of a model to open, which is answered with a number for its session, or a run of one, answered with its output. */
type RuntimeRequest =
  | { readonly open: RuntimeFile }
  | {
      readonly session: unknown;
      readonly inputs: ReadonlyMap<string, RuntimeTensor>;
      readonly output: string;
    };

class RuntimeThread {
  private readonly port: MessagePort;
  /** Becomes 1 when the thread has answered. */
  private readonly answered = new Int32Array(new SharedArrayBuffer(4));

  constructor(name: string) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    const workerData = { from: import.meta.url, name, port: port2, answered: this.answered };
    const worker = new Worker(script, { eval: true, workerData, transferList: [port2] });
    worker.unref();
    this.port.unref();
  }

  readonly ask = (request: RuntimeRequest): unknown => {
    Atomics.store(this.answered, 0, 0);
    this.port.postMessage(request);
    if (Atomics.wait(this.answered, 0, 0, patience) === "timed-out")
      throw new Error(`ONNX Runtime did not answer within ${patience / 60_000} minutes`);
    const { value, failure } = receiveMessageOnPort(this.port)?.message ?? { failure: "no answer came" };
    if (failure !== undefined) throw new Error(failure);
    return value;
  };
}

/** Milliseconds in which the largest of models has run; a thread that failed never answers. */
const patience = 600_000;

const script = `
  const { createRequire } = require("node:module");
  const { workerData } = require("node:worker_threads");
  const { from, name, port, answered } = workerData;
  const sessions = [];
  let runtime;

  async function open({ bytes, external }) {
    const externalData = [...external].map(([path, data]) => ({ path, data }));
    const options = { logSeverityLevel: 3, ...(externalData.length === 0 ? {} : { externalData }) };
    return sessions.push(await runtime.InferenceSession.create(bytes, options)) - 1;
  }

  async function run({ session, inputs, output }) {
    const entries = [...inputs].map(([name, { type, data, dims }]) => [name, new runtime.Tensor(type, data, dims)]);
    const outputs = await sessions[session].run(Object.fromEntries(entries), [output]);
    const { type, dims, data } = outputs[output];
    return { type, dims, data };
  }

  port.on("message", async (request) => {
    try {
      runtime ??= createRequire(from)(name);
      // Of threads in a thread the one for browsers knows nothing in Node.
      if (name === "onnxruntime-web") runtime.env.wasm.numThreads = 1;
      port.postMessage({ value: await ("open" in request ? open(request.open) : run(request)) });
    } catch (error) {
      port.postMessage({ failure: error instanceof Error ? error.message : String(error) });
    }
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  });
`;
