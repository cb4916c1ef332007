import {
  type InputValues,
  type Program,
  type Progress,
  type Span,
  TensorType,
  visibleJson,
} from "../../index.js";
import type { CommonFlags } from "../options/options.js";
import { exit, failed, writeProblems } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";
import { showsProgress, withProgress } from "../terminal/progress.js";
import { compileText, programText, type SourceText } from "./source-text.js";

/** What `explain`, `why` and `expand` share: a program, or one expression, is run and inspected. */

/** Runs at once, or asynchronously with a sign of progress at a terminal. */
export type Runner = <T>(
  now: () => T,
  later: (progress: (at: Progress) => void) => Promise<T>,
) => T | Promise<T>;

/** Data, and its text. */
export interface Inspection {
  readonly data: object;
  readonly text: () => string;
}

export async function inspect(
  argument: string,
  flags: CommonFlags,
  io: Io,
  read: (program: Program, values: InputValues, runner: Runner) => Inspection | Promise<Inspection>,
): Promise<number> {
  const text = await textOf(argument, flags, io);
  try {
    const { program, values } = await compileText(text, flags, io);
    if (flags.json !== true) await writeProblems(program.warnings, io, flags);
    const runner: Runner = (now, later) => (showsProgress(io) ? withProgress(later, io) : now());
    const inspection = await read(program, values, runner);
    const shown = flags.json === true ? visibleJson(inspection.data, jsonValue) : inspection.text();
    await write(io.stdout, `${shown}\n`);
    return exit.fine;
  } catch (error) {
    return await failed(error, flags, io);
  }
}

/** What ends in `.sphex` is the name of a program, and so is `-`, for stdin; all else is an expression. */
export async function textOf(argument: string, flags: CommonFlags, io: Io): Promise<SourceText> {
  const isProgram = argument === "-" || argument.endsWith(".sphex");
  return isProgram
    ? await programText(argument, io, flags)
    : { kind: "expression", name: "expression", text: argument };
}

/** JSON has no types, no NaN and no infinities: these are texts. Of a span it has the offsets, not the whole source. */
function jsonValue(key: string, value: unknown): unknown {
  if (value instanceof TensorType) return `${value}`;
  if (typeof value === "number" && !Number.isFinite(value)) return `${value}`;
  if (key !== "span" || typeof value !== "object") return value; // a dimension may be called so too
  const { source, start, end } = value as Span;
  return { file: source.name, start, end };
}

/** The width of a terminal; other output has no limit. */
export const displayOptions = (io: Io): { readonly width?: number | undefined } =>
  io.isTTY.stdout === true ? { width: io.columns } : {};

export const subjectDescription = "an expression; or a program, whose name ends in .sphex, or - for stdin";
