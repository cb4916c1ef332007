import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where application packages lie in projects, and schemas in packages. */

const usualFolders = ["", "app", "application", join("src", "main", "application")];

/** The names of the folders that have schemas; the second one is the older. */
export const schemaFolders: readonly string[] = ["schemas", "searchdefinitions"];

/** The folder of the package, among the usual ones below a folder; undefined where none has schemas. */
export const packageFolderIn = (folder: string): string | undefined =>
  usualFolders.find((each) => schemaFolders.some((schemas) => existsSync(join(folder, each, schemas))));
