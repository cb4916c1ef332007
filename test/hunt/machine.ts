import v8 from "node:v8";
import { Worker } from "node:worker_threads";
import { Team } from "../../src/backends/engine/threads/team.js";
import { startThreads } from "../../src/program/threads.js";
import { useWideVectors } from "../../src/program/wide-vectors.js";

/** What programs are run on. */
export interface MachineOptions {
  readonly threads: number;
  readonly wide: boolean;
}

/** Starts what is asked for, and says what ends it. */
export async function machineOf({ threads, wide }: MachineOptions): Promise<() => Promise<void>> {
  if (wide && !useWideVectors({ setFlag: v8.setFlagsFromString, engineVersion: process.versions.v8 }))
    throw new Error("this version of Node has no wide vectors");
  if (threads === 1) return async () => undefined;
  waitForKernels();
  // The bundle of the workers lies beside that of the hunt.
  const started = await startThreads({
    count: threads,
    start: () => new Worker(new URL("thread.cjs", import.meta.url)),
  });
  console.log(`${started.count} threads`);
  return started.stop;
}

/** How long threads may take to read a message, in milliseconds. */
const mostMilliseconds = 200;

/** Programs of the hunt's size are over before threads have read which kernels there are: steps wait for them. */
function waitForKernels(): void {
  const { hasKernel } = Team.prototype;
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  Team.prototype.hasKernel = function (this: Team, division) {
    const end = performance.now() + mostMilliseconds;
    while (!hasKernel.call(this, division)) {
      if (this.size === 1 || performance.now() > end) return false;
      Atomics.wait(nobody, 0, 0, 0.05);
    }
    return true;
  };
}
