import type { Command } from "commander";
import { format, type Problem } from "../../../index.js";
import { writeFile } from "../../files/files.js";
import { programText } from "../../program/source-text.js";
import { exit, reported, writeProblems } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

interface FormatFlags {
  readonly check?: boolean;
}

/** `sphex fmt FILE…`: programs in their one canonical layout. */
export function addFmt(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command("fmt")
    .description("write programs in their canonical layout")
    .argument("<file...>", "the programs, rewritten where they stand; - writes stdin to stdout")
    .option("--check", "write nothing; say which files would change")
    .addHelpText("after", example)
    .action(async (files: readonly string[], flags: FormatFlags) => {
      const codes: number[] = [];
      for (const file of files)
        codes.push(await formatFile(file, flags, io).catch((error: unknown) => reported(error, {}, io)));
      finish(codes.reduce((worst, code) => Math.max(worst, code), 0));
    });
}

async function formatFile(file: string, { check = false }: FormatFlags, io: Io): Promise<number> {
  const { name, text: before } = await programText(file, io);
  const { text, problems } = format({ name, text: before });
  if (text === undefined) return await reportProblems(problems, io);
  if (check) {
    if (text !== before) await write(io.stdout, `${name}\n`);
    return text === before ? exit.fine : exit.problems;
  }
  if (file === "-") await write(io.stdout, text);
  else if (text !== before) writeFile(file, text, io.cwd);
  return exit.fine;
}

/** A program with problems of syntax stays as it is. */
async function reportProblems(problems: readonly Problem[], io: Io): Promise<number> {
  await writeProblems(problems, io);
  return exit.problems;
}

const example = `
Example:
  $ sphex fmt --check examples/*.sphex

Comments stay where they stand, and the meaning stays what it is. With --check the exit code is 1 if a file
would change.`;
