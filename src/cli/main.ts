import { createRequire } from "node:module";
import { Command, CommanderError } from "commander";
import { exit, failed, UsageError } from "./failure.js";
import { withCommand } from "./guess.js";
import { type Io, processIo, write } from "./io.js";

/** The command `sphex`: its subcommands and its exit codes. */
/** How a subcommand is added to the command. */
type Add = (program: Command, io: Io, finish: (code: number) => void) => void;

/**
 * The subcommands in the order of the help, one file each. A start reads the file of the one that is asked for: all of
 * them together take longer than most of what they are asked.
 */
// biome-ignore format: a table
const commands: Readonly<Record<string, () => Promise<Add>>> = {
  run:         async () => (await import("./run.js")).addRun,
  eval:        async () => (await import("./eval.js")).addEval,
  check:       async () => (await import("./check.js")).addCheck,
  fmt:         async () => (await import("./fmt.js")).addFmt,
  explain:     async () => (await import("./explain.js")).addExplain,
  why:         async () => (await import("./why.js")).addWhy,
  profile:     async () => (await import("./profile.js")).addProfile,
  expand:      async () => (await import("./expand.js")).addExpand,
  repl:        async () => (await import("./repl.js")).addRepl,
  batch:       async () => (await import("./batch.js")).addBatch,
  link:        async () => (await import("./link.js")).addLink,
  open:        async () => (await import("./open.js")).addOpen,
  "eval-expr": async () => (await import("./eval-expr.js")).addEvalExpr,
  serve:       async () => (await import("./serve.js")).addServe,
  plot:        async () => (await import("./plot.js")).addPlot,
  convert:     async () => (await import("./convert.js")).addConvert,
  sample:      async () => (await import("./sample.js")).addSample,
  score:       async () => (await import("./score.js")).addScore,
  test:        async () => (await import("./test.js")).addTest,
  capture:     async () => (await import("./capture.js")).addCapture,
  prelude:     async () => (await import("./prelude.js")).addPrelude,
  completions: async () => (await import("./completions.js")).addCompletions,
};

/** Runs the command with these arguments; gives its exit code and throws nothing. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let code: number = exit.fine;
  try {
    const sphex = command(io);
    const names = Object.keys(commands);
    const given = withCommand(argv, names, io);
    const wanted = names.filter((each) => each === given[0]);
    for (const add of await loaded(wanted.length > 0 ? wanted : names))
      add(sphex, io, (result) => (code = result));
    await sphex.parseAsync(given, { from: "user" });
    return code;
  } catch (error) {
    return await ended(error, io);
  }
}

const loaded = (names: readonly string[]): Promise<Add[]> =>
  Promise.all(names.flatMap((each) => commands[each]?.() ?? []));

function command(io: Io): Command {
  return new Command("sphex")
    .description("Tensor expressions with named dimensions, checked before they run.")
    .version(version())
    .usage("[options] [command]\n       sphex [options] FILE or EXPRESSION")
    .addHelpText("after", manners)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, out) => out(text.replace(/^error: /, "sphex: ")),
    });
}

const manners = `
Without a command, a file is run, anything else is an expression, and at a terminal nothing at all starts a
conversation. Results go to stdout and problems to stderr, or with --json all to stdout.

Exit codes:
  0   all went well, warnings or not; a batch in any case
  1   there was an error
  2   the command was called wrongly
  70  a mistake of ours

Examples:
  $ sphex 'sum(tensor(x[3]):[1,2,3])'
  6.0
  $ sphex ranking.sphex --set 'query(q)=tensor(x[2]):[1,2]'`;

/** The package knows its version, from its sources and when it is built. */
function version(): string {
  const { version }: { version: string } = createRequire(import.meta.url)("sphex/package.json");
  return version;
}

async function ended(error: unknown, io: Io): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exit.fine : exit.wrongUse;
  if (isClosedPipe(error)) return exit.fine;
  if (error instanceof UsageError) {
    await write(io.stderr, `sphex: ${error.message}\n`);
    return exit.wrongUse;
  }
  try {
    return await failed(error, {}, io);
  } catch {
    await write(io.stderr, `${internalError(error)}\n`);
    return exit.internal;
  }
}

const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EPIPE";

const internalError = (error: unknown): string =>
  `sphex: internal error: ${error instanceof Error ? error.message.replace(/\s+/g, " ") : error}`;

/** The real start. Nobody reading on is no error, and no error shows a trace. */
export async function start(repl: Io["repl"]): Promise<void> {
  const io = processIo(repl);
  const unexpected = (error: unknown): never => {
    if (!isClosedPipe(error)) process.stderr.write(`${internalError(error)}\n`);
    process.exit(isClosedPipe(error) ? (process.exitCode ?? exit.fine) : exit.internal);
  };
  process.stdout.on("error", unexpected);
  process.stderr.on("error", unexpected);
  process.on("uncaughtException", unexpected);
  process.exitCode = await main(process.argv.slice(2), io);
}
