import { existsSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { models } from "../../models.js";
import { defaultFileLimit, type Files, type PackageOptions } from "../../vespa.js";
import { confined } from "../files/confined-files.js";
import { entriesOf, readNamed } from "../files/files.js";
import { UsageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { packageFolderIn, schemaFolders } from "./package-folders.js";
import { filesOfRevision } from "./revision-files.js";

/** An application package on the disk: its files, the options for reading it, and the schema that was named. */
export interface LocatedPackage {
  readonly files: Files;
  readonly options: PackageOptions;
  /** The schema file that was named, from the root. */
  readonly only?: string;
}

/** Whether an argument is a package or a schema rather than a program. */
export function isPackage(path: string, io: Io): boolean {
  if (path === "") return false;
  const full = resolve(io.cwd, path);
  return isSchema(path) || (existsSync(full) && statSync(full).isDirectory());
}

const isSchema = (path: string): boolean => /\.(?:sd|profile)$/.test(path);

/** The package that a folder is or has, or that a schema file belongs to; of `app@HEAD~1` as that revision has it. */
export function packageAt(path: string, io: Io): LocatedPackage {
  if (path === "") throw new UsageError("cannot read a package: its name is empty");
  const full = resolve(io.cwd, path);
  const at = path.lastIndexOf("@");
  if (!existsSync(full) && at > 0) return revisionAt(path.slice(0, at), path.slice(at + 1), io);
  if (!existsSync(full)) throw new UsageError(`cannot read ${path}: there is no such file or folder`);
  if (!statSync(full).isDirectory()) {
    if (isSchema(path)) return schemaAt(path, full);
    throw new UsageError(`${path} is no package: write the folder of one, or a schema that ends in .sd`);
  }
  const subfolder = packageFolderIn(full);
  const loose = readNamed(path, io, entriesOf)
    .map(({ name }) => name)
    .filter((name) => name.endsWith(".sd"))
    .sort();
  // A folder of schemas and nothing else is a package all the same.
  const options = subfolder === undefined && loose.length > 0 ? { schemas: loose } : {};
  return {
    files: filesBelow(join(full, subfolder ?? "")),
    options: { ...options, models, root: asRoot(join(path, subfolder ?? "")) },
  };
}

/** A package in a revision of git. Where it lies is as in the folder that there is now. */
function revisionAt(path: string, revision: string, io: Io): LocatedPackage {
  const full = resolve(io.cwd, path);
  if (!existsSync(full) || !statSync(full).isDirectory())
    throw new UsageError(`cannot read ${path}@${revision}: ${path} is no folder`);
  const usual = packageFolderIn(full);
  const subfolder = usual ?? "";
  const files = filesOfRevision(join(full, subfolder), revision);
  const loose = files.list("").filter((name) => !name.includes("/") && name.endsWith(".sd"));
  const options = usual === undefined && loose.length > 0 ? { schemas: loose } : {};
  return { files, options: { ...options, models, root: `${asRoot(join(path, subfolder))}@${revision}/` } };
}

/** The package of a schema or a file of rank profiles, which need not be saved yet. */
export function schemaAt(path: string, full: string): LocatedPackage {
  // A rank profile in a file of its own lies below the folder of the schemas, or beside its schema: x/…/p.profile and x.sd.
  const isProfile = full.endsWith(".profile");
  const above = isProfile ? foldersAbove(full) : [dirname(full)];
  const schemas = above.find((each) => schemaFolders.includes(basename(each)));
  const rootOf = (folder: string): string =>
    asRoot(isAbsolute(path) ? folder : join(dirname(path), relative(dirname(full), folder)));
  if (schemas !== undefined) {
    const root = dirname(schemas);
    const found = { files: filesBelow(root), options: { models, root: rootOf(root) } };
    return isProfile ? found : { ...found, only: relative(root, full).split(sep).join("/") };
  }
  const schema = above.map((each) => `${each}.sd`).find(existsSync) ?? full;
  const folder = dirname(isProfile ? schema : full);
  const only = basename(isProfile ? schema : full);
  return { files: filesBelow(folder), options: { models, schemas: [only], root: rootOf(folder) }, only };
}

/** The folders that a path is in, the nearest first. */
function foldersAbove(full: string): readonly string[] {
  const folder = dirname(full);
  return folder === full ? [] : [folder, ...foldersAbove(folder)];
}

/** A folder as it stands before the paths in it. */
const asRoot = (folder: string): string => {
  const plain = folder.split(sep).join("/").replace(/\/$/, "");
  return plain === "." ? "" : `${plain}/`;
};

/** The most files that are looked at in one folder and those below it. */
const mostFiles = 10_000;

/** The files below a folder. What a link leads to outside of it is not there. */
function filesBelow(root: string): Files {
  const confinement = { folder: root, folders: [root], outside: "it leads out of the package" };
  const { readFile } = confined({ ...confinement, most: 4 * defaultFileLimit });
  const { readBytes } = confined(confinement);
  return {
    list: (folder) => {
      const paths: string[] = [];
      const pending = [join(root, folder)];
      for (let next = pending.pop(); next !== undefined && paths.length < mostFiles; next = pending.pop()) {
        for (const entry of readNamed(next, { cwd: root }, entriesOf)) {
          const path = join(next, entry.name);
          if (entry.isDirectory()) pending.push(path);
          else paths.push(relative(root, path).split(sep).join("/"));
        }
      }
      return paths;
    },
    read: readFile,
    readBytes,
  };
}
