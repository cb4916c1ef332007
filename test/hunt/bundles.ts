import { readFile } from "node:fs/promises";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { lowered } from "./thresholds.js";

/**
 * Writes what is run of the hunt to a folder: the hunt, the same with low thresholds, and the thread that both share work with. It is itself
 * bundled, and started in the root of the project.
 */
const folder = fileURLToPath(new URL(".", import.meta.url));
const root = process.cwd();

const withLowThresholds: Plugin = {
  name: "low thresholds",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const file = relative(root, path).replaceAll(sep, "/");
      return { contents: lowered(file, await readFile(path, "utf8")), loader: "ts" };
    });
  },
};

const hunt = (name: string, plugins: Plugin[]): BuildOptions => ({
  ...{ entryPoints: ["test/hunt/main.ts"], outfile: `${folder}/${name}.mjs`, plugins },
  ...{ format: "esm", packages: "external", sourcemap: true },
});

const bundles: readonly BuildOptions[] = [
  hunt("hunt", []),
  hunt("hunt-low", [withLowThresholds]),
  { entryPoints: ["src/thread/thread.ts"], outfile: `${folder}/thread.cjs`, format: "cjs" },
];

for (const bundle of bundles) await build({ bundle: true, platform: "node", logLevel: "warning", ...bundle });
