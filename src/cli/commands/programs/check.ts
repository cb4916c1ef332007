import type { Command } from "commander";
import {
  check,
  compile,
  type InputValues,
  type Options,
  type Problem,
  SphexError,
  visibleJson,
} from "../../../index.js";
import { type CommonFlags, libraryOptions, withOptions } from "../../options/options.js";
import { hostInputs, settingsOf } from "../../options/settings.js";
import { type CheckFlags, checkFolder } from "../../packages/check-package.js";
import { isPackage } from "../../packages/package-files.js";
import { fileReaders, programText, type SourceText } from "../../program/source-text.js";
import { annotation } from "../../terminal/annotation.js";
import { exit, failed, writeProblems } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

/** `sphex check FILE`: all problems of a program, which is not run, or of an application package. */
export function addCheck(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("check"), ["set", "inputs", "reading", "json", "dialect", "portable"])
    .description("print all problems of a program, or of a Vespa application package, without running it")
    .argument("<file>", "the program, - for stdin, a package's folder, a schema (.sd) or a rank profile")
    .option("--github", "write annotations for GitHub Actions")
    .addHelpText("after", example)
    .action(async (file: string, flags: CommonFlags & CheckFlags) =>
      finish(
        isPackage(file, io)
          ? await checkFolder(file, flags, io)
          : await checkText(await programText(file, io, flags), flags, io),
      ),
    );
}

async function checkText(source: SourceText, flags: CommonFlags & CheckFlags, io: Io): Promise<number> {
  try {
    const { name, text } = source;
    const options = { ...libraryOptions(flags), name, ...fileReaders(source) };
    const { types, values } = hostInputs(text, "program", await settingsOf(flags, io, source), options);
    const own = check(text, { ...options, inputs: types });
    const isSound = !own.some((each) => each.isError);
    const problems = [...own, ...(isSound ? valueProblems(text, { ...options, inputs: types }, values) : [])];
    const isAnnotated = ({ severity }: Problem): boolean =>
      flags.portable === true || severity !== "portability";
    if (flags.json === true) await write(io.stdout, `${visibleJson({ problems })}\n`);
    else if (flags.github === true)
      await write(io.stdout, problems.filter(isAnnotated).map(annotation).join(""));
    else await writeProblems(problems, io, flags);
    return problems.some((each) => each.isError) ? exit.problems : exit.fine;
  } catch (error) {
    return await failed(error, flags, io);
  }
}

/** What is wrong with the values of the command line, for a program without errors. */
function valueProblems(text: string, options: Options, values: InputValues): readonly Problem[] {
  if (Object.keys(values).length === 0) return [];
  try {
    compile(text, options).prepare(values);
    return [];
  } catch (error) {
    if (error instanceof SphexError) return error.problems;
    throw error;
  }
}

const example = `
Example:
  $ sphex check ranking.sphex --set 'query(q)=tensor(x[3]):[1,2,3]'
  $ sphex check my-application

The exit code is 1 if a problem is an error; warnings leave it at 0.`;
