import { dirname, resolve } from "node:path";
import { escapeHidden } from "../../index.js";
import type { CommonFlags } from "../options/options.js";
import { settingFiles } from "../options/settings.js";
import { exit, failed, inColour, UsageError } from "../terminal/failure.js";
import { type Io, write, writeStyled } from "../terminal/io.js";
import { programText, runText, type SourceText } from "./source-text.js";

/**
 * `sphex run FILE --watch`: runs a program, and again whenever it or a file that it uses changes, until Ctrl-C. Each run
 * begins on an empty screen where there is one. A file that is gone for a moment is a problem like any other.
 */
export async function watchProgram(file: string, flags: CommonFlags, io: Io): Promise<number> {
  if (file === "-") throw new UsageError("--watch needs a file");
  if (io.changes === undefined) throw new UsageError("files cannot be watched here");
  const used = new Set([file, ...settingFiles(flags)].map((path) => resolve(io.cwd, path)));
  const attempt = async (): Promise<number> => {
    const text = await programText(file, io, flags);
    return await runText(recordingReads(text, dirname(resolve(io.cwd, file)), used), flags, io);
  };
  let code = await attempt();
  await announce(file, io);
  for await (const _ of io.changes(() => [...used])) {
    if (io.isTTY.stdout === true && io.env.TERM !== "dumb") await writeStyled(io.stdout, "\x1b[H\x1b[2J");
    code = await attempt().catch(async (error: unknown) => await reportFailure(error, flags, io));
    await announce(file, io);
  }
  return code;
}

/** The text, with the files that it reads noted. */
function recordingReads(
  { readFile, readBytes, ...text }: SourceText,
  folder: string,
  used: Set<string>,
): SourceText {
  const recording = <T>(read: (name: string) => T) => {
    return (name: string): T => {
      used.add(resolve(folder, name));
      return read(name);
    };
  };
  return {
    ...text,
    ...(readFile === undefined ? {} : { readFile: recording(readFile) }),
    ...(readBytes === undefined ? {} : { readBytes: recording(readBytes) }),
  };
}

async function reportFailure(error: unknown, flags: CommonFlags, io: Io): Promise<number> {
  if (!(error instanceof UsageError)) return await failed(error, flags, io);
  await write(io.stderr, `sphex: ${error.message}\n`);
  return exit.wrongUse;
}

async function announce(file: string, io: Io): Promise<void> {
  if (!io.isTTY.stderr) return;
  const text = `watching ${file}; Ctrl-C leaves`;
  if (inColour(io)) await writeStyled(io.stderr, `\x1b[2m${escapeHidden(text)}\x1b[22m\n`);
  else await write(io.stderr, `${text}\n`);
}
