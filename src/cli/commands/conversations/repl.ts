import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import type { Command } from "commander";
import type { Options } from "../../../index.js";
import { readText, writer } from "../../files/files.js";
import { type CommonFlags, libraryOptions, runOptions, withOptions } from "../../options/options.js";
import { tensorOptions } from "../../options/output.js";
import { readsStdin, settingsOf } from "../../options/settings.js";
import { programReaders } from "../../program/source-text.js";
import { problemOptions, UsageError } from "../../terminal/failure.js";
import { type Io, textsOf } from "../../terminal/io.js";
import { showsProgress, type Task, withProgress } from "../../terminal/progress.js";
import { underlying } from "../../terminal/terminal-writer.js";

type ReportingTask<T> = Extract<Task<T>, (...parameters: never) => unknown>;

/** `sphex repl`: a conversation, or a script from stdin. */
export function addRepl(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("repl"), ["set", "inputs", "reading", ...runOptions])
    .description("read statements and print the values of expressions as they come")
    .addHelpText("after", example)
    .action(async (flags: CommonFlags) => {
      if (readsStdin(flags)) throw new UsageError("the REPL reads stdin, -, itself: name a file");
      const settings = await settingsOf(flags, io);
      const folders = [io.cwd, ...(flags.allowRead ?? []).map((each) => resolve(io.cwd, each))];
      /** A file that the user names; from now on, programs may read what lies beside it. */
      const readFile = (path: string): string => {
        const text = readText(path, io.cwd);
        folders.push(dirname(resolve(io.cwd, path)));
        return text;
      };
      const options = (): Options => ({
        ...libraryOptions(flags),
        ...programReaders(io.cwd, folders),
        showFileContents: false,
      });
      const { runRepl } = await io.repl();
      const display = { problemOptions: problemOptions(io), tensorOptions: () => tensorOptions({}, io) };
      const streams = {
        input: io.isTTY.stdin ? io.stdin : Readable.from(textsOf(io.stdin)),
        output: underlying(io.stdout),
        errors: underlying(io.stderr),
        isTTY: io.isTTY.stdin,
      };
      const surroundings = {
        ...{ cwd: io.cwd, readFile, files: writer(io.cwd), env: io.env },
        ...(showsProgress(io) ? { withProgress: <T>(task: ReportingTask<T>) => withProgress(task, io) } : {}),
      };
      finish(await runRepl({ options, ...display, settings, ...streams, ...surroundings }));
    });
}

const example = `
Example:
  $ printf 'a = 2\\na ^ 10\\n' | sphex repl
  1024.0`;
