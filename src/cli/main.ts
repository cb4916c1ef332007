import { createRequire } from "node:module";
import { Command, CommanderError } from "commander";
import { escapeHidden } from "../index.js";
import { thrownText } from "../language/source/thrown.js";
import { addEvalExpr } from "./commands/compat/eval-expr.js";
import { addLink } from "./commands/compat/link.js";
import { addOpen } from "./commands/compat/open.js";
import { addServe } from "./commands/compat/serve.js";
import { addCompletions } from "./commands/completions.js";
import { addLsp } from "./commands/conversations/lsp.js";
import { addPlayground } from "./commands/conversations/playground.js";
import { addRepl } from "./commands/conversations/repl.js";
import { addConformance } from "./commands/databases/conformance.js";
import { addSql } from "./commands/databases/sql.js";
import { addExpand } from "./commands/explanations/expand.js";
import { addExplain } from "./commands/explanations/explain.js";
import { addWhy } from "./commands/explanations/why.js";
import { addHelp } from "./commands/help.js";
import { addCapture } from "./commands/packages/capture.js";
import { addExport } from "./commands/packages/export.js";
import { addProfile } from "./commands/packages/profile.js";
import { addScore } from "./commands/packages/score.js";
import { addTest } from "./commands/packages/test.js";
import { addBatch } from "./commands/programs/batch.js";
import { addCheck } from "./commands/programs/check.js";
import { addEval } from "./commands/programs/eval.js";
import { addFmt } from "./commands/programs/fmt.js";
import { addImport } from "./commands/programs/import.js";
import { addPrelude } from "./commands/programs/prelude.js";
import { addRun } from "./commands/programs/run.js";
import { addTrain } from "./commands/programs/train.js";
import { addConvert } from "./commands/tensors/convert.js";
import { addPlot } from "./commands/tensors/plot.js";
import { addSample } from "./commands/tensors/sample.js";
import { withCommand, withStdin } from "./default-command.js";
import type { CommonFlags } from "./options/options.js";
import { exit, reported } from "./terminal/failure.js";
import { type Io, type Programs, processIo, withSafeTerminals, write } from "./terminal/io.js";

/** How a subcommand is added to the command. */
type Add = (program: Command, io: Io, finish: (code: number) => void) => void;

/** The command `sphex`: its subcommands, one file each, in the order of the help; and its exit codes. */
// biome-ignore format: a table
const commands = {
  run:         addRun,
  eval:        addEval,
  check:       addCheck,
  fmt:         addFmt,
  explain:     addExplain,
  why:         addWhy,
  profile:     addProfile,
  expand:      addExpand,
  repl:        addRepl,
  lsp:         addLsp,
  batch:       addBatch,
  train:       addTrain,
  link:        addLink,
  open:        addOpen,
  "eval-expr": addEvalExpr,
  serve:       addServe,
  playground:  addPlayground,
  sql:         addSql,
  conformance: addConformance,
  export:      addExport,
  plot:        addPlot,
  convert:     addConvert,
  import:      addImport,
  sample:      addSample,
  score:       addScore,
  test:        addTest,
  capture:     addCapture,
  prelude:     addPrelude,
  completions: addCompletions,
  help:        addHelp,
} as const satisfies Readonly<Record<string, Add>>;

export type CommandName = keyof typeof commands;

/** Runs the command with these arguments; gives its exit code and throws nothing. */
export async function main(argv: readonly string[], outer: Io): Promise<number> {
  let io = withSafeTerminals(outer);
  let code: number = exit.fine;
  let end = async (): Promise<void> => {};
  try {
    const piped = await withStdin(argv, io);
    io = piped.io;
    const sphex = command(io);
    const words = withCommand(argv, Object.keys(commands), io, piped.hasText);
    for (const add of commandsFor(words[0])) add(sphex, io, (result) => (code = result));
    sphex.hook("preAction", async (_, action) => void (end = await startMachine(action.opts(), io)));
    await sphex.parseAsync(words, { from: "user" });
    return code;
  } catch (error) {
    return await exitCodeFor(error, io);
  } finally {
    await end();
  }
}

