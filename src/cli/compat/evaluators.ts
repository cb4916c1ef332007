import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Bounds } from "../../vespa/compat/compat.js";
import type { ThreadReply, ThreadRequest } from "./evaluation-thread.js";

/**
 * Threads that evaluate requests, so that whoever evaluates what takes long or does not end keeps nobody else from being
 * answered. A request waits until a thread is free. A thread that fails, or does not end its work by itself, is ended,
 * and another one takes its place when there is work again.
 */
export class Evaluators {
  private readonly idle: Evaluator[] = [];
  private readonly waiting: Job[] = [];
  private readonly all = new Set<Evaluator>();

  constructor(
    private readonly bounds: Bounds,
    private readonly most: number,
    /** The module that has `answerRequests`, which the threads run. */
    private readonly module = commandModule(),
  ) {}

  /** The reply to a request, as JSON in UTF-8. @throws EvaluationError where there is none. */
  evaluate(json: string, signal: AbortSignal): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const job: Job = { json, signal, resolve, reject };
      this.waiting.push(job);
      signal.addEventListener("abort", () => this.abandon(job), { once: true });
      this.next();
    });
  }

  /** Ends all threads, whatever they do. */
  async stop(): Promise<void> {
    for (const job of this.waiting.splice(0)) job.reject(new EvaluationError("the server ends"));
    await Promise.all([...this.all].map((each) => each.end()));
  }

  private abandon(job: Job): void {
    const at = this.waiting.indexOf(job);
    if (at < 0) return;
    this.waiting.splice(at, 1);
    job.reject(new EvaluationError("nobody waits for it any longer"));
  }

  private next(): void {
    const [job] = this.waiting;
    if (job === undefined) return;
    const evaluator = this.idle.pop() ?? this.another();
    if (evaluator === undefined) return;
    this.waiting.shift();
    void evaluator.run(job).then((isUsable) => {
      if (isUsable) this.idle.push(evaluator);
      this.next();
    });
  }

  private another(): Evaluator | undefined {
    if (this.all.size >= this.most) return undefined;
    const evaluator = new Evaluator(this.bounds, this.module, () => this.forget(evaluator));
    this.all.add(evaluator);
    return evaluator;
  }

  /** A thread that has ended, whether it had something to do or not. */
  private forget(evaluator: Evaluator): void {
    this.all.delete(evaluator);
    const at = this.idle.indexOf(evaluator);
    if (at >= 0) this.idle.splice(at, 1);
  }
}

/** A request without a reply. */
export class EvaluationError extends Error {}

interface Job {
  readonly json: string;
  readonly signal: AbortSignal;
  readonly resolve: (body: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds that a thread may take beyond its time, or after nobody waits for it any longer, before it is ended. */
const patience = 2000;

/** What any one thread may use: WebAssembly and typed arrays, which the limit of cells bounds, come on top. */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 };

class Evaluator {
  private readonly worker: Worker;
  private readonly ready: Promise<void>;

  constructor(
    private readonly bounds: Bounds,
    module: string,
    ended: () => void,
  ) {
    this.worker = new Worker(script, { eval: true, workerData: module, resourceLimits });
    this.ready = new Promise((resolve) => this.worker.once("message", () => resolve()));
    this.worker.unref(); // the server keeps the process alive, not they
    this.worker.on("error", () => undefined); // a job that runs is told so when the thread exits
    this.worker.on("exit", ended);
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  /** Whether the thread may be used again. */
  run({ json, signal, resolve, reject }: Job): Promise<boolean> {
    const { worker } = this;
    const { expressions, cells, characters, time } = this.bounds;
    const post = (request: ThreadRequest): void => worker.postMessage(request);
    let reason = "the thread that evaluated it failed";
    const end = (why: string): void => {
      reason = why;
      void worker.terminate();
    };
    const timers: NodeJS.Timeout[] = [];
    const started = (): void =>
      void timers.push(setTimeout(() => end(`${time} ms for all cells are over`), time + patience));
    const abort = (): void => {
      post("abort");
      timers.push(setTimeout(() => end("nobody waits for it any longer"), patience));
    };
    return new Promise((done) => {
      const finish = (isUsable: boolean): void => {
        for (const each of timers) clearTimeout(each);
        signal.removeEventListener("abort", abort);
        worker.off("message", take);
        worker.off("exit", exited);
        done(isUsable);
      };
      const take = (reply: ThreadReply): void => {
        if (reply === "ready") return;
        if ("body" in reply) resolve(reply.body);
        else reject(new Error(reply.failure));
        finish(true);
      };
      const exited = (): void => {
        reject(new EvaluationError(reason));
        finish(false);
      };
      worker.on("message", take);
      worker.on("exit", exited);
      void this.ready.then(started);
      post({ json, bounds: { expressions, cells, characters, time } });
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    });
  }
}

/** The built command, which has all that a thread needs. */
const commandModule = (): string =>
  join(dirname(createRequire(import.meta.url).resolve("sphex/package.json")), "dist/command.cjs");

const script = `
  const { parentPort, workerData } = require("node:worker_threads");
  require(workerData).answerRequests(parentPort);
`;
