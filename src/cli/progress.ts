import { inColour } from "./failure.js";
import type { Io } from "./io.js";

/**
 * A sign of life on stderr for whoever waits at a terminal longer than a second: a turning sign and the time so far,
 * which are gone when the work is done. Nothing anywhere else.
 */
export async function patiently<T>(work: Promise<T>, io: Io): Promise<T> {
  if (!showsProgress(io)) return await work;
  const start = performance.now();
  let turns = 0;
  const clear = (): void => {
    if (turns > 0) io.stderr.write("\r\x1b[K");
  };
  const draw = (): void => {
    const seconds = (performance.now() - start) / 1000;
    if (seconds < patience) return;
    const text = `${signs[turns++ % signs.length]} ${seconds.toFixed(1)} s, Ctrl-C cancels`;
    io.stderr.write(`\r${inColour(io) ? `\x1b[2m${text}\x1b[22m` : text}\x1b[K`);
  };
  const timer = setInterval(draw, 100);
  const forget = io.onInterrupt?.(clear);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    forget?.();
    clear();
  }
}

/** Whether anybody would see it. Who does not is spared the pauses of an asynchronous run. */
export const showsProgress = ({ isTTY, env }: Io): boolean => isTTY.stderr && env.TERM !== "dumb";

/** Seconds. */
const patience = 1;
const signs = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
