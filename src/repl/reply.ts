import type { RunOptions } from "../index.js";

/** The reply to a line. */
export interface Reply {
  readonly text: string;
  /** What the text is, or what comes next: `more` waits for the rest of a statement. */
  readonly kind: "answer" | "problem" | "more" | "exit";
  /** Where the first error is in what was entered. */
  readonly errorAt?: number | undefined;
}

/** A reply that needs a run. */
export interface Pending {
  readonly kind: "pending";
  /** Runs to the end and replies. */
  readonly now: () => Reply;
  /** The same, asynchronously. @throws SphexError where it is cancelled. */
  readonly later: (options: RunOptions) => Promise<Reply>;
}

/** What is read from a run, in either way, and how it is shown. */
export interface Inspection<T> {
  readonly now: () => T;
  readonly later: (options: RunOptions) => Promise<T>;
  readonly show: (value: T) => string;
}

/** What comes of an outcome. */
export function followed(outcome: Outcome, next: (reply: Reply) => Outcome): Outcome {
  if (outcome.kind !== "pending") return next(outcome);
  return {
    kind: "pending",
    now: () => finishedNow(next(outcome.now())),
    later: async (options) => {
      const following = next(await outcome.later(options));
      return following.kind === "pending" ? await following.later(options) : following;
    },
  };
}

export const finishedNow = (outcome: Outcome): Reply =>
  outcome.kind === "pending" ? outcome.now() : outcome;

/** The outcome of a line. */
export type Outcome = Reply | Pending;

/** `12 ms`, `3.4 s`. */
export function durationText(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
