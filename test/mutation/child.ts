import { spawn } from "node:child_process";

/** How a process ended: with a code, or because its time was over. */
export interface Ending {
  readonly code: number | "endless";
  readonly output: string;
}

export interface ChildOptions {
  readonly command: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** It is ended when it has written nothing for so long. */
  readonly silentMilliseconds: number;
}

/** Runs Node with these arguments. */
export function runChild(options: ChildOptions): Promise<Ending> {
  const { command, folder, environment, silentMilliseconds } = options;
  return new Promise((resolve) => {
    // With a group of its own, so that what it has started ends with it.
    const child = spawn(process.execPath, [...command], {
      cwd: folder,
      detached: true,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let isEndless = false;
    const stop = (): void => {
      isEndless = true;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    };
    let timer = setTimeout(stop, silentMilliseconds);
    const hear = (text: Buffer): void => {
      clearTimeout(timer);
      timer = setTimeout(stop, silentMilliseconds);
      output += `${text}`;
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code: isEndless ? "endless" : (code ?? 1), output });
    });
  });
}
