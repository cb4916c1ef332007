import { Script } from "node:vm";

const script = new Script("hunted()");

/** What is to be undone of changes that are in force, the latest last. */
const changes: (() => void)[] = [];

/** Does the work unless it takes longer than this; whether it was done. */
export function inTime(work: () => void, milliseconds: number): boolean {
  Reflect.set(globalThis, "hunted", work);
  try {
    script.runInThisContext({ timeout: milliseconds });
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"))
      throw error;
    // Work that is cut off does not come to the end of any `finally`.
    undoTo(0);
    return false;
  }
}

/** Runs with something changed, and undoes that afterwards: also where the run is cut off. */
export function changed<T>(undo: () => void, run: () => T): T {
  const depth = changes.push(undo) - 1;
  try {
    return run();
  } finally {
    undoTo(depth);
  }
}

function undoTo(depth: number): void {
  while (changes.length > depth) changes.pop()?.();
}
