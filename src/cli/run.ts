import type { Command } from "commander";
import type { Io } from "./io.js";
import { type CommonFlags, engineOptions, runOptions, withOptions } from "./options.js";
import { programText, runText } from "./source-text.js";
import { watchProgram } from "./watch.js";

/** `sphex run FILE`: the results of a program. */
export function addRun(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("run"), [
    "set",
    "inputs",
    "reading",
    "json",
    "format",
    "optimise",
    ...runOptions,
    ...engineOptions,
  ])
    .description("run a program and print its results")
    .argument("<file>", "the program, or - for stdin")
    .option("--watch", "run it again whenever it, or a file that it uses, changes")
    .addHelpText("after", example)
    .action(async (file: string, flags: CommonFlags & { readonly watch?: boolean }) =>
      finish(
        flags.watch === true
          ? await watchProgram(file, flags, io)
          : await runText(await programText(file, io, flags), flags, io),
      ),
    );
}

const example = `
Example:
  $ echo 'sum(q * q, x)' | sphex run - --set 'q=tensor(x[2]):[3,4]'
  25.0`;
