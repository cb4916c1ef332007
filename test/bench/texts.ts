import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Cost, costOf, exponentOf, sizes } from "../growth/measure.js";
import type { GrowthRow } from "../growth/row.js";
import { growthRows as textRows } from "../growth/rows.js";

export { textRows };

/** How time grows with the size of texts and files of every kind: each kind in a process of its own, size after size. */

export interface TextGrowth {
  readonly name: string;
  readonly costs: readonly Cost[];
  /** Time is about a power of the size: which one. */
  readonly exponent: number;
  /** The same of the time without the collector's pauses. */
  readonly ownExponent: number;
  /** Whether the exponent is at most 1.15, or the largest size takes no time to speak of. */
  readonly isLinear: boolean;
}

/** What the exponent may be, and the milliseconds below which it says nothing. */
const most = 1.15;
const nothing = 20;

/** Milliseconds that a size is measured for: the first turn on much memory is not yet what the work takes. */
const enough = 500;

/** So long a kind may take in all: what grows as a square is stopped before it ends. */
const seconds = 120;

/** A process whose young objects have room enough, and whose collector works in pauses alone. */
const flags = ["--max-semi-space-size=128", "--single-threaded-gc"];

/** Measures a kind in a new process. */
export async function textGrowthOf({ name }: GrowthRow): Promise<TextGrowth> {
  const script = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [...flags, script, "--texts-of", name], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: seconds * 1000,
  });
  let text = "";
  for await (const part of child.stdout) text += part;
  const costs = text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Cost); // as the child writes them below
  const exponent = exponentOf(costs, "milliseconds");
  const ownExponent = exponentOf(costs, "ownMilliseconds");
  const last = costs.at(-1);
  const isWhole = last !== undefined && costs.length > 1 && child.signalCode === null;
  const isLinear = isWhole && (Math.min(exponent, ownExponent) <= most || last.milliseconds < nothing);
  return { name, costs, exponent, ownExponent, isLinear };
}

/** What the process of a kind does; its exit code. */
export async function growTexts(name: string): Promise<number> {
  const found = textRows.find((each) => each.name === name);
  if (found === undefined) return 2;
  await costOf(found, 1000);
  for (const size of sizes.filter((each) => each <= (found.most ?? Number.POSITIVE_INFINITY)))
    console.log(JSON.stringify(await costOf(found, size, enough)));
  return 0;
}

/** A line: the exponents with the collector and without it, the name, and the milliseconds of each size. */
export function textGrowthText({ name, costs, exponent, ownExponent, isLinear }: TextGrowth): string {
  const times = costs.map(({ milliseconds }) => milliseconds.toFixed(milliseconds < 10 ? 1 : 0));
  return `${isLinear ? " " : "!"} ${exponent.toFixed(2)} ${ownExponent.toFixed(2)}  ${name.padEnd(56)} ${times.join(" ")} ms`;
}
