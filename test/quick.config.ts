import { defineConfig, mergeConfig } from "vitest/config";
import { slowSuites } from "./slow-suites.js";
import all from "./vitest.config.js";

const tellLeftOut = (): void =>
  console.info(`Left out, for they are slow; npm test has them:\n  ${slowSuites.join("\n  ")}`);

/** How `npm run test:quick` runs the tests: all but the slow ones, which it names in the end. */
export default mergeConfig(
  all,
  defineConfig({
    test: { exclude: [...slowSuites], reporters: ["default", { onTestRunEnd: tellLeftOut }] },
  }),
);
