import type { Problem } from "../../index.js";
import { SphexError, showProblem, visibleJson } from "../../index.js";
import { type Io, write, writeStyled } from "./io.js";
import { UsageError } from "./usage-error.js";

/** The exit codes of the command. */
export const exit = { fine: 0, problems: 1, wrongUse: 2, internal: 70 } as const;

export { UsageError };

/** The options of `showProblem` for stderr. */
export function problemOptions(io: Io): { colour: boolean; width: number } {
  return {
    colour: isColoured(io, "stderr"),
    width: Math.max(40, Math.min(io.columns ?? 100, 100)),
  };
}

/** Whether a terminal may be sent colours. */
export const inColour = ({ env }: Io): boolean =>
  (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb" && !/^(?:0|false)$/.test(env.FORCE_COLOR ?? "");

/** Whether a stream gets colours: at a terminal where they are not refused, and elsewhere where they are asked for. */
export const isColoured = (io: Io, stream: "stdout" | "stderr"): boolean => {
  const isForced = !/^(?:|0|false)$/.test(io.env.FORCE_COLOR ?? "") && (io.env.NO_COLOR ?? "") === "";
  return isForced || (io.isTTY[stream] === true && inColour(io));
};

/** The most problems that are shown: a text that is no program at all has very many. */
const mostShown = 100;

/** Whether notes on what is not portable to Vespa are shown, one line each, or counted. */
export interface PortabilityFlag {
  readonly portable?: boolean;
}

/** Writes problems in full, and after them the notes on portability: how many there are, or where they are asked for a line each. */
export async function writeProblems(
  problems: readonly Problem[],
  io: Io,
  { portable = false }: PortabilityFlag = {},
): Promise<void> {
  const notes = problems.filter(({ severity }) => severity === "portability");
  const others = problems.filter(({ severity }) => severity !== "portability");
  await writeAll(others, io);
  if (notes.length === 0) return;
  const [count, them] = notes.length === 1 ? ["1 note", "it"] : [`${notes.length} notes`, "them"];
  const counted = `${count} on portability to Vespa: --portable shows ${them}\n`;
  await write(io.stderr, portable ? notes.map(noteText).join("") : counted);
}

/** One line: where it is, and what Vespa does not have. */
const noteText = ({ span, position, summary }: Problem): string =>
  `note: ${span.source.name}:${position.line}:${position.column}: ${summary}\n`;

async function writeAll(problems: readonly Problem[], io: Io): Promise<void> {
  const options = problemOptions(io);
  const texts = problems.slice(0, mostShown).map((each) => `${showProblem(each, options)}\n`);
  const others = problems.length - texts.length;
  const rest = others > 0 ? `\nand ${others} more\n` : "";
  await writeStyled(io.stderr, texts.join("\n") + rest, options.colour);
}

/** As `failed`, for what goes on afterwards: that the command was called wrongly is told, too. */
export async function reported(error: unknown, flags: { readonly json?: boolean }, io: Io): Promise<number> {
  if (!(error instanceof UsageError)) return await failed(error, flags, io);
  await write(io.stderr, `sphex: ${error.message}\n`);
  return exit.wrongUse;
}

/** Writes the problems of a SphexError, as text or JSON, and gives the exit code; throws any other error again. */
export async function failed(
  error: unknown,
  flags: PortabilityFlag & { readonly json?: boolean },
  io: Io,
): Promise<number> {
  if (!(error instanceof SphexError)) throw error;
  if (flags.json === true) await write(io.stdout, `${visibleJson({ problems: error.problems })}\n`);
  else await writeProblems(error.problems, io, flags);
  return exit.problems;
}
