import type { Files, PackageOptions } from "../../vespa.js";
import type { PackageText } from "./profile-request.js";

/**
 * Files that were dropped or typed, as a package. A folder above the package, as archives have it, is left away, and with
 * it what lies outside of it; schemas that stand alone are a package all the same.
 */
export function packageOf(texts: readonly PackageText[]): {
  readonly files: Files;
  readonly options: PackageOptions;
} {
  const root = rootOf(texts);
  const byPath = new Map(textsIn(root, texts).map(({ path, text }) => [path.slice(root.length), text]));
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

/** The files of the package among those that were dropped. Copies of it, as tools leave them beside it, are not. */
export const packageTexts = (texts: readonly PackageText[]): readonly PackageText[] =>
  textsIn(rootOf(texts), texts);

const textsIn = (root: string, texts: readonly PackageText[]): readonly PackageText[] =>
  texts.filter(({ path }) => path.startsWith(root));

const schemaFolders = ["schemas", "searchdefinitions"];

/** The folder in which `schemas` lies: of several that of a project's sources, and not of what was built, or else the shortest one. */
function rootOf(texts: readonly PackageText[]): string {
  const roots = texts.flatMap(({ path }) => {
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