/** The command with all of its subcommands, of which nothing runs: for what is written about them. */
export function describedCommand(io: Io): Command {
  const sphex = command(io);
  for (const add of Object.values(commands)) add(sphex, io, () => undefined);
  return sphex;
}

/** Starts threads and wide vectors, where the flags ask for them; returns what ends them. */
async function startMachine(flags: CommonFlags, io: Io): Promise<() => Promise<void>> {
  if (flags.threads === undefined && flags.wide !== true) return async () => {};
  const { Machine } = await import("./program/machine.js");
  const machine = new Machine(io);
  await machine.ready(flags);
  return () => machine.end();
}

/** The subcommand of a name alone, so that the start is quick; all of them for `completions`, which lists them. */
function commandsFor(name = ""): readonly Add[] {
  const add = isCommand(name) ? commands[name] : undefined;
  return add === undefined || add === addCompletions || add === addHelp ? Object.values(commands) : [add];
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

/** Of help, where there is no terminal. */
const usualWidth = 80;

function command(io: Io): Command {
  return new Command("sphex")
    .description("Tensor expressions with named dimensions, checked before they run.")
    .version(version())
    .usage("[options] [command]\n       sphex [options] FILE or EXPRESSION")
    .addHelpText("after", helpText)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.columns ?? usualWidth,
      getErrHelpWidth: () => io.columns ?? usualWidth,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, out) => out(text.replace(/^error: /, "sphex: ")),
    });
}

const helpText = `
Without a command, a file is run, and anything else is an expression. With nothing at all a conversation starts at a
terminal, and what comes over a pipe is run: echo '1 + 1' | sphex. Results go to stdout and problems to stderr, or with --json all to stdout.

Exit codes:
  0   all went well, warnings or not; a batch in any case
  1   there was an error
  2   the command was called wrongly
  70  an internal error

Examples:
  $ sphex 'sum(tensor(x[3]):[1,2,3])'
  6.0
  $ sphex ranking.sphex --set 'query(q)=tensor(x[2]):[1,2]'`;

/** The package knows its version, from its sources and when it is built. */
function version(): string {
  const { version }: { version: string } = createRequire(import.meta.url)("sphex/package.json");
  return version;
}

async function exitCodeFor(error: unknown, io: Io): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exit.fine : exit.wrongUse;
  if (isClosedPipe(error)) return exit.fine;
  try {
    return await reported(error, {}, io);
  } catch {
    await write(io.stderr, `${internalError(error)}\n`);
    return exit.internal;
  }
}

const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EPIPE";

/** A full disk, where the output was sent to a file: not an internal error. */
const isWriteFailure = (error: unknown): error is Error =>
  error instanceof Error && "syscall" in error && error.syscall === "write";

const writeFailure = ({ message }: Error): string =>
  `sphex: cannot write the output: ${message.replace(/^[A-Z]+: |, write$/g, "")}`;

const internalError = (error: unknown): string =>
  `sphex: internal error: ${thrownText(error).replace(/\s+/g, " ")}`;

/** Starts the command in this process. A closed pipe is not an error, and no error shows a trace. */
export async function start(programs: Programs): Promise<void> {
  const io = processIo(programs);
  const unexpected = (error: unknown): never => {
    if (isClosedPipe(error)) process.exit(process.exitCode ?? exit.fine);
    process.stderr.write(
      `${escapeHidden(isWriteFailure(error) ? writeFailure(error) : internalError(error))}\n`,
    );
    process.exit(isWriteFailure(error) ? exit.wrongUse : exit.internal);
  };
  process.stdout.on("error", unexpected);
  process.stderr.on("error", unexpected);
  process.on("uncaughtException", unexpected);
  process.exitCode = await main(process.argv.slice(2), io);
}
