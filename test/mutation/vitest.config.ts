import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import all from "../vitest.config.js";
import type { MutatedFile } from "./mutated.js";

/** Runs tests with a mistake: that of the file which MUTANT in the environment names. */
const mutated: MutatedFile = JSON.parse(readFileSync(`${process.env.MUTANT}`, "utf8"));
const changed = join(process.cwd(), mutated.file);

export default mergeConfig(
  all,
  defineConfig({
    plugins: [
      {
        name: "mutated",
        enforce: "pre",
        load: (id) => (id.split("?")[0] === changed ? mutated.text : undefined),
      },
    ],
    test: { maxWorkers: 1, bail: 1 },
  }),
);
