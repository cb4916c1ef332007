import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { ReadStream } from "node:tty";
import { escapeHidden, type FileWriter, type ReplOptions } from "../../index.js";
import type { HistoryFile } from "./history.js";

/** What the REPL uses of the machine: files and an editor. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The options of the REPL with the streams of Node. */
export type NodeReplOptions = ReplOptions<Readable, Writable>;

/** The history in a file that only its owner reads. */
export function historyFile(path: string, files: FileWriter): HistoryFile {
  return {
    read: () => readFileSync(path, "utf8"),
    append: (text) => files.append(path, text, ownersOnly),
    replace: (text) => files.replace(path, text, ownersOnly),
  };
}

const ownersOnly = 0o600;

/** The paths that begin like this, folders with a slash behind them. */
export function filesLike(prefix: string, folder: string): readonly string[] {
  const start = prefix.endsWith("/") || prefix === "" ? prefix : join(dirname(prefix), "/");
  const shown = start === "./" && !prefix.startsWith("./") ? "" : start;
  const namePrefix = prefix.endsWith("/") ? "" : basename(prefix);
  try {
    return (
      readdirSync(resolve(folder, start || "."), { withFileTypes: true })
        .filter(({ name }) => name.startsWith(namePrefix) && (namePrefix !== "" || !name.startsWith(".")))
        // A name that would do something to the terminal is not offered there.
        .filter(({ name }) => escapeHidden(name) === name && !name.includes("\n"))
        .map((each) => `${shown}${each.name}${each.isDirectory() ? "/" : ""}`)
        .sort()
    );
  } catch {
    return [];
  }
}

/** Opens a text in the editor of the user, which has the terminal meanwhile; returns the text that it wrote, or nothing. */
export function editText(text: string, input: unknown, env: Environment, files: FileWriter): string {
  const folder = mkdtempSync(join(tmpdir(), "sphex-"));
  const path = join(folder, "line.sphex");
  const terminal = input instanceof ReadStream ? input : undefined;
  try {
    files.replace(path, text, ownersOnly);
    const written = statSync(path).mtimeMs;
    terminal?.setRawMode(false);
    const editor = env.VISUAL || env.EDITOR || "vi";
    const { status } = spawnSync(`${editor} "${path}"`, { shell: true, stdio: "inherit" });
    // What was left without being written, as by :q! of vi, is forgotten.
    const isWritten = statSync(path).mtimeMs !== written;
    return status === 0 && isWritten ? readFileSync(path, "utf8").trim() : "";
  } finally {
    terminal?.setRawMode(true);
    rmSync(folder, { recursive: true, force: true });
  }
}
