import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { patience } from "./patience.js";
import { slowSuites } from "./slow-suites.js";

/** Slow files first; the others in the order that Vitest thinks best. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = slowSuites.findIndex((path) => moduleId.endsWith(`/${path}`));
      return at < 0 ? slowSuites.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/**
 * How `npm test` runs the tests: on all cores, and with the modules of src loaded once in each process and not once for
 * each file. So no test may leave anything behind that another would notice; a file that is run alone, without this
 * configuration, shows whether it needs what another did.
 */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    isolate: false,
    maxWorkers: availableParallelism(),
    sequence: { sequencer: SlowFirst },
    testTimeout: patience * Math.max(1, Number(process.env.TIMES ?? 1)),
    hookTimeout: patience,
  },
});
