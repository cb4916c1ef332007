import { expect, test } from "vitest";
import { costOf } from "./growth/measure.js";
import { growthRows } from "./growth/rows.js";
import { patient } from "./patience.js";

/**
 * No kind of text takes time as the square of its size. Each is tried at a size and at sixteen times that: what grows in
 * proportion takes some sixteen times as long, a square 256 times. A busy machine is given several tries.
 */
const small = 1000;
const times = 16;
/** Below so many milliseconds nothing is said of growth. */
const notable = 40;

async function isProportional(row: (typeof growthRows)[number]): Promise<boolean> {
  const { milliseconds: large } = await costOf(row, small * times, 0);
  if (large < notable) return true;
  const { milliseconds } = await costOf(row, small, 20);
  return large / milliseconds < times ** 1.5;
}

test.each(growthRows.map((row) => [row.name, row] as const))("%s", patient, async (_, row) => {
  const tries = [1, 2, 3];
  for (const _ of tries) if (await isProportional(row)) return;
  expect(`${row.name} takes ${(await costOf(row, small * times, 0)).milliseconds} ms`).toBe("proportional");
});
