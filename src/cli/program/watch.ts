import { dirname, resolve } from "node:path";
import type { CommonFlags } from "../options/options.js";
import { settingFiles } from "../options/settings.js";
import { UsageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { runOnChanges } from "../terminal/watching.js";
import { programText, runText, type SourceText } from "./source-text.js";

/**
 * `sphex run FILE --watch`: runs a program, and again whenever it or a file that it uses changes, until Ctrl-C.
 */
export async function watchProgram(file: string, flags: CommonFlags, io: Io): Promise<number> {
  if (file === "-") throw new UsageError("--watch needs a file");
  const used = new Set([file, ...settingFiles(flags)].map((path) => resolve(io.cwd, path)));
  const run = async (): Promise<number> => {
    const text = await programText(file, io, flags);
    return await runText(recordingReads(text, dirname(resolve(io.cwd, file)), used), flags, io);
  };
  return await runOnChanges({ name: file, files: () => [...used], run }, flags, io);
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
