import {
  closeSync,
  type Dirent,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { FileWriter } from "../../index.js";
import { thrownText } from "../../language/source/thrown.js";
import { UsageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { textOfBytes } from "../terminal/utf8.js";
import {
  appendToFile,
  type FileContents,
  lockFile,
  makeFolderOf,
  makeFolder as makeFolders,
  replaceFile,
  replaceFileBy,
  replaceFiles,
  requireReplaceable,
} from "./replace-file.js";

/** Files by paths relative to a folder. What goes wrong is said in plain words. */

/** The text of a file. @throws Error whose message is the reason. */
export function readText(path: string, folder: string): string {
  return textOfBytes(readBytes(path, folder));
}

/** What a reader makes of a file that the user names; where that fails, the command was called wrongly. */
export function readNamed<T>(path: string, { cwd }: Pick<Io, "cwd">, read: Reader<T>): T {
  try {
    return read(path, cwd);
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${thrownText(error)}`);
  }
}

type Reader<T> = (path: string, folder: string) => T;

/** Reads a text of so many characters at most. @throws Error whose message is the reason. */
export const textUpTo =
  (most: number): Reader<string> =>
  (path, folder) => {
    const text = readText(path, folder);
    if (text.length > most) throw new Error(`it is longer than ${most} characters`);
    return text;
  };

/** The most bytes of any file: about the longest text there can be. */
const mostBytes = 2 ** 29;

/** The bytes of a file, so many at most. @throws Error whose message is the reason. */
export function readBytes(path: string, folder: string, most = mostBytes): Uint8Array {
  return withReasons(() => {
    if (path === "") throw new Error("its name is empty");
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

/** What lies in a folder: nothing where there is none, or a file of that name. @throws Error whose message is the reason. */
export function entriesOf(path: string, folder: string): readonly Dirent[] {
  const full = resolve(folder, path);
  return withReasons(() => {
    const isFolder = statSync(full, { throwIfNoEntry: false })?.isDirectory() === true;
    return isFolder ? readdirSync(full, { withFileTypes: true }) : [];
  });
}

/** Writes a file in one step. Where that fails, the old content is whole, and the command was called wrongly. */
export function writeFile(path: string, content: string | Uint8Array, folder: string): void {
  written(path, () => replaceFile(resolve(folder, path), content));
}

/** Refuses files that cannot be written, before work that they would be lost after. */
export function requireWritable(paths: readonly (string | undefined)[], folder: string): void {
  for (const path of paths)
    if (path !== undefined) written(path, () => requireReplaceable(resolve(folder, path)));
}

/** Writes files that belong together, by paths relative to a folder: where one cannot be written, all stay as they are. */
export function writeFiles(files: FileContents, folder: string): void {
  const list = [...files];
  const names = list.map(([path]) => path).join(", ");
  written(names, () => replaceFiles(list.map(([path, content]) => [resolve(folder, path), content])));
}

/** Writes files to a folder: a new one is whole when it is there, and of one that is there all files are replaced, or none where one cannot be written. */
export function writeFolder(path: string, files: FileContents, folder: string): void {
  const full = resolve(folder, path);
  written(path, () => {
    if (!existsSync(full)) return makeFolderOf(full, files);
    const paths = Array.from(files, ([name, content]) => [join(full, name), content] as const);
    for (const [each] of paths) makeFolders(dirname(each));
    replaceFiles(paths);
  });
}

/** Lets something else write a file, by a path of its own; the file is replaced when that is whole. Problems of the writer stay as they are. */
export async function writeFileBy(path: string, write: (path: string) => Promise<void>): Promise<void> {
  let failure: unknown;
  try {
    await replaceFileBy(path, async (temporary) => {
      await write(temporary).catch((error: unknown) => {
        failure = error;
        throw error;
      });
    });
  } catch (error) {
    if (failure !== undefined) throw failure;
    written(path, () => {
      throw error;
    });
  }
}

/** Holds a file for this run, and returns what lets it go. */
export function holdFile(path: string, folder: string): () => void {
  const ELOCKED = `it is used by another run; if there is none, remove ${path}.lock`;
  return written(path, () => lockFile(resolve(folder, path)), { ELOCKED });
}

function written<T>(name: string, write: () => T, own: Reasons = {}): T {
  if (name === "-")
    throw new UsageError("cannot write -: stdout has the results; ./- is a file of that name");
  try {
    return withReasons(write, { ...writeReasons, ...own });
  } catch (error) {
    throw new UsageError(`cannot write ${name}: ${thrownText(error)}`);
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
    throw new Error(reason ?? thrownText(error));
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
