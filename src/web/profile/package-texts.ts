import type { Files, PackageOptions } from "../../vespa.js";
import type { PackageText } from "./profile-request.js";

/**
 * Files that were dropped or typed, as a package. A folder above the package, as archives have it, is left away; schemas that
 * stand alone are a package all the same.
 */
export function packageOf(texts: readonly PackageText[]): {
  readonly files: Files;
  readonly options: PackageOptions;
} {
  const root = rootOf(texts.map(({ path }) => path));
  const byPath = new Map(texts.map(({ path, text }) => [path.slice(root.length), text]));
  const paths = [...byPath.keys()];
  const files: Files = {
    list: (folder) => paths.filter((path) => path.startsWith(`${folder}/`)),
    read: (path) => {
      const text = byPath.get(path);
      if (text === undefined) throw new Error("it is not among the files");
      return text;
    },
  };
  const isPackage = paths.some((path) => schemaFolders.some((folder) => path.startsWith(`${folder}/`)));
  return { files, options: isPackage ? {} : { schemas: paths.filter((path) => path.endsWith(".sd")) } };
}

const schemaFolders = ["schemas", "searchdefinitions"];

/** The folder in which `schemas` lies: of several that of a project's sources, and not of what was built, or else the shortest one. */
function rootOf(paths: readonly string[]): string {
  const roots = paths.flatMap((path) => {
    const parts = path.split("/");
    const at = parts.findIndex((part) => schemaFolders.includes(part));
    return at < 0
      ? []
      : [
          parts
            .slice(0, at)
            .map((part) => `${part}/`)
            .join(""),
        ];
  });
  const rank = (root: string): number => folderRanks.findIndex((each) => each.test(root));
  return roots.sort((a, b) => rank(a) - rank(b) || a.length - b.length)[0] ?? "";
}

/** Where a package lies in a project of Maven, and where copies of one do. */
const folderRanks = [/(?:^|\/)src\/main\/application\/$/, /^(?!.*(?:^|\/)(?:target|src\/test)\/)/, /^/];
