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
  /** Where both are too great: the same in the interpreter of V8, to which a miss of the caches is little beside a step. */
  readonly stepExponent: number | undefined;
  /** Whether one of the exponents is at most 1.15, or the largest size takes no time to speak of. */
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

/** A process without code for the processor. */
const interpreted = ["--jitless", "--no-expose-wasm"];

/** Measures a kind, and again in the interpreter where it seems to take more than in proportion. */
export async function textGrowthOf({ name }: GrowthRow): Promise<TextGrowth> {
  const { costs, isWhole } = await costsOf(name, flags);
  const exponent = exponentOf(costs, "milliseconds");
  const ownExponent = exponentOf(costs, "ownMilliseconds");
  const isShort = (costs.at(-1)?.milliseconds ?? Number.POSITIVE_INFINITY) < nothing;
  const own = { name, costs, exponent, ownExponent };
  if (isWhole && (Math.min(exponent, ownExponent) <= most || isShort))
    return { ...own, stepExponent: undefined, isLinear: true };
  const steps = await costsOf(name, [...flags, ...interpreted]);
  const stepExponent = exponentOf(steps.costs, "ownMilliseconds");
  return { ...own, stepExponent, isLinear: isWhole && steps.isWhole && stepExponent <= most };
}

/** What each size of a kind costs in a new process, and whether all of them were measured in time. */
async function costsOf(
  name: string,
  options: readonly string[],
): Promise<{ readonly costs: readonly Cost[]; readonly isWhole: boolean }> {
  const script = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [...options, script, "--texts-of", name], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: seconds * 1000,
  });
  let text = "";
  for await (const part of child.stdout) text += part;
  const costs = text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Cost); // as the child writes them below
  return { costs, isWhole: costs.length > 1 && child.signalCode === null };
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

/** A line: the exponents with the collector and without it, the name, the milliseconds of each size, and the exponent of steps. */
export function textGrowthText({
  name,
  costs,
  exponent,
  ownExponent,
  stepExponent,
  isLinear,
}: TextGrowth): string {
  const times = costs.map(({ milliseconds }) => milliseconds.toFixed(milliseconds < 10 ? 1 : 0));
  const steps = stepExponent === undefined ? "" : `; ${stepExponent.toFixed(2)} in the interpreter`;
  return `${isLinear ? " " : "!"} ${exponent.toFixed(2)} ${ownExponent.toFixed(2)}  ${name.padEnd(56)} ${times.join(" ")} ms${steps}`;
}
