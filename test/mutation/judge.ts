import { writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { allowBlocks, poison } from "../hunt/memory.js";
import { type Trial, trials } from "./trials.js";

/** More blocks of memory than a trial ever takes. */
const manyBlocks = 3000;

/**
 * Judges the engine that it is bundled with, in a process of its own: tells of trials that fail, a line of JSON each, and
 * ends with the first, unless all are asked for. In between it writes empty lines, by which one sees that it goes on.
 */
const { values: settings } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    thread: { type: "string", default: "" },
    all: { type: "boolean", default: false },
    /** Trials that fail without any mistake. */
    except: { type: "string", default: "[]" },
  },
});

const except: ReadonlySet<unknown> = new Set(JSON.parse(settings.except));
poison();

for await (const trial of trials(Number(settings.seed), settings.thread)) {
  writeSync(1, "\n");
  if (except.has(trial.name)) continue;
  const message = failureOf(trial);
  if (message === undefined) continue;
  writeSync(1, `${JSON.stringify({ name: trial.name, message })}\n`);
  if (!settings.all) process.exit(1);
}
process.exit(0);

function failureOf({ run }: Trial): string | undefined {
  allowBlocks(manyBlocks);
  try {
    return run();
  } catch (error) {
    return `${error}`;
  }
}
