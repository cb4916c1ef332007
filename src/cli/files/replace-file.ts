import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";

/**
 * The only code that writes files. Whatever ends the process, and at whatever moment, a path has all of its old content or
 * all of the new: the new content is written to a temporary file in the same folder, synced, and renamed over the old
 * one, whose mode, owner and symbolic links stay. Of two processes that write at once, the last one wins.
 */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o666): void {
  replaceFiles([[path, content]], mode);
}

/** Files by their paths, with what is to be in them. */
export type FileContents = Iterable<readonly [path: string, content: string | Uint8Array]>;

/** Replaces files that belong together: where one of them cannot be written, all stay as they are. */
export function replaceFiles(files: FileContents, mode = 0o666): void {
  const replacements: Replacement[] = [];
  try {
    for (const [path, content] of files) {
      const stream = streamAt(path);
      if (stream !== undefined) {
        writeFileSync(stream, content, { flag: "a" });
        continue;
      }
      const replacement = replacementOf(path);
      replacements.push(replacement);
      writeSynced(replacement.temporary, content, replacement.status ?? mode);
    }
    for (const { temporary, target } of replacements) renameSync(temporary, target);
  } catch (error) {
    for (const { temporary } of replacements) rmSync(temporary, { force: true });
    throw error;
  }
  for (const folder of new Set(replacements.map(({ target }) => dirname(target)))) syncFolder(folder);
}

/** Sees to it that a file can be replaced, as far as that is known before. @throws Error where it cannot. */
export function requireReplaceable(path: string): void {
  if (streamAt(path) !== undefined) return;
  accessSync(dirname(replacementOf(path).target), constants.W_OK);
}

/** Replaces a file by what something else writes, at a path with the same end that it is given. */
export async function replaceFileBy(path: string, write: (path: string) => Promise<void>): Promise<void> {
  if (streamAt(path) !== undefined) return await write(path);
  const { target, temporary, status } = replacementOf(path);
  try {
    await write(temporary);
    const file = openSync(temporary, "r+");
    try {
      if (status !== undefined) copyPermissions(status, file);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

/** Makes a folder with files, by their paths in it, at once: there is nothing before it is whole. */
export function makeFolderOf(path: string, files: FileContents): void {
  const above = dirname(path);
  makeFolder(above);
  const temporary = temporaryIn(above);
  try {
    mkdirSync(temporary);
    for (const [name, content] of files) {
      makeFolder(dirname(join(temporary, name)));
      writeSynced(join(temporary, name), content, 0o666);
    }
    syncFolder(temporary);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true, recursive: true });
    throw error;
  }
  syncFolder(above);
}

/** A file that becomes another one when it is complete. */
interface Replacement {
  readonly target: string;
  readonly temporary: string;
  /** Of the old file, where there is one. */
  readonly status: Stats | undefined;
}

function replacementOf(path: string): Replacement {
  const target = targetOf(path);
  const status = statSync(target, { throwIfNoEntry: false });
  if (status !== undefined) accessSync(target, constants.W_OK); // a rename asks for the permission of the folder only
  return { target, temporary: temporaryIn(dirname(target), extname(target)), status };
}

const temporaryIn = (folder: string, end = ""): string =>
  join(folder, `.sphex-${randomBytes(6).toString("hex")}.tmp${end}`);

/** The locks that this process has. */
const ownLocks = new Set<string>();

/**
 * Holds a file for this process, by a file beside it that has its number; returns what lets it go. The lock of a process that has
 * ended counts no more, also where this one has its number now, as in a container, whose processes have the same numbers each time.
 * @throws Error with the code `ELOCKED` where another process holds it.
 */
export function lockFile(path: string): () => void {
  const lock = `${path}.lock`;
  if (!isCreated(lock)) {
    // One process at a time may take the place of one that has ended.
    const release = lockFile(lock);
    try {
      const owner = ownerOf(lock);
      const isHeld = owner === process.pid ? ownLocks.has(lock) : owner !== undefined && isRunning(owner);
      if (isHeld) throw lockedError();
      rmSync(lock, { force: true });
      if (!isCreated(lock)) throw lockedError();
    } finally {
      release();
    }
  }
  ownLocks.add(lock);
  return () => {
    ownLocks.delete(lock);
    rmSync(lock, { force: true });
  };
}

const lockedError = (): Error => Object.assign(new Error("it is locked"), { code: "ELOCKED" });

/** Makes a file with the number of this process, at once: there is no moment at which it is empty. Whether there was none. */
function isCreated(lock: string): boolean {
  const temporary = temporaryIn(dirname(lock));
  try {
    writeFileSync(temporary, `${process.pid}`, { flag: "wx" });
    linkSync(temporary, lock);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The process whose number is in a lock; nothing where it has been let go. */
function ownerOf(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function isRunning(id: number): boolean {
  if (!Number.isInteger(id) || id <= 0) return false; // whatever made it ended before it had a number
  try {
    return process.kill(id, 0);
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** Writes behind what a file has, which stays as it is, and makes the file and its folder where there are none. */
export function appendToFile(path: string, content: string, mode = 0o666): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { flag: "a", mode });
}

/** Makes a folder, and those above it, where there are none. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true });
}

/** A new file like another one, or with a mode. Until it is complete, only its owner may read it. */
function writeSynced(path: string, content: string | Uint8Array, like: Stats | number): void {
  const file = openSync(path, "wx", typeof like === "number" ? like : 0o600);
  try {
    if (typeof like !== "number") copyPermissions(like, file);
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Only root may give a file to another owner: for everybody else it becomes their own, with the same mode. */
function copyPermissions({ uid, gid, mode }: Stats, file: number): void {
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    if (!hasCode(error, "EPERM")) throw error;
  }
  fchmodSync(file, mode & 0o7777);
}

/**
 * A device or a pipe, which has no old content; or the descriptor of a file that this process has open already, such as
 * `/dev/stdout`, where what it writes goes behind what others wrote.
 */
function streamAt(path: string): string | number | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  if (status.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
  if (!status.isFile()) return path;
  for (const link of linksFrom(path)) {
    const [, owner, descriptor] = /^\/proc\/(\d+)\/fd\/(\d+)$/.exec(link) ?? [];
    if (owner === `${process.pid}`) return Number(descriptor);
  }
  return undefined;
}

/** The path that the symbolic links of a path lead to, whether or not there is a file. */
function targetOf(path: string): string {
  const [...links] = linksFrom(path);
  return links.at(-1) ?? path;
}

const mostLinks = 40;

/** A path with its folder resolved, and those that its symbolic links lead to, one after the other. */
function* linksFrom(path: string): Generator<string> {
  let next = path;
  for (let count = 0; count <= mostLinks; count++) {
    next = join(realpathSync(dirname(next)), basename(next));
    yield next;
    if (lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
    next = resolve(dirname(next), readlinkSync(next));
  }
  throw Object.assign(new Error("its symbolic links lead in a circle"), { code: "ELOOP" });
}

/** After this, a rename outlasts a power failure. Not every file system can sync a folder. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // The new content is in place.
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
