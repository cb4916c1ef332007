import { writeFileSync, writeSync } from "node:fs";
import { allowBlocks, poison } from "../hunt/memory.js";
import { scriptOptions } from "../options.js";
import { invalidModule, watchModules } from "../watched-modules.js";
import { reporter } from "./instrumented.js";
import type { Trial } from "./trial.js";
import { lowTrials, trials } from "./trials.js";

/**
 * Judges the engine that it is bundled with, in a process of its own. It tells of trials that fail, a line of JSON each,
 * and ends with the first unless it is asked which functions trials reach. In between it writes
 * empty lines, by which one sees that it goes on.
 */
const { values: settings } = scriptOptions({
  options: {
    seed: { type: "string", default: "1" },
    thread: { type: "string", default: "" },
    /** The trials are those of an engine with low thresholds. */
    low: { type: "boolean", default: false },
    /** All trials are run, and this file tells which functions they reach. */
    reach: { type: "string" },
    /** The numbers of the trials to run, from 1 on. */
    only: { type: "string", default: "[]" },
  },
});

/** More blocks of memory than a trial ever takes. */
const manyBlocks = 3000;

/** So many trials are run between two signs of life. */
const aSign = 8;

const isAll = settings.reach !== undefined;
const only: ReadonlySet<unknown> = new Set(JSON.parse(settings.only));
/** The numbers of the trials that reach each function. */
const reached = new Map<string, Set<number>>();
let number = 0;
let done = 0;
if (isAll) Reflect.set(globalThis, reporter, reach);
poison();
watchModules();

const seed = Number(settings.seed);
for (const trial of settings.low ? lowTrials(seed) : trials(seed, settings.thread)) {
  number++;
  if (!isAll && !only.has(number)) continue;
  if (done++ % aSign === 0) writeSync(1, "\n");
  const message = await failureOf(trial);
  if (message === undefined) continue;
  tell({ failure: trial.name, message, number });
  if (!isAll) process.exit(1);
}
if (settings.reach !== undefined)
  writeFileSync(settings.reach, JSON.stringify([...reached].map(([key, trials]) => [key, [...trials]])));
process.exit(0);

function reach(key: string): void {
  const numbers = reached.get(key);
  if (numbers === undefined) reached.set(key, new Set([number]));
  else numbers.add(number);
}

async function failureOf({ run }: Trial): Promise<string | undefined> {
  allowBlocks(manyBlocks);
  invalidModule();
  try {
    return (await run()) ?? invalidModule();
  } catch (error) {
    return `${error}`;
  }
}

function tell(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
