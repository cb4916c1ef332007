import { type InputValues, type Program, type Progress, type Span, TensorType } from "../index.js";
import { exit, failed, writeProblems } from "./failure.js";
import { type Io, write } from "./io.js";
import type { Given } from "./options.js";
import { patiently, showsProgress } from "./progress.js";
import { prepared, programText, type Text } from "./source-text.js";

/** What `explain`, `why` and `expand` share: a program, or one expression, is run, and what there is to see in it is written. */

/** Does something at once, or in good time where somebody waits at a terminal. */
export type Patient = <T>(
  now: () => T,
  later: (progress: (at: Progress) => void) => Promise<T>,
) => T | Promise<T>;

/** Data, and how it is shown to people. */
export interface Seen {
  readonly data: object;
  readonly text: () => string;
}

export async function look(
  argument: string,
  given: Given,
  io: Io,
  see: (program: Program, values: InputValues, patient: Patient) => Seen | Promise<Seen>,
): Promise<number> {
  const text = await textOf(argument, io);
  try {
    const { program, values } = prepared(text, given, io);
    if (given.json !== true) await writeProblems(program.warnings, io);
    const patient: Patient = (now, later) => (showsProgress(io) ? patiently(later, io) : now());
    const seen = await see(program, values, patient);
    const shown = given.json === true ? JSON.stringify(seen.data, plain) : seen.text();
    await write(io.stdout, `${shown}\n`);
    return exit.fine;
  } catch (error) {
    return await failed(error, given, io);
  }
}

/** What ends in `.sphex` is the name of a program, and so is `-`, for stdin; all else is an expression. */
async function textOf(argument: string, io: Io): Promise<Text> {
  const isProgram = argument === "-" || argument.endsWith(".sphex");
  return isProgram
    ? await programText(argument, io)
    : { kind: "expression", name: "expression", text: argument };
}

/** JSON has no types, no NaN and no infinities: these are texts. Of a span it has the place, not the whole source. */
function plain(key: string, value: unknown): unknown {
  if (value instanceof TensorType) return `${value}`;
  if (typeof value === "number" && !Number.isFinite(value)) return `${value}`;
  if (key !== "span" || typeof value !== "object") return value; // a dimension may be called so too
  const { source, start, end } = value as Span;
  return { file: source.name, start, end };
}

/** The room that there is at a terminal; what is read by a program has all that it needs. */
export const seenBy = (io: Io): { readonly width?: number | undefined } =>
  io.isTTY.stdout === true ? { width: io.columns } : {};

export const readsWhat = "an expression; or a program, whose name ends in .sphex, or - for stdin";
