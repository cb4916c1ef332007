import { machines } from "../backends/engine/machine/machines.js";
import { SilentWorkers } from "../backends/engine/threads/pool.js";
import type { WorkerLike } from "../backends/engine/threads/port.js";
import { requireArgument, requireNumber } from "../language/source/arguments.js";
import {
  count as aboveNone,
  amount,
  call,
  checkCallOptions,
  type OptionRules,
} from "../language/source/option-rule.js";
import { SphexError } from "../language/source/problem.js";
import { spanOfText } from "../language/values/messages.js";
import { problem } from "./messages.js";

export { serveThread } from "../backends/engine/threads/member.js";
export type { PortLike, WorkerLike } from "../backends/engine/threads/port.js";

/** What a host provides for threads; the library itself does not touch the machine. */
export interface ThreadsHost {
  /** How many threads work together, with the one that runs programs: a whole number; 1 starts none. */
  readonly count: number;
  /**
   * Starts a worker whose script is `sphex/thread`, or any that calls `serveThread` with the port to its parent. In Node:
   * `() => new Worker(new URL(import.meta.resolve("sphex/thread")))`.
   */
  readonly start: () => WorkerLike;
  /** How many milliseconds a worker may take until it answers: 10,000 unless it says otherwise. */
  readonly timeout?: number;
}

const threadsRules: OptionRules<ThreadsHost> = { count: aboveNone, start: call, timeout: amount };

const patience = 10_000;

/** Threads that were started. */
export interface Threads {
  /** How many there are at the moment, with the one that runs programs. */
  readonly count: number;
  /** Ends them. Programs are run by one thread from now on, even those that are under way. */
  readonly stop: () => Promise<void>;
}

/**
 * Lets threads share the work of steps that take long enough (some 200 microseconds). Results are the same, to the last
 * bit, for any number of threads. Comes back when the workers have begun; one that cannot be started, or ends, is done
 * without. Memory has to be shared: where there is no `SharedArrayBuffer`, as on pages that are not isolated from others,
 * there is one thread. Threads that were started before end. They do not keep a process from ending.
 * @throws SphexError where a worker neither answers nor ends: its script is another one, most likely.
 */
export async function startThreads(host: ThreadsHost): Promise<Threads> {
  checkCallOptions("startThreads", host, threadsRules);
  const { count, start, timeout = patience } = host;
  requireNumber("startThreads", count);
  requireArgument("startThreads", "function", start, typeof start === "function");
  const { pool, arena } = machines;
  const team = await pool.start(arena, count - 1, start, timeout).catch((error: unknown) => {
    if (!(error instanceof SilentWorkers)) throw error;
    const { silent, started } = error;
    throw new SphexError([
      problem("threads/silent", spanOfText("threads", "start"), { silent, started, timeout }),
    ]);
  });
  return {
    get count() {
      return team?.size ?? 1;
    },
    stop: () => pool.stop(team),
  };
}
