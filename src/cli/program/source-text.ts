import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  compile,
  compileExpression,
  type InputValues,
  type Options,
  type Program,
  SphexError,
  type Tensor,
  type TensorType,
  visibleJson,
} from "../../index.js";
import { confined, type FileReaders } from "../files/confined-files.js";
import { readBytes, readNamed } from "../files/files.js";
import { withStateFile } from "../files/state-file.js";
import { type CommonFlags, libraryOptions } from "../options/options.js";
import { type RunJson, tensorJson, tensorOptions, writeTensors } from "../options/output.js";
import { hostInputs, settingsOf, undeclaredTypes } from "../options/settings.js";
import { exit, failed, UsageError, writeProblems } from "../terminal/failure.js";
import { type Io, readAll, write } from "../terminal/io.js";
import { showsProgress, withProgress } from "../terminal/progress.js";
import { textOfBytes } from "../terminal/utf8.js";
import { missingInputsText } from "./missing-inputs.js";

/** The text of a program or an expression. */
export interface SourceText {
  readonly kind: "program" | "expression";
  /** Its name in messages. */
  readonly name: string;
  readonly text: string;
  /** How it reads the files that it names, where it may. */
  readonly readFile?: (path: string) => string;
  readonly readBytes?: (path: string) => Uint8Array;
}

/**
 * The program that a command runs: a file, or `-` for stdin. Paths in it are relative to its folder, and lead nowhere but
 * there and to the folders that are allowed.
 */
export async function programText(
  path: string,
  io: Io,
  { allowRead: allowed = [], maxBytes }: CommonFlags = {},
): Promise<SourceText> {
  const folder = path === "-" ? io.cwd : dirname(resolve(io.cwd, path));
  const readers = programReaders(
    folder,
    allowed.map((each) => resolve(io.cwd, each)),
    maxBytes,
  );
  if (path === "-") return { kind: "program", name: "stdin", text: await readAll(io.stdin), ...readers };
  return { kind: "program", name: path, text: readNamed(path, io, programIn), ...readers };
}

/** Refuses the name of a program's file where a command takes an expression. */
export function refuseFile(text: string, { cwd }: Io): void {
  if (!text.endsWith(".sphex") || !existsSync(resolve(cwd, text))) return;
  throw new UsageError(`${text} is a file, and this takes an expression: sphex run ${text} runs it`);
}

/** The text of a program in a file. @throws Error whose message is the reason where there is none. */
function programIn(path: string, folder: string): string {
  const bytes = readBytes(path, folder);
  const isWide = bytes[0] === 0xff || bytes[0] === 0xfe;
  if (!isWide && bytes.subarray(0, 65_536).includes(0)) throw new Error("it is not text");
  return textOfBytes(bytes);
}

/** How a program in a folder reads files: there, and in other folders that are allowed. */
export const programReaders = (
  folder: string,
  allowed: readonly string[],
  most?: number | undefined,
): FileReaders =>
  confined({ folder, folders: [folder, ...allowed], outside, ...(most === undefined ? {} : { most }) });

const outside = "it lies outside of the program's folder, and --allow-read does not name its own";

/** The readers of files as options of the library. */
export const fileReaders = ({
  readFile,
  readBytes,
}: SourceText): Pick<Options, "readFile" | "readBytes" | "showFileContents"> => ({
  // The user names the program, and not what it reads.
  showFileContents: false,
  ...(readFile === undefined ? {} : { readFile }),
  ...(readBytes === undefined ? {} : { readBytes }),
});

const compilers: Readonly<Record<SourceText["kind"], (text: string, options: Options) => Program>> = {
  program: compile,
  expression: compileExpression,
};

/** A text compiled, with the values of the command line for its inputs, and the types of those that are elsewhere. */
export async function compileText(
  source: SourceText,
  flags: CommonFlags,
  io: Io,
  tables: Readonly<Record<string, TensorType>> = {},
): Promise<{ readonly program: Program; readonly values: InputValues }> {
  const { kind, name, text } = source;
  const settings = await settingsOf(flags, io, source);
  const options: Options = { ...libraryOptions(flags), name, ...fileReaders(source) };
  const { types, values } = hostInputs(text, kind, settings, options);
  const inputs = { ...undeclaredTypes(text, kind, tables), ...types };
  return { program: await compiled(source, { ...options, inputs }), values };
}

/** A text compiled. @throws SphexError with all that is wrong with the text, its warnings among them. */
async function compiled({ kind, name, text }: SourceText, options: Options): Promise<Program> {
  try {
    return compilers[kind](text, options);
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    const { Analysis } = await import("../../service/service.js");
    const { problems } = new Analysis({ name, text }, options, kind);
    throw problems.some(({ isError }) => isError) ? new SphexError(problems) : error;
  }
}

/** Compiles and runs a text, and writes its results, or its problems; gives the exit code. */
export async function runText(text: SourceText, flags: CommonFlags, io: Io): Promise<number> {
  let inputs: InputValues = {};
  try {
    const { program, values } = await compileText(text, flags, io);
    inputs = values;
    if (flags.json !== true) await writeProblems(program.warnings, io, flags);
    const { state } = flags;
    const run = showsProgress(io)
      ? () => withProgress((progress) => program.runAllAsync(values, { progress }), io)
      : () => program.runAll(values);
    const { results } =
      state === undefined
        ? await run()
        : await withStateFile(state, program, io, async (session) => session.runAll(values));
    if (results.length === 0) program.run(values); // throws the problem
    if (flags.json === true) await write(io.stdout, json(program, results));
    else await writeTensors(results, tensorOptions(flags, io), io);
    return exit.fine;
  } catch (error) {
    const code = await failed(error, flags, io);
    const isProblem = error instanceof SphexError && flags.json !== true;
    await write(io.stderr, isProblem ? missingInputsText(text, inputs, error.problems) : "");
    return code;
  }
}

function json(program: Program, results: readonly Tensor[]): string {
  const named = results.map((tensor, at) => {
    const name = program.results[at]?.name;
    return { ...(name === undefined ? {} : { name }), ...tensorJson(tensor) };
  });
  const run: RunJson = { results: named, warnings: program.warnings };
  return `${visibleJson(run)}\n`;
}
