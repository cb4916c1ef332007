import type { Progress } from "../../index.js";
import { clip } from "../../language/source/columns.js";
import { inColour } from "./failure.js";
import type { Io } from "./io.js";
import { writeStyled } from "./io.js";

/** A task that has begun, or one that reports its progress, or a text of its own about it. */
export type Task<T> = Promise<T> | ((progress: (at: Progress | string) => void) => Promise<T>);

/**
 * Shows the progress of a task that takes longer than a second on stderr, if that is a terminal: a spinner, the time so
 * far, and the present operation. It is cleared when the task is done.
 */
export async function withProgress<T>(task: Task<T>, io: Io): Promise<T> {
  let latest: Progress | string | undefined;
  const promise = typeof task === "function" ? task((at) => (latest = at)) : task;
  if (!showsProgress(io)) return await promise;
  const start = performance.now();
  let turns = 0;
  const clear = (): void => {
    if (turns > 0) void writeStyled(io.stderr, "\r\x1b[K");
  };
  const draw = (): void => {
    const seconds = (performance.now() - start) / 1000;
    if (seconds < delay) return;
    const sign = `${signs[turns++ % signs.length]} ${seconds.toFixed(1)} s`;
    const text = `${sign}${statusText(latest, (io.columns ?? 80) - 1 - sign.length - cancels.length)}${cancels}`;
    void writeStyled(io.stderr, `\r${inColour(io) ? `\x1b[2m${text}\x1b[22m` : text}\x1b[K`);
  };
  const timer = setInterval(draw, 100);
  const forget = io.onInterrupt?.(clear);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
    forget?.();
    clear();
  }
}

const cancels = ", Ctrl-C cancels";

/** The progress of the task and its present expression, in so many columns; what does not fit is left out. */
function statusText(at: Progress | string | undefined, width: number): string {
  if (at === undefined) return "";
  if (typeof at === "string") return `: ${at}`.slice(0, Math.max(0, width));
  const share = at.operations > 1 && at.done > 0 ? `, ${at.done} of ${at.operations} operations` : "";
  const { source, start, end } = at.span;
  const text = source.text.slice(start, Math.min(end, start + 200)).replace(/\s+/g, " ");
  const left = width - share.length - 2;
  if (left < 10) return width < share.length ? "" : share;
  return `: ${clip(text, left)}${share}`;
}

/** Whether progress can be shown. Otherwise a run is synchronous, without pauses. */
export const showsProgress = ({ isTTY, env }: Io): boolean => isTTY.stderr && env.TERM !== "dumb";

/** Seconds. */
const delay = 1;
const signs = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
