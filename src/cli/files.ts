import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { resolve } from "node:path";
import type { FileWriter } from "../index.js";
import { UsageError } from "./failure.js";
import { appendToFile, makeFolder as makeFolders, replaceFile } from "./replace-file.js";

/** Files by paths relative to a folder. What goes wrong is said in plain words. */

/** The text of a file. Throws an error whose message is the reason. */
export function readText(path: string, folder: string): string {
  return new TextDecoder().decode(readBytes(path, folder));
}

/** The most bytes of any file: about the longest text there can be. */
const mostBytes = 2 ** 29;

/** The bytes of a file, so many at most. Throws an error whose message is the reason. */
export function readBytes(path: string, folder: string, most = mostBytes): Uint8Array {
  return withReasons(() => {
    const file = openSync(resolve(folder, path), "r");
    try {
      const { size } = fstatSync(file);
      if (size > most) throw tooLarge(most);
      return size > 0 ? readFileSync(file) : streamed(file, most);
    } finally {
      closeSync(file);
    }
  });
}

/** What comes from a device or a pipe, which do not know their size. */
function streamed(file: number, most: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let total = 0; ; ) {
    const chunk = new Uint8Array(65_536);
    const length = readSync(file, chunk);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, length));
    total += length;
    if (total > most) throw tooLarge(most);
  }
}

const tooLarge = (most: number): Error => new Error(`it has more than ${most} bytes`);

/** Writes a file in one step. Where that fails, the old content is whole, and the command was called wrongly. */
export function writeFile(path: string, content: string | Uint8Array, folder: string): void {
  try {
    writer(folder).replace(path, content);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Makes a folder for what is to be written, and those above it. */
export function makeFolder(path: string, folder: string): void {
  try {
    withReasons(() => makeFolders(resolve(folder, path)), {});
  } catch (error) {
    throw new UsageError(`cannot make ${path}: ${error instanceof Error ? error.message : error}`);
  }
}

/** How the REPL writes files. */
export const writer = (folder: string): FileWriter => ({
  replace: (path, content, mode) =>
    withReasons(() => replaceFile(resolve(folder, path), content, mode), writeReasons),
  append: (path, content, mode) =>
    withReasons(() => appendToFile(resolve(folder, path), content, mode), writeReasons),
});

type Reasons = Readonly<Record<string, string>>;

function withReasons<T>(act: () => T, own: Reasons = {}): T {
  try {
    return act();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? `${error.code}` : "";
    const reason = own[code] ?? reasons[code];
    throw new Error(reason ?? (error instanceof Error ? error.message : `${error}`));
  }
}

const reasons: Reasons = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOTDIR: "a part of the path is no folder",
  ENOSPC: "there is no room left",
  EDQUOT: "there is no room left",
  EFBIG: "it would be too large",
  EIO: "the disk does not work",
  EROFS: "nothing can be written there",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "its name is too long",
};

const writeReasons: Reasons = { ENOENT: "there is no such folder" };
