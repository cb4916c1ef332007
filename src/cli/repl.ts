import type { Command } from "commander";
import type { Options } from "../index.js";
import { manner } from "./failure.js";
import { type Io, readBytes, readText } from "./io.js";
import { type Given, libraryOptions, running, withOptions } from "./options.js";
import { showing } from "./output.js";
import { patiently, showsProgress, type Work } from "./progress.js";
import { settingsOf } from "./settings.js";

type Task<T> = Extract<Work<T>, (...parameters: never) => unknown>;

/** `sphex repl`: a conversation, or a script from stdin. */
export function addRepl(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("repl"), ["set", "inputs", ...running])
    .description("read statements and print the values of expressions as they come")
    .addHelpText("after", example)
    .action(async (given: Given) => {
      const settings = settingsOf(given, io);
      const readFile = (path: string): string => readText(path, io.cwd);
      const bytes = (path: string): Uint8Array => readBytes(path, io.cwd);
      const options = (): Options => ({ ...libraryOptions(given), readFile, readBytes: bytes });
      const { runRepl } = await io.repl();
      const display = { problemOptions: manner(io), tensorOptions: () => showing({}, io) };
      const streams = { input: io.stdin, output: io.stdout, errors: io.stderr, isTTY: io.isTTY.stdin };
      const surroundings = {
        ...{ cwd: io.cwd, env: io.env },
        ...(showsProgress(io) ? { withProgress: <T>(task: Task<T>) => patiently(task, io) } : {}),
      };
      finish(await runRepl({ options, ...display, settings, ...streams, ...surroundings }));
    });
}

const example = `
Example:
  $ printf 'a = 2\\na ^ 10\\n' | sphex repl
  1024.0`;
