import type { Steps } from "../backends/meter.js";
import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import { problem } from "./messages.js";

/**
 * Runs steps to the end, with a pause at each: a step is a few thousand elementary operations, well under 10 ms. An
 * aborted signal ends it at the next pause; `pausing` is called at each.
 */
export async function unhurried<T>(
  steps: Steps<T>,
  signal: AbortSignal | undefined,
  span: Span,
  pausing: () => void = () => undefined,
): Promise<T> {
  refuseAborted(signal, span);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    try {
      pausing();
      await nextTurn();
      refuseAborted(signal, span);
    } catch (error) {
      // Whoever runs the steps learns that they end here, and leaves nothing half done behind.
      steps.throw(error);
      throw error;
    }
  }
}

function refuseAborted(signal: AbortSignal | undefined, span: Span): void {
  if (signal?.aborted !== true) return;
  throw new SphexError([problem("limit/cancelled", span, {})]);
}

/** A turn of the event loop: timers and input and output come first. Timers themselves are too coarse to pause often. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}
