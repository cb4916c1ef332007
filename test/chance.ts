import { relative } from "node:path";
import fc from "fast-check";
import { expect, onTestFailed, vi } from "vitest";
import { uniform } from "../src/program/random.js";
import { patience } from "./patience.js";

/**
 * Chance in tests. The same cases come every time, so that a build does not fail by chance; another SEED in the environment
 * tries others, and TIMES so many times as many. A test that fails says with which command it fails again.
 */
const seed = Number(process.env.SEED ?? 20191208);
const times = Number(process.env.TIMES ?? 1);

// A law is no measure of speed: where the configuration of the suite is not used, it may take as long as there.
vi.setConfig({ testTimeout: patience * Math.max(1, times) });

/** Tries a law on so many cases. */
export function holds<Values>(law: fc.IProperty<Values>, cases?: number): void;
export function holds<Values>(law: fc.IAsyncProperty<Values>, cases?: number): Promise<void>;
export function holds<Values>(
  law: fc.IProperty<Values> | fc.IAsyncProperty<Values>,
  cases = 100,
): void | Promise<void> {
  return fc.assert(law, { seed, numRuns: Math.ceil(cases * times), reporter: (details) => report(details) });
}

/** So many seeds, for a test whose cases follow from a number. */
export const seeds = (count: number): readonly number[] =>
  Array.from({ length: Math.ceil(count * times) }, (_, at) => seed + at);

/** Numbers from 0 up to 1, for a test that makes up its cases itself. */
export function numbersByChance(): () => number {
  onTestFailed(tellCommand);
  return uniform(seed);
}

function report<Values>(details: fc.RunDetails<Values>): void {
  // What a test demands when its law was tried may fail by chance as well.
  if (!details.failed) return onTestFailed(tellCommand);
  const { errorInstance: cause } = details;
  throw new Error(`${fc.defaultReportMessage(details)}\n\nTo repeat it:\n  ${command()}`, { cause });
}

const tellCommand = (): void => console.error(`To repeat it:\n  ${command()}`);

/** What repeats the test that runs. */
function command(): string {
  const { testPath = "", currentTestName = "" } = expect.getState();
  // Between the names of suites and tests -t wants a space, and names may have " > " themselves.
  const name = currentTestName.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(" > ", ".+");
  const variables = times === 1 ? `SEED=${seed}` : `SEED=${seed} TIMES=${times}`;
  return `${variables} npx vitest run ${relative(process.cwd(), testPath)} -t ${quoted(`^${name}$`)}`;
}

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
