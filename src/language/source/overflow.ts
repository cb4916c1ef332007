import { problem, SphexError } from "./problem.js";
import type { Span } from "./span.js";

/**
 * Does work that may be too much for the machine, and turns what JavaScript then throws into a problem: limits keep
 * most of that away, but how deep a stack is and how much memory there is nobody can know beforehand.
 */
export function withinMachine<T>(span: Span, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw overflowProblem(error, span);
  }
}

/** The problem that an error of the machine is; any other error stays as it is. */
export function overflowProblem(error: unknown, span: Span): unknown {
  if (!(error instanceof RangeError)) return error;
  const isStack = /call stack/i.test(error.message);
  return new SphexError([isStack ? problem("limit/stack", span, {}) : problem("limit/memory", span, {})]);
}
