import type { Command } from "commander";
import type { Options } from "../index.js";
import { problemOptions } from "./failure.js";
import { readBytes, readText, writer } from "./files.js";
import type { Io } from "./io.js";
import { type CommonFlags, libraryOptions, runOptions, withOptions } from "./options.js";
import { tensorOptions } from "./output.js";
import { showsProgress, type Task, withProgress } from "./progress.js";
import { settingsOf } from "./settings.js";

type ReportingTask<T> = Extract<Task<T>, (...parameters: never) => unknown>;

/** `sphex repl`: a conversation, or a script from stdin. */
export function addRepl(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("repl"), ["set", "inputs", ...runOptions])
    .description("read statements and print the values of expressions as they come")
    .addHelpText("after", example)
    .action(async (flags: CommonFlags) => {
      const settings = settingsOf(flags, io);
      const readFile = (path: string): string => readText(path, io.cwd);
      const bytes = (path: string): Uint8Array => readBytes(path, io.cwd);
      const options = (): Options => ({ ...libraryOptions(flags), readFile, readBytes: bytes });
      const { runRepl } = await io.repl();
      const display = { problemOptions: problemOptions(io), tensorOptions: () => tensorOptions({}, io) };
      const streams = { input: io.stdin, output: io.stdout, errors: io.stderr, isTTY: io.isTTY.stdin };
      const surroundings = {
        ...{ cwd: io.cwd, files: writer(io.cwd), env: io.env },
        ...(showsProgress(io) ? { withProgress: <T>(task: ReportingTask<T>) => withProgress(task, io) } : {}),
      };
      finish(await runRepl({ options, ...display, settings, ...streams, ...surroundings }));
    });
}

const example = `
Example:
  $ printf 'a = 2\\na ^ 10\\n' | sphex repl
  1024.0`;
