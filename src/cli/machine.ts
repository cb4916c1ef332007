import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { startThreads, type Threads, useWideVectors } from "../index.js";
import { type Io, write } from "./io.js";
import type { CommonFlags } from "./options.js";

/**
 * What programs run on: threads and wide vectors, where the command line asks for them. What is not available is reported
 * on stderr; programs run without it.
 */
export class Machine {
  private threads: Threads | undefined;

  constructor(private readonly io: Io) {}

  async ready({ wide, threads, backend = "engine" }: CommonFlags): Promise<void> {
    if (wide === true && !(backend === "engine" && isWide()))
      await this.warn("no wide vectors here: --wide needs Node 24 or later, and the backend engine");
    if (threads === undefined || threads === 1) return;
    this.threads = await startThreads({ count: threads, start });
    const { count } = this.threads;
    if (count < threads)
      await this.warn(`threads could not be started: ${threads} were asked for, ${count} will work`);
  }

  async end(): Promise<void> {
    await this.threads?.stop();
    this.threads = undefined;
  }

  private async warn(text: string): Promise<void> {
    await write(this.io.stderr, `sphex: ${text}\n`);
  }
}

const start = (): Worker => new Worker(createRequire(import.meta.url).resolve("sphex/thread"));

const isWide = (): boolean =>
  useWideVectors({ setFlag: setFlagsFromString, engineVersion: process.versions.v8 });
