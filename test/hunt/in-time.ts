import { Script } from "node:vm";

/** Far more than any program of the hunt takes. */
const milliseconds = 20_000;

const script = new Script("hunted()");

/** What the work gives, or something else where it does not end. */
export function inTime<T>(work: () => T, otherwise: T): T {
  Reflect.set(globalThis, "hunted", work);
  try {
    return script.runInThisContext({ timeout: milliseconds });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      return otherwise;
    throw error;
  }
}
