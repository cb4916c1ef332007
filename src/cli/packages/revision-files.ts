import { execFileSync } from "node:child_process";
import type { Files } from "../../vespa.js";
import { UsageError } from "../terminal/failure.js";
import { textOfBytes } from "../terminal/utf8.js";

/** The most that git may print: a file of a package, or the list of all of them. */
const mostBytes = 100_000_000;

/**
 * The files below a folder as a revision of its git repository has them; nothing is checked out, and what git says is read
 * only. A link is the path that it holds, and leads nowhere.
 */
export function filesOfRevision(folder: string, revision: string): Files {
  const git = (args: readonly string[]): Buffer =>
    execFileSync("git", ["-C", folder, ...args], { maxBuffer: mostBytes, stdio: ["ignore", "pipe", "pipe"] });
  const commit = commitOf(revision, git);
  const text = (args: readonly string[]): string => git(args).toString("utf8");
  let paths: readonly string[] | undefined;
  const readBytes = (path: string): Uint8Array => {
    try {
      return git(["show", `${commit}:./${path}`]);
    } catch {
      throw new Error(`it is not in revision ${revision}`);
    }
  };
  return {
    list: (inside) => {
      paths ??= text(["ls-tree", "-r", "-z", "--name-only", commit]).split("\0");
      return paths.filter((path) => path !== "" && (inside === "" || path.startsWith(`${inside}/`)));
    },
    read: (path) => textOfBytes(readBytes(path)),
    readBytes,
  };
}

function commitOf(revision: string, git: (args: readonly string[]) => Buffer): string {
  try {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
    return git(args).toString("utf8").trim();
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new UsageError(
      isAbsent
        ? `${revision} is a revision of git, which is not there`
        : `there is no revision ${revision} of git here`,
    );
  }
}
