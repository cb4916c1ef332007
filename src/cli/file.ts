import { dirname, resolve } from "node:path";
import { UsageError } from "./failure.js";
import { type Io, readAll, readBytes, readText } from "./io.js";
import type { Text } from "./running.js";

/** The program that a command was given: a file, or `-` for stdin. The files that it names are found from its folder. */
export async function programText(path: string, io: Io): Promise<Text> {
  const folder = path === "-" ? io.cwd : dirname(resolve(io.cwd, path));
  const read = {
    readFile: (name: string): string => readText(name, folder),
    readBytes: (name: string): Uint8Array => readBytes(name, folder),
  };
  if (path === "-") return { kind: "program", name: "stdin", text: await readAll(io.stdin), ...read };
  try {
    return { kind: "program", name: path, text: readText(path, io.cwd), ...read };
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${error instanceof Error ? error.message : error}`);
  }
}
