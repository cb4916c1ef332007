import type { Command } from "commander";
import { check } from "../index.js";
import { exit, failed, writeProblems } from "./failure.js";
import { programText } from "./file.js";
import { type Io, write } from "./io.js";
import { type Given, libraryOptions, withOptions } from "./options.js";
import type { Text } from "./running.js";
import { hostInputs, settingsOf } from "./settings.js";

/** `sphex check FILE`: all problems of a program, which is not run. */
export function addCheck(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("check"), ["set", "inputs", "json", "dialect"])
    .description("print all problems of a program without running it")
    .argument("<file>", "the program, or - for stdin")
    .addHelpText("after", example)
    .action(async (file: string, given: Given) =>
      finish(await checkText(await programText(file, io), given, io)),
    );
}

async function checkText({ name, text, readFile }: Text, given: Given, io: Io): Promise<number> {
  try {
    const options = { ...libraryOptions(given), name, ...(readFile === undefined ? {} : { readFile }) };
    const { types } = hostInputs(text, "program", settingsOf(given, io), options);
    const problems = check(text, { ...options, inputs: types });
    if (given.json === true) await write(io.stdout, `${JSON.stringify({ problems })}\n`);
    else await writeProblems(problems, io);
    return problems.some((each) => each.isError) ? exit.problems : exit.fine;
  } catch (error) {
    return await failed(error, given, io);
  }
}

const example = `
Example:
  $ sphex check ranking.sphex --set 'query(q)=tensor(x[3]):[1,2,3]'

The exit code is 1 if a problem is an error; warnings leave it at 0.`;
