import type { Readable, Writable } from "node:stream";
import { linesOf } from "../io.js";

/** The lines that the interactive mode reads: neither blank, nor the first of a script that says what runs it. */
export const isContent = (line: string): boolean => line.trim() !== "" && !/^#!./.test(line);

/** What a terminal offers: lines with a prompt, and a way to take Ctrl-C back. */
export interface TypedLines {
  readonly lines: AsyncIterable<string>;
  /** Does this on Ctrl-C while `work` goes on; otherwise Ctrl-C ends the conversation. */
  readonly whileRunning: <T>(stop: () => void, work: Promise<T>) => Promise<T>;
}

/** The lines of a pipe, or those that somebody types, with the last thousand of them at hand. */
export async function typedLines(input: Readable, output: Writable, isTTY: boolean): Promise<TypedLines> {
  if (!isTTY) return { lines: linesOf(input), whileRunning: (_, work) => work };
  const { createInterface } = await import("node:readline");
  const terminal = createInterface({ input, output, prompt: "> ", historySize: 1024 });
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
