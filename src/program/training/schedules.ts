import { keysOf } from "../../language/source/lists.js";

/**
 * How the rate changes: what it is multiplied by when this part of all steps behind the warmup has been made, which is 0 at the first of
 * them and below 1 at the last.
 */
// biome-ignore format: a table
const schedules = {
  constant:    { description: "The same rate for all steps.",             factor: (_: number) => 1 },
  linear:      { description: "Falls by the same amount at each step.",   factor: (part: number) => 1 - part },
  cosine:      { description: "Falls slowly, then faster, then slowly.",  factor: (part: number) => (1 + Math.cos(Math.PI * part)) / 2 },
  exponential: { description: "Falls by the same ratio, a hundredfold.", factor: (part: number) => 0.01 ** part },
} as const satisfies Readonly<Record<string, { readonly description: string; readonly factor: (part: number) => number }>>;

/** The name of a schedule of the rate. */
export type ScheduleName = keyof typeof schedules;

/** The names of all schedules of the rate. */
export const scheduleNames = keysOf(schedules);

export interface Schedule {
  readonly name: ScheduleName;
  /** The rate at its highest. */
  readonly rate: number;
  /** The first steps, during which the rate rises to that; only then does it change as the schedule says. */
  readonly warmup: number;
  /** All steps. */
  readonly steps: number;
}

/** The rate of a step, which are counted from 1. */
export function rateAt(step: number, { name, rate, warmup, steps }: Schedule): number {
  if (step <= warmup) return (rate * step) / (warmup + 1);
  return rate * schedules[name].factor((step - 1 - warmup) / (steps - warmup));
}
