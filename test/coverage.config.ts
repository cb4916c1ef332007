import { defineConfig, mergeConfig } from "vitest/config";
import all from "./vitest.config.js";

/**
 * How `npm run coverage` runs the tests: all of them, with what of src they run. Below the floor it fails. Reports are in
 * node_modules/.cache/sphex-coverage, a line for each file in the terminal where not all of it was run.
 */
export default mergeConfig(
  all,
  defineConfig({
    test: {
      coverage: {
        enabled: true,
        provider: "v8",
        include: ["src/**/*.ts"],
        reportsDirectory: "node_modules/.cache/sphex-coverage",
        reporter: [["text", { skipFull: true }], "json-summary", "html"],
        thresholds: { statements: 80, branches: 80, functions: 80, lines: 80 },
      },
    },
  }),
);
