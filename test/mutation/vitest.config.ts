import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import all from "../vitest.config.js";

/** Files in the order in which they are named. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      process.argv.findIndex((path) => moduleId.endsWith(`/${path}`));
    return [...files].sort((one, other) => rank(one) - rank(other));
  }
}

/** Runs tests with a mistake: MUTANT in the environment names a file with the path of a source and its text. */
const [path, text]: [string, string] = JSON.parse(readFileSync(`${process.env.MUTANT}`, "utf8"));
const changed = join(process.cwd(), path);

export default mergeConfig(
  all,
  defineConfig({
    plugins: [
      { name: "mutated", enforce: "pre", load: (id) => (id.split("?")[0] === changed ? text : undefined) },
    ],
    test: { maxWorkers: 1, bail: 1, sequence: { sequencer: InOrder } },
  }),
);
