import { Script } from "node:vm";

const script = new Script("hunted()");

/** Does the work unless it takes longer than this; whether it was done. */
export function inTime(work: () => void, milliseconds: number): boolean {
  Reflect.set(globalThis, "hunted", work);
  try {
    script.runInThisContext({ timeout: milliseconds });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      return false;
    throw error;
  }
}
