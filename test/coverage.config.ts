import { defineConfig, mergeConfig } from "vitest/config";
import all from "./vitest.config.js";

/**
 * How `npm run coverage` runs the tests, and what of src they run. Below the floor it fails: that is what 71 of the files of tests
 * reach by themselves, and all of them more. What a test runs as a process of its own, such as the command, is not counted. The terminal
 * has a line for each file of which something was not run; node_modules/.cache/sphex-coverage has the lines themselves.
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
        thresholds: { statements: 79, branches: 70, functions: 78, lines: 81 },
      },
    },
  }),
);
