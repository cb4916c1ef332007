import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Problem, Source } from "../../index.js";
import { thrownText } from "../../language/source/thrown.js";
import { problemOfFile, type ReadFile } from "../../vespa.js";
import { confined } from "../files/confined-files.js";
import { entriesOf, readNamed } from "../files/files.js";
import { UsageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { packageFolderIn } from "./package-folders.js";

/** Where the tests of rank profiles lie, which package they are about, and which files they may read. */

const pattern = /\.rank-test\.(?:ya?ml|json)$/;
const skipped = new Set(["node_modules", ".git", "target", "dist"]);

/** The test files that are named or lie in folders that are, by their paths from the working folder; `-` is stdin. */
export function rankTestFiles(paths: readonly string[], io: Io): string[] {
  const files = new Set<string>();
  for (const path of paths) {
    if (path === "-") {
      files.add(path);
      continue;
    }
    const full = resolve(io.cwd, path);
    if (!existsSync(full)) throw new UsageError(`cannot read ${path}: there is no such file or folder`);
    if (!statSync(full).isDirectory()) files.add(relativePath(full, io));
    else for (const each of filesIn(path, io)) files.add(relativePath(each, io));
  }
  return [...files].sort();
}

const relativePath = (full: string, { cwd }: Io): string => relative(cwd, full).split(sep).join("/");

function filesIn(folder: string, io: Io): string[] {
  const files: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of readNamed(next, io, entriesOf)) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && !skipped.has(entry.name)) open.push(path);
      else if (entry.isFile() && pattern.test(entry.name)) files.push(resolve(io.cwd, path));
    }
  }
  return files;
}

/** The nearest folder around a test that is a package or has one. */
export function packageAround(file: string, io: Io): string | undefined {
  const start = dirname(resolve(io.cwd, file));
  for (let folder = start; ; folder = dirname(folder)) {
    if (packageFolderIn(folder) !== undefined || hasSchemas(folder)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Of any one file that a test names. */
const mostBytes = 100_000_000;

/** Whether a folder has a schema; one above the tests may be closed to us. */
function hasSchemas(folder: string): boolean {
  try {
    return entriesOf("", folder).some(({ name }) => name.endsWith(".sd"));
  } catch {
    return false;
  }
}

/** How a test reads the files that it names: from its folder, and none outside of this folder and the package. */
export function testFileReader(
  file: string,
  packageFolder: string,
  io: Io,
  used: (path: string) => void,
): ReadFile {
  const folder = dirname(resolve(io.cwd, file));
  const { readFile } = confined({
    ...{ folder, folders: [folder, resolve(io.cwd, packageFolder)], most: mostBytes },
    outside: "it lies outside of the package and of the test's folder",
  });
  return (path, span): Source | Problem => {
    const full = resolve(folder, path);
    used(full);
    try {
      return { name: relativePath(full, io), text: readFile(path) };
    } catch (error) {
      return problemOfFile(path, thrownText(error), span);
    }
  };
}
