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

/** What an action gives; nothing where it is refused. */
export function unlessRefused<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

/** The problems that an action is refused with, each as its code and its texts; none where it is not. */
export async function problemsOf(action: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return error.problems.map(({ code, description }) => `${code} ${JSON.stringify(description)}`);
  }
  return [];
}
