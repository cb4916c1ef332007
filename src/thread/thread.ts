import { type PortLike, serveThread } from "../index.js";

/**
 * The script of a worker that does a share of a program's work: `sphex/thread`. It runs in Node, where the port to
 * the parent is imported, and on pages, where it is the global object.
 */
const nodes = "node:worker_threads"; // not spelt where it is imported, so that what bundles pages does not look for it

if ("WorkerGlobalScope" in globalThis)
  serveThread(globalThis as unknown as PortLike); // the global object of a worker
else
  import(nodes).then(({ parentPort }: { parentPort: PortLike | null }) => {
    if (parentPort !== null) serveThread(parentPort);
  });
