import { type Problem, SphexError, showProblem } from "../../src/index.js";
import type { Choice } from "../hunt/choice.js";

/** A way into the program: how inputs for it are made, and what must come of each. */
export interface Surface<Input extends string | Uint8Array = string | Uint8Array> {
  readonly name: string;
  /** How often it is tried, against the others. */
  readonly weight: number;
  /** An input by the grammar of the surface. */
  readonly derive: (choice: Choice) => Input;
  /** Does all that may be done with an input, and throws where anything but a value or problems comes of it. */
  readonly attempt: (input: Input, choice: Choice) => void | Promise<void>;
}

/** The surfaces of the list are of either kind of input, and each is given only inputs of its own. */
export const textSurface = (surface: Surface<string>): Surface => ({
  ...surface,
  attempt: (input, choice) => {
    if (typeof input !== "string") throw new Error(`${surface.name} takes texts`);
    return surface.attempt(input, choice);
  },
});

export const bytesSurface = (surface: Surface<Uint8Array>): Surface => ({
  ...surface,
  attempt: (input, choice) => {
    if (typeof input === "string") throw new Error(`${surface.name} takes bytes`);
    return surface.attempt(input, choice);
  },
});

/** That something which has to be true is not. */
export class Broken extends Error {
  override readonly name = "Broken";
}

export function demand(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new Broken(what);
}

/** What comes of the work, or its problems, of which each is checked. */
export function outcome<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    return void refused(error);
  }
}

export async function laterOutcome<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    return void refused(error);
  }
}

function refused(error: unknown): void {
  if (!(error instanceof SphexError)) throw error;
  demand(error.problems.length > 0, "a SphexError without a problem");
  expectSound(error.problems);
}

/** Any control character but a line break: what a terminal obeys. */
const control = /[^\P{Cc}\n]/u;

/** That problems lie in the texts that they are about, and can be told as data and as lines. */
export function expectSound(problems: readonly Problem[]): void {
  for (const problem of problems.slice(0, 20)) {
    const { code, span, related } = problem;
    for (const each of [span, ...related.map((other) => other.span)]) {
      const { source, start, end } = each;
      const isInside = 0 <= start && start <= end && end <= source.text.length;
      demand(isInside, `${code} lies from ${start} to ${end} in ${source.text.length} characters`);
    }
    demand(problem.message !== "", `${code} says nothing`);
    // To be told takes longer than to be found: one of four is enough.
    if ((span.start + span.source.text.length) % 4 !== 0) continue;
    demand(!control.test(showProblem(problem)), `${code} shows a control character`);
    demand(JSON.stringify(problem).length < 20_000, `${code} is long as data`);
  }
}
