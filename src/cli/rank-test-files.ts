import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Problem, Source } from "../index.js";
import { problemOfFile, type ReadFile } from "../vespa.js";
import { UsageError } from "./failure.js";
import { readText } from "./files.js";
import type { Io } from "./io.js";

/** Where the tests of rank profiles lie, which package they are about, and which files they may read. */

const pattern = /\.rank-test\.(?:ya?ml|json)$/;
const skipped = new Set(["node_modules", ".git", "target", "dist"]);

/** The test files that are named or lie in folders that are, by their paths from the working folder. */
export function rankTestFiles(paths: readonly string[], io: Io): string[] {
  const files = new Set<string>();
  for (const path of paths) {
    const full = resolve(io.cwd, path);
    if (!existsSync(full)) throw new UsageError(`cannot read ${path}: there is no such file or folder`);
    if (!statSync(full).isDirectory()) files.add(relativePath(full, io));
    else for (const each of filesIn(full)) files.add(relativePath(each, io));
  }
  return [...files].sort();
}

const relativePath = (full: string, { cwd }: Io): string => relative(cwd, full).split(sep).join("/");

function filesIn(folder: string): string[] {
  const files: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && !skipped.has(entry.name)) open.push(path);
      else if (entry.isFile() && pattern.test(entry.name)) files.push(path);
    }
  }
  return files;
}

const schemaFolders = ["schemas", "searchdefinitions"];
const usualFolders = ["", "app", "application", join("src", "main", "application")];

/** The nearest folder around a test that is a package or has one. */
export function packageAround(file: string, io: Io): string | undefined {
  const start = dirname(resolve(io.cwd, file));
  for (let folder = start; ; folder = dirname(folder)) {
    const isPackage = usualFolders.some((subfolder) =>
      schemaFolders.some((each) => existsSync(join(folder, subfolder, each))),
    );
    if (isPackage || readdirSync(folder).some((name) => name.endsWith(".sd"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Of any one file that a test names. */
const mostBytes = 100_000_000;

/** How a test reads the files that it names: from its folder, and none outside of this folder and the package. */
export function testFileReader(
  file: string,
  packageFolder: string,
  io: Io,
  used: (path: string) => void,
): ReadFile {
  const folder = dirname(resolve(io.cwd, file));
  const roots = [folder, resolve(io.cwd, packageFolder)].map((each) => realpathSync(each));
  return (path, span): Source | Problem => {
    const full = resolve(folder, path);
    used(full);
    const real = existsSync(full) ? realpathSync(full) : full;
    if (!roots.some((root) => real === root || real.startsWith(root + sep)))
      return problemOfFile(path, "it lies outside of the package and of the test's folder", span);
    try {
      if (existsSync(real) && !statSync(real).isFile()) throw new Error("it is no file");
      if (existsSync(real) && statSync(real).size > mostBytes) throw new Error("it is too large");
      return { name: relativePath(full, io), text: readText(real, folder) };
    } catch (error) {
      return problemOfFile(path, error instanceof Error ? error.message : `${error}`, span);
    }
  };
}
