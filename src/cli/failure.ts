import type { Problem } from "../index.js";
import { SphexError, showProblem } from "../index.js";
import { type Io, write } from "./io.js";

/** How the command ends: what its exit codes mean, and how it says what went wrong. */
export const exit = { fine: 0, problems: 1, wrongUse: 2, internal: 70 } as const;

/** The command was called wrongly: said in one line, without a trace. */
export class UsageError extends Error {}

/** The options of `showProblem` for whoever reads stderr. */
export function manner({ isTTY, env, columns }: Io): { colour: boolean; width: number } {
  const colour = isTTY.stderr && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  return { colour, width: Math.max(40, Math.min(columns ?? 100, 100)) };
}

export async function writeProblems(problems: readonly Problem[], io: Io): Promise<void> {
  await write(io.stderr, problems.map((each) => `${showProblem(each, manner(io))}\n`).join("\n"));
}

/** What a program's failure is told as: its problems, for people or for machines. Anything else is thrown on. */
export async function failed(error: unknown, { json }: { readonly json?: boolean }, io: Io): Promise<number> {
  if (!(error instanceof SphexError)) throw error;
  if (json === true) await write(io.stdout, `${JSON.stringify({ problems: error.problems })}\n`);
  else await writeProblems(error.problems, io);
  return exit.problems;
}
