import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { textOfBytes } from "../terminal/utf8.js";
import { readBytes } from "./files.js";

/**
 * Files that a text names, rather than the user: a program, a schema, a test. They are read only where they lie in certain
 * folders, also by what symbolic links lead to, and only if they are files of a bounded size.
 */
export interface Confinement {
  /** The folder that paths are relative to. */
  readonly folder: string;
  /** The folders that may be read, all that is below them included. */
  readonly folders: readonly string[];
  /** Why a file elsewhere is not read. */
  readonly outside: string;
  /** The most bytes of a file. */
  readonly most?: number;
}

/** How files are read, as the options of the library have it. */
export interface FileReaders {
  readonly readFile: (path: string) => string;
  readonly readBytes: (path: string) => Uint8Array;
}

/** Both throw an error whose message is the reason in plain words. */
export function confined(confinement: Confinement): FileReaders {
  const bytes = (path: string): Uint8Array =>
    readBytes(pathWithin(path, confinement), confinement.folder, confinement.most);
  return { readFile: (path) => textOfBytes(bytes(path)), readBytes: bytes };
}

/**
 * The path of a file without symbolic links. Whether there is a file elsewhere is not told: the path itself is looked at
 * before any file is.
 */
function pathWithin(path: string, { folder, folders, outside }: Confinement): string {
  const full = resolve(folder, path);
  if (path.includes("\0") || !folders.some((each) => isBelow(full, each))) throw new Error(outside);
  const real = realPath(full);
  if (real === undefined) return full; // reading it will say so
  const isInside = folders.some((each) => isBelow(real, realPath(each) ?? each));
  if (!isInside || systemFolders.test(real)) throw new Error(outside);
  if (statSync(real).isDirectory()) throw new Error("it is a folder");
  // A device or a pipe has no size, and may have no end.
  if (!statSync(real).isFile()) throw new Error("it is no file");
  return real;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isBelow(path: string, folder: string): boolean {
  const steps = relative(folder, resolve(path));
  return steps !== ".." && !steps.startsWith(`..${sep}`) && !isAbsolute(steps);
}

/** What looks like files there is the state of the machine and of its processes. */
const systemFolders = /^\/(?:proc|sys)(?:\/|$)/;
