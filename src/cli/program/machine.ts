import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { type BackendFeature, backends, startThreads, type Threads, useWideVectors } from "../../index.js";
import type { CommonFlags } from "../options/options.js";
import { type Io, write } from "../terminal/io.js";

/**
 * What programs run on: threads and wide vectors, where the command line asks for them. What is not available is reported
 * on stderr; programs run without it.
 */
export class Machine {
  private threads: Threads | undefined;

  constructor(private readonly io: Io) {}

  async ready({ wide, threads, backend }: CommonFlags): Promise<void> {
    const { features } = backends.find(({ name }) => name === backend) ?? backends[0];
    if (wide === true && !(features.wide && isWide()))
      await this.warn(`no wide vectors here: --wide needs Node 24 or later, and ${backendsWith("wide")}`);
    if (threads === undefined || threads === 1) return;
    if (!features.threads)
      return await this.warn(`no threads here: --threads needs ${backendsWith("threads")}`);
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

/** `the backend engine`, or all that have a feature. */
function backendsWith(feature: BackendFeature): string {
  const names = backends.filter(({ features }) => features[feature]).map(({ name }) => name);
  return `the backend ${names.join(" or ")}`;
}

const start = (): Worker => new Worker(createRequire(import.meta.url).resolve("sphex/thread"));

const isWide = (): boolean =>
  useWideVectors({ setFlag: setFlagsFromString, engineVersion: process.versions.v8 });
