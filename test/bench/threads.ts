import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { library, root } from "./library.js";

/** Threads of the library; none are started for one. */
export async function withThreads(
  count: number,
): Promise<{ readonly stop: () => Promise<void> } | undefined> {
  if (count === 1) return undefined;
  const start = (): Worker => new Worker(join(root, "dist", "thread.js"));
  const threads = await library.startThreads({ count, start });
  if (threads.count !== count) throw new Error(`${threads.count} threads, not ${count}`);
  return threads;
}
