import { type Command, Option } from "commander";
import { withDatabaseOptions } from "../../databases/options.js";
import { type OnFlags, refuseEngineOptions, runOn } from "../../databases/run-on.js";
import { engineOptions, runOptions, wholeNumber, withOptions } from "../../options/options.js";
import { programText, runText } from "../../program/source-text.js";
import { watchProgram } from "../../program/watch.js";
import { UsageError } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";

interface RunFlags extends OnFlags {
  readonly watch?: boolean;
}

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
  withDatabaseOptions(command)
    .addHelpText("after", example)
    .action(async (file: string, flags: RunFlags) => finish(await run(file, flags, io)));
}

async function run(file: string, flags: RunFlags, io: Io): Promise<number> {
  const { on, state, watch } = flags;
  if (on === undefined) refuseEngineOptions(flags);
  else if (state !== undefined)
    throw new UsageError(
      "--state keeps the tensors of runs on this machine, and not of those --on an engine",
    );
  else if (watch === true)
    throw new UsageError("--watch runs a program on this machine, and not --on an engine");
  if (watch === true) return await watchProgram(file, flags, io);
  const text = await programText(file, io, flags);
  return on === undefined ? await runText(text, flags, io) : await runOn(text, on, flags, io);
}

const example = `
Example:
  $ echo 'sum(q * q, x)' | sphex run - --set 'q=tensor(x[2]):[3,4]'
  25.0`;
