import type { Steps } from "../backends/meter.js";
import { inputsOf, type Node, visit } from "../language/core/operations.js";
import { append } from "../language/source/lists.js";
import { abortSignal, call, type OptionRules, texts } from "../language/source/option-rule.js";
import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import { problem } from "./messages.js";

/** The progress of a run. */
export interface Progress {
  /** The expression that is being computed. */
  readonly span: Span;
  /** Elementary steps so far. */
  readonly steps: number;
  /**
   * How many operations have a value, of all that the results depend on; those of a branch not taken never have one. 0 where
   * the backend computes many of them together.
   */
  readonly done: number;
  readonly operations: number;
}

/** Options of an asynchronous run. */
export interface RunOptions {
  /** Ends the run, soon after it is aborted, with the problem `limit/cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Called every few milliseconds with the progress of the run. */
  readonly progress?: ((at: Progress) => void) | undefined;
}

/** The rules of `RunOptions`. */
export const runRules: OptionRules<RunOptions> = { signal: abortSignal, progress: call };

/** Options of an asynchronous run of a program, over and above `RunOptions`. */
export interface NamedValueOptions {
  /** Named values that are read of the results: they are computed with these, where each would be planned by itself when it is read. */
  readonly values?: readonly string[] | undefined;
}

/** The rules of `NamedValueOptions`. */
export const namedValueRules: OptionRules<NamedValueOptions> = { values: texts };

/** How many operations these nodes depend on, without those in the bodies of generators and lambdas. */
export function operationsOf(roots: readonly Node[]): number {
  const visited = new Set<Node>();
  const pending = [...roots];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (visited.has(node)) continue;
    if (node.depends === 0) visited.add(node);
    append(
      pending,
      visit(inputsOf, node).filter((each) => !visited.has(each)),
    );
  }
  return visited.size;
}

/**
 * Runs steps to the end, with a pause at each: a step is a few thousand elementary operations, well under 10 ms. An
 * aborted signal ends it at the next pause; `onPause` is called at each.
 */
export async function runPausing<T>(
  steps: Steps<T>,
  signal: AbortSignal | undefined,
  span: Span,
  onPause: () => void = () => undefined,
): Promise<T> {
  throwIfAborted(signal, span);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    // Where the run ends here, nobody waits for what the host has promised: that it fails is no matter then.
    step.value?.promise.catch(() => undefined);
    try {
      onPause();
      await (step.value === undefined ? nextTurn() : untilAborted(step.value.promise, signal, span));
      throwIfAborted(signal, span);
    } catch (error) {
      // The generator is told, so that it can clean up.
      steps.throw(error);
      throw error;
    }
  }
}

export function throwIfAborted(signal: AbortSignal | undefined, span: Span): void {
  if (signal?.aborted !== true) return;
  throw new SphexError([problem("limit/cancelled", span, {})]);
}

/** What the work comes to, unless the signal is aborted before. */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  span: Span,
): Promise<T> {
  if (signal === undefined) return await work;
  throwIfAborted(signal, span);
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new SphexError([problem("limit/cancelled", span, {})]));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * A turn of the event loop, after timers, input and output. A timer would be too coarse for frequent pauses, and is taken only
 * where a runtime has no channels.
 */
export function nextTurn(): Promise<void> {
  if (typeof MessageChannel === "undefined") return new Promise((resolve) => setTimeout(resolve, 0));
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
