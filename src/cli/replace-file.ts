import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
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
import { basename, dirname, join, resolve } from "node:path";

/**
 * The only code that writes files. Whatever ends the process, and at whatever moment, a path has all of its old content or
 * all of the new: the new content is written to a temporary file in the same folder, synced, and renamed over the old
 * one, whose mode, owner and symbolic links stay. Of two processes that write at once, the last one wins.
 */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o666): void {
  const stream = streamAt(path);
  if (stream !== undefined) return writeFileSync(stream, content, { flag: "a" });
  const target = targetOf(path);
  const folder = dirname(target);
  const status = statSync(target, { throwIfNoEntry: false });
  if (status !== undefined) accessSync(target, constants.W_OK); // a rename asks for the permission of the folder only
  const temporary = join(folder, `.sphex-${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeSynced(temporary, content, status ?? mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/**
 * Holds a file for this process, by a file beside it that has its number; returns what lets it go. The lock of a process that has
 * ended counts no more. Throws an error with the code `ELOCKED` where another process holds it.
 */
export function lockFile(path: string): () => void {
  const lock = `${path}.lock`;
  try {
    writeFileSync(lock, `${process.pid}`, { flag: "wx" });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    if (isRunning(Number(readFileSync(lock, "utf8")))) throw Object.assign(new Error(), { code: "ELOCKED" });
    writeFileSync(lock, `${process.pid}`);
  }
  return () => rmSync(lock, { force: true });
}

function isRunning(id: number): boolean {
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
