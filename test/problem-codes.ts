import { SphexError } from "../src/index.js";

/** The codes of the problems that an action throws; none where it throws nothing. */
export function codesOf(action: () => unknown): readonly string[] {
  try {
    action();
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code);
    throw error;
  }
  return [];
}
