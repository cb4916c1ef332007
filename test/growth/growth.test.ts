import { expect, test } from "vitest";
import { patient } from "../patience.js";
import { costOf } from "./measure.js";
import { growthRows } from "./rows.js";

/**
 * No kind of text takes time as the square of its size. `npm test` tries each at one size, and refuses only what takes many
 * times as long as any machine may: a clock that is shared with other tests says no more. `npm run test:growth`, on a machine
 * that does nothing else, compares two sizes: what grows in proportion takes some sixteen times as long at sixteen times the
 * size, a square 256 times.
 */
const isAlone = process.env.GROWTH === "alone";
const small = 1000;
const times = 16;
/** Below so many milliseconds nothing is said of growth. */
const notable = 40;
/** In milliseconds of the processor: a square of 20 nanoseconds a pair takes as long at the large size. */
const most = 5000;

async function isProportional(row: (typeof growthRows)[number]): Promise<boolean> {
  const { milliseconds: large } = await costOf(row, small * times, 0);
  if (!isAlone) return large < most;
  if (large < notable) return true;
  const { milliseconds } = await costOf(row, small, 20);
  return large / milliseconds < times ** 1.5;
}

test.each(growthRows.map((row) => [row.name, row] as const))("%s", patient, async (_, row) => {
  const tries = [1, 2, 3];
  for (const _ of tries) if (await isProportional(row)) return;
  expect(`${row.name} takes ${(await costOf(row, small * times, 0)).milliseconds} ms`).toBe("proportional");
});
