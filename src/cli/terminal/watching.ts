import { escapeHidden } from "../../index.js";
import { inColour, reported, UsageError } from "./failure.js";
import { type Io, write, writeStyled } from "./io.js";

/** What runs again whenever a file that it uses changes. */
export interface Watched {
  /** Its name for people, where it has one. */
  readonly name?: string;
  /** The files that it has used so far. */
  readonly files: () => readonly string[];
  /** Runs it, and gives its exit code. */
  readonly run: () => Promise<number>;
}

/**
 * Runs something, and again after each change, until Ctrl-C; gives the exit code of the last run. Each run but the first begins on an empty
 * screen where there is one. What a later run throws is told, and is no end: a file may be gone for a moment.
 * @throws what the first run throws.
 */
export async function runOnChanges(
  { name, files, run }: Watched,
  flags: { readonly json?: boolean },
  io: Io,
): Promise<number> {
  if (io.changes === undefined) throw new UsageError("files cannot be watched here");
  let code = await run();
  await announce(name, io);
  for await (const _ of io.changes(files)) {
    if (io.isTTY.stdout === true && io.env.TERM !== "dumb") await writeStyled(io.stdout, "\x1b[H\x1b[2J");
    code = await run().catch(async (error: unknown) => await reported(error, flags, io));
    await announce(name, io);
  }
  return code;
}

async function announce(name: string | undefined, io: Io): Promise<void> {
  if (!io.isTTY.stderr) return;
  const text = `watching${name === undefined ? "" : ` ${name}`}; Ctrl-C leaves`;
  if (inColour(io)) await writeStyled(io.stderr, `\x1b[2m${escapeHidden(text)}\x1b[22m\n`);
  else await write(io.stderr, `${text}\n`);
}
