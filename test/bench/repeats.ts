import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { settle } from "./contender.js";
import { library, root } from "./library.js";

/** Whether running again and again takes more and more memory: every example, ten thousand times. */

export interface Repeated {
  readonly name: string;
  readonly runs: number;
  /** Bytes of the heap, and of all memory of the process, beyond those after half of the runs. */
  readonly heap: number;
  readonly resident: number;
}

/** No example may take longer than these many milliseconds. */
const patience = 60_000;

export async function* repeated(pattern: RegExp, expected = 10_000): AsyncGenerator<Repeated> {
  const folder = join(root, "examples");
  for (const name of readdirSync(folder)
    .filter((each) => each.endsWith(".sphex"))
    .sort()) {
    if (!pattern.test(`repeated ${name}`)) continue;
    const program = library.compile(readFileSync(join(folder, name), "utf8"), {
      name,
      readFile: (path) => readFileSync(join(folder, path), "utf8"),
    });
    const end = performance.now() + patience;
    const run = async (most: number): Promise<number> => {
      let runs = 0;
      for (; runs < most && performance.now() < end; runs++) {
        program.runAll();
        // What has been let go of is only found between two tasks.
        if (runs % 100 === 99) await setImmediate();
      }
      // Code that is being made, and what the collector tells of later.
      for (let turn = 0; turn < 3; turn++) {
        await settle();
        await setTimeout(20);
      }
      return runs;
    };
    const warming = await run(expected / 2);
    const before = process.memoryUsage();
    const runs = await run(expected - warming);
    const after = process.memoryUsage();
    yield {
      name,
      runs: warming + runs,
      heap: after.heapUsed - before.heapUsed,
      resident: after.rss - before.rss,
    };
  }
}
