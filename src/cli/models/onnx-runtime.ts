import { createRequire } from "node:module";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import {
  type ModelReader,
  models,
  modelsBy,
  type OnnxRuntime,
  type RuntimeFile,
  type RuntimeTensor,
} from "../../models.js";
import { UsageError } from "../terminal/failure.js";

/** What computes models of ONNX: the programs that they become, or ONNX Runtime, whose package a user may have. */
export const modelRuntimes = ["onnxruntime"] as const;

export type ModelRuntime = (typeof modelRuntimes)[number];

/** The packages that have it, the faster first. */
const packages = ["onnxruntime-node", "onnxruntime-web"] as const;

/** Reads models. @throws UsageError where a runtime is to compute them that is not installed. */
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

/**
 * ONNX Runtime, the package of this name, in a thread of its own, which this one waits for: it answers later, and rank profiles
 * are computed at once.
 */
export const threadRuntime = (name: string): OnnxRuntime => {
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

/** What a thread that waits for an answer finds when it wakes. */
const answers = { none: 0, sent: 1, ended: 2 } as const;

class RuntimeThread {
  private readonly port: MessagePort;
  /** Where it is told why the thread ended. */
  private readonly end: MessagePort;
  private reason = "";
  private readonly answered = new Int32Array(new SharedArrayBuffer(4));

  constructor(name: string) {
    const [channel, ending] = [new MessageChannel(), new MessageChannel()];
    this.port = channel.port1;
    this.end = ending.port1;
    const [port, end] = [channel.port2, ending.port2];
    const { answered } = this;
    const workerData = { from: import.meta.url, name, port, answered, answers };
    const watched = { workerData, script, end };
    const transferList = [port, end];
    const worker = new Worker(watcher, { eval: true, workerData: watched, transferList });
    worker.unref();
    this.end.unref();
    this.port.unref();
  }

  readonly ask = (request: RuntimeRequest): unknown => {
    // A thread that has ended stays so.
    Atomics.compareExchange(this.answered, 0, answers.sent, answers.none);
    this.port.postMessage(request);
    if (Atomics.wait(this.answered, 0, answers.none, patience) === "timed-out")
      throw new Error(`ONNX Runtime did not answer within ${patience / 60_000} minutes`);
    const { value, failure } = receiveMessageOnPort(this.port)?.message ?? { failure: this.ended };
    if (failure !== undefined) throw new Error(failure);
    return value;
  };

  /** What is wrong where no answer came. */
  private get ended(): string {
    this.reason ||= receiveMessageOnPort(this.end)?.message ?? "";
    return `the thread that ran ONNX Runtime ended${this.reason === "" ? "" : `: ${this.reason}`}`;
  }
}

/** Milliseconds in which the largest of models has run. */
const patience = 600_000;

/**
 * Starts the thread that runs ONNX Runtime, and tells when it ends. The thread that waits could not notice, and the one that
 * runs can be ended from outside, such as where its memory is not enough.
 */
const watcher = `
  const { workerData, Worker } = require("node:worker_threads");
  const { workerData: data, script, end } = workerData;
  const { port, answered, answers } = data;
  const worker = new Worker(script, { eval: true, workerData: data, transferList: [port] });
  worker.on("error", (error) => end.postMessage(error instanceof Error ? error.message : String(error)));
  worker.on("exit", () => {
    Atomics.store(answered, 0, answers.ended);
    Atomics.notify(answered, 0);
  });
`;

const script = `
  const { createRequire } = require("node:module");
  const { workerData } = require("node:worker_threads");
  const { from, name, port, answered, answers } = workerData;
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
    Atomics.store(answered, 0, answers.sent);
    Atomics.notify(answered, 0);
  });
`;
