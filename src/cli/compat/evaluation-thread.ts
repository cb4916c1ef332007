import { setPriority } from "node:os";
import type { MessagePort } from "node:worker_threads";
import { thrownText } from "../../language/source/thrown.js";
import { answer, type Bounds, RequestError } from "../../vespa/compat/compat.js";

/** A request to a thread that evaluates, or that the one it has is wanted no longer. */
export type ThreadRequest = { readonly json: string; readonly bounds: Bounds } | "abort";

/** That the thread has started; the reply, as JSON in UTF-8; or that evaluating it failed in a way that is a defect of Sphex. */
export type ThreadReply = "ready" | { readonly body: Uint8Array<ArrayBuffer> } | { readonly failure: string };

/** Answers requests of the playground one after the other, in a thread of their own. */
export function answerRequests(port: MessagePort): void {
  yieldToTheServer();
  let ending = new AbortController();
  port.on("message", async (request: ThreadRequest) => {
    if (request === "abort") return ending.abort();
    ending = new AbortController();
    const reply = await replyTo(request.json, request.bounds, ending.signal);
    port.postMessage(reply, reply !== "ready" && "body" in reply ? [reply.body.buffer] : []);
  });
  port.postMessage("ready" satisfies ThreadReply);
}

/**
 * Lets the thread of the server go first where both want one processor. On Linux a priority is that of the calling thread;
 * elsewhere it would be that of the whole process, the server among it, so nothing is set there.
 */
function yieldToTheServer(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, lower);
  } catch {
    // Where it is not allowed, the thread has the priority of the others.
  }
}

/** In the units of `nice`: a thread with it has about a tenth of the time of one without where both want it. */
const lower = 10;

/** An invalid request of the playground is answered with an error in JSON, as its protocol has it. */
async function replyTo(json: string, bounds: Bounds, signal: AbortSignal): Promise<ThreadReply> {
  try {
    return bodyOf(await answer(json, bounds, () => performance.now(), signal));
  } catch (error) {
    if (error instanceof RequestError) return bodyOf({ error: error.message });
    return { failure: thrownText(error) };
  }
}

const bodyOf = (value: unknown): ThreadReply => ({ body: new TextEncoder().encode(JSON.stringify(value)) });
