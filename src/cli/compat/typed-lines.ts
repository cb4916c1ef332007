import type { Readable, Writable } from "node:stream";
import { linesOf } from "../terminal/io.js";
import { underlying } from "../terminal/terminal-writer.js";

/** Whether the interactive mode reads a line: it is neither blank nor a `#!` line. */
export const isContent = (line: string): boolean => line.trim() !== "" && !/^#!./.test(line);

/** Lines, at a terminal with a prompt, and the handling of Ctrl-C. */
export interface TypedLines {
  readonly lines: AsyncIterable<string>;
  /** Calls `stop` on Ctrl-C while `work` goes on; otherwise Ctrl-C ends the lines. */
  readonly whileRunning: <T>(stop: () => void, work: Promise<T>) => Promise<T>;
}

/** The lines of a pipe, or of a terminal with a history of a thousand lines. */
export async function typedLines(input: Readable, output: Writable, isTTY: boolean): Promise<TypedLines> {
  if (!isTTY) return { lines: linesOf(input), whileRunning: (_, work) => work };
  const { createInterface } = await import("node:readline");
  const terminal = createInterface({ input, output: underlying(output), prompt: "> ", historySize: 1024 });
  let stop = (): void => terminal.close();
  terminal.on("SIGINT", () => stop());
  async function* prompted(): AsyncGenerator<string> {
    terminal.prompt();
    for await (const line of terminal) {
      yield line;
      terminal.prompt();
    }
    output.write("\n");
  }
  const whileRunning = async <T>(act: () => void, work: Promise<T>): Promise<T> => {
    stop = act;
    try {
      return await work;
    } finally {
      stop = () => terminal.close();
    }
  };
  return { lines: prompted(), whileRunning };
}
