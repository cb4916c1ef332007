import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Library from "../../src/index.js";

/** The library as it was built and as others get it; its sources lend their types only. */

/** The folder of the project, where npm runs its scripts. */
export const root = process.cwd();

const built = join(root, "dist", "index.js");
if (!existsSync(built)) {
  console.error(`there is no ${built}: run \`npm run bench\` in the folder of the project`);
  process.exit(2);
}

/** What a build of the library exports. */
export type Build = typeof Library;

/** The build in a folder: another one than ours, to compare with. */
export const buildIn = async (folder: string): Promise<Build> =>
  (await import(pathToFileURL(resolve(folder, "index.js")).href)) as Build; // what the sources export, or exported

export const library = await buildIn(join(root, "dist"));

export type { Plan, Prepared, Program, Tensor } from "../../src/index.js";
