import type { WorkerPort } from "../connection.js";

/** Starts the worker, whose script lies beside that of the page. */
export function startWorker(): WorkerPort {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  return {
    send: (message) => worker.postMessage(message),
    listen: (receive) => worker.addEventListener("message", ({ data }) => receive(data)),
    terminate: () => worker.terminate(),
  };
}
