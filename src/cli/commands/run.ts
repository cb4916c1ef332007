import { type Command, Option } from "commander";
import { type OnFlags, runOn } from "../databases/run-on.js";
import { engineOptions, runOptions, wholeNumber, withOptions } from "../options/options.js";
import { programText, runText } from "../program/source-text.js";
import { watchProgram } from "../program/watch.js";
import { UsageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { bindingOptions, engineFlags } from "./sql.js";

/** `sphex run FILE`: the results of a program. */
export function addRun(program: Command, io: Io, finish: (code: number) => void): void {
  const command = withOptions(program.command("run"), [
    "set",
    "inputs",
    "reading",
    "json",
    "format",
    "optimise",
    "portable",
    "state",
    "models",
    ...runOptions,
    ...engineOptions,
  ])
    .description("run a program and print its results")
    .argument("<file>", "the program, or - for stdin")
    .option("--watch", "run it again whenever it, or a file that it uses, changes")
    .option("--into <target>", "with --on: write the result to a .parquet or .csv file, or to table:NAME")
    .addOption(
      new Option("--retries <n>", "with --on: how often to begin again when a connection is lost").argParser(
        wholeNumber,
      ),
    );
  engineFlags(bindingOptions(command))
    .addHelpText("after", example)
    .action(async (file: string, flags: OnFlags & { readonly watch?: boolean }) =>
      finish(flags.watch === true ? await watchProgram(file, flags, io) : await run(file, flags, io)),
    );
}

async function run(file: string, flags: OnFlags, io: Io): Promise<number> {
  if (flags.on !== undefined && flags.state !== undefined)
    throw new UsageError(
      "--state keeps the tensors of runs on this machine, and not of those --on an engine",
    );
  const text = await programText(file, io, flags);
  if (flags.on !== undefined) return await runOn(text, flags.on, flags, io);
  for (const name of ["table", "bindings", "into", "partition", "replicated", "retries"] as const)
    if (flags[name] !== undefined)
      throw new UsageError(`--${name} is for programs on an engine: name it with --on`);
  return await runText(text, flags, io);
}

const example = `
Example:
  $ echo 'sum(q * q, x)' | sphex run - --set 'q=tensor(x[2]):[3,4]'
  25.0`;
