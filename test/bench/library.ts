import { existsSync } from "node:fs";
import { join } from "node:path";
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

// The built file is what the sources export.
export const library = (await import(pathToFileURL(built).href)) as typeof Library;

export type { Prepared, Program, Tensor } from "../../src/index.js";
