import { expect } from "vitest";
import { type Options, type Problem, SphexError, showProblem } from "../src/index.js";

/** What may come of a text, and what must be true of it however bad the text is. */

/** So much must be enough for a text that chance has made. */
export const options: Options = { limits: { cells: 1e5, steps: 1e6 } };

/** What may happen to a text: something comes of it, or problems do. */
export type Outcome<T> =
  | { readonly value: T; readonly problems?: never }
  | { readonly problems: readonly Problem[]; readonly value?: never };

export function outcome<T>(attempt: () => T): Outcome<T> {
  try {
    return { value: attempt() };
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    return { problems: error.problems };
  }
}

/** Problems lie in the text that they are about, and can be told. */
export function expectPlaced(problems: readonly Problem[], text: string): void {
  for (const problem of problems) {
    const { source, start, end } = problem.span;
    expect(source.text, problem.code).toBe(text);
    expect(0 <= start && start <= end && end <= text.length, `${problem.code} at ${start} to ${end}`).toBe(
      true,
    );
    expect(problem.message).not.toBe("");
    const shown = showProblem(problem);
    expect(shown).toContain(problem.code);
    expect(shown.match(control) ?? [], "characters that a terminal obeys").toEqual([]);
    expect(JSON.parse(JSON.stringify(problem))).toMatchObject({ code: problem.code, start, end });
  }
}

/** Any control character but a line break. */
const control = /[^\P{Cc}\n]/gu;

/** So often may work be done again that took too long: what a machine does besides is not so again and again. */
const attempts = 3;

/**
 * Runs the work, which has to be done in time: in so many milliseconds of this process's own, which does not count what a
 * busy machine does meanwhile. This is a guard against what grows out of bounds and no measure of speed, so that a slow
 * machine may take ten times as long, and that one of a few attempts is in time is enough: the collector may have had to
 * clear up in the others what earlier tests left.
 */
export function inTime<T>(work: () => T, limit = 2000): T {
  for (let attempt = 1; ; attempt++) {
    const before = process.cpuUsage();
    const result = work();
    const { user, system } = process.cpuUsage(before);
    const milliseconds = (user + system) / 1000;
    if (milliseconds < 10 * limit) return result;
    if (attempt === attempts) expect(milliseconds, "milliseconds").toBeLessThan(10 * limit);
  }
}
