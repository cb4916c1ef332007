import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import all from "../vitest.config.js";

/** Runs tests with a mistake: MUTANT in the environment names a file with the path of a source and its text. */
const [path, text]: [string, string] = JSON.parse(readFileSync(`${process.env.MUTANT}`, "utf8"));
const changed = join(process.cwd(), path);

export default mergeConfig(
  all,
  defineConfig({
    plugins: [
      { name: "mutated", enforce: "pre", load: (id) => (id.split("?")[0] === changed ? text : undefined) },
    ],
    test: { maxWorkers: 1, bail: 1 },
  }),
);
