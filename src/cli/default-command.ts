import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { Command } from "commander";
import { optionNames, withOptions } from "./options/options.js";
import { type Io, readAll } from "./terminal/io.js";

/**
 * Adds the subcommand where none is named: a file is run, anything else is an expression, and without arguments a
 * terminal starts the REPL, and what comes over a pipe is run. A single word that is no file is taken for a mistyped command, since as an expression it would
 * just be a name, unless it is `true` or `false`.
 */
export function withCommand(
  argv: readonly string[],
  commands: readonly string[],
  io: Io,
  hasText: boolean,
): readonly string[] {
  const [first] = argv;
  if (first !== undefined && [...commands, "help"].includes(first)) return argv;
  const { operands, unknown } = scanArguments(argv);
  const [operand] = operands;
  if (unknown.some((each) => /^(?:-h|--help|-V|--version)$/.test(each))) return argv;
  if (argv.some((each) => /^(?:-e|--expression)/.test(each))) return ["eval", ...argv];
  if (operand === undefined) {
    if (unknown.length > 0) return /^-[\d.(]/.test(unknown[0] ?? "") ? ["eval", ...argv] : argv;
    if (io.isTTY.stdin) return ["repl", ...argv];
    return hasText ? ["run", "-", ...argv] : argv;
  }
  if (operand === "-" || /\.sphex$/.test(operand) || isFile(operand, io)) return ["run", ...argv];
  const isWord = /^(?!(?:true|false)$)[A-Za-z_]\w*$/.test(operand) && operand === first;
  return isWord || commands.includes(operand) ? argv : ["eval", ...argv];
}

/** Stdin, as far as it had to be read to see whether it has anything: only a command without arguments looks. */
export async function withStdin(argv: readonly string[], io: Io): Promise<{ io: Io; hasText: boolean }> {
  if (argv.length > 0 || io.isTTY.stdin) return { io, hasText: true };
  const text = await readAll(io.stdin);
  return { io: Object.create(io, { stdin: { value: Readable.from([text]) } }), hasText: text.trim() !== "" };
}

const isFile = (path: string, io: Io): boolean => existsSync(resolve(io.cwd, path));

/** Separates operands from options; mistakes in them are reported later. */
function scanArguments(argv: readonly string[]): { operands: readonly string[]; unknown: readonly string[] } {
  const scanner = withOptions(new Command(), optionNames).option("-e, --expression <text>").exitOverride();
  scanner.configureOutput({ writeErr: () => undefined });
  try {
    return scanner.parseOptions([...argv]);
  } catch {
    return { operands: [], unknown: [...argv] };
  }
}
