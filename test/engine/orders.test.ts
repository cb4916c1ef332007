import { expect, test } from "vitest";
import { positionSlices } from "../../src/backends/engine/ranking/positions.js";
import { atOnce } from "../../src/language/limits/slices.js";
import { numbersByChance } from "../chance.js";

/** Orders of many cells, which are counted by digits of their bits, beside the sort of JavaScript. */

const specials = [
  0,
  -0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  5e-324,
  -5e-324,
  1,
  -1,
  1 + 2 ** -52,
];

// biome-ignore format: a table
const kinds = [
  { what: "any numbers",                          count: 3000,    cell: (next: () => number) => next() - 0.5 },
  { what: "more than share their memory",         count: 300_000, cell: (next: () => number) => next() - 0.5 },
  { what: "few numbers, each many times",         count: 5000,    cell: (next: () => number) => Math.floor(next() * 5) },
  { what: "zeros, infinities, NaN, the smallest", count: 5000,    cell: (next: () => number) => specials[Math.floor(next() * specials.length)] ?? 0 },
  { what: "numbers that differ in low bits only", count: 5000,    cell: (next: () => number) => 1 + next() * 2 ** -30 },
  { what: "numbers of all sizes",                 count: 5000,    cell: (next: () => number) => Math.exp(next() * 1400 - 700) * (next() < 0.5 ? -1 : 1) },
  { what: "few numbers, in several slices",       count: 600_000, cell: (next: () => number) => Math.floor(next() * 9) / 8 },
  { what: "neighbours, in several slices",        count: 600_000, cell: (next: () => number) => 1 + Math.floor(next() * 2 ** 20) * 2 ** -34 },
  { what: "neighbours below zero",                count: 5000,    cell: (next: () => number) => -1.7e9 - Math.floor(next() * 500) },
  { what: "the smallest of both signs, and zeros", count: 5000,   cell: (next: () => number) => (Math.floor(next() * 2000) - 1000) * 5e-324 },
  { what: "the smallest, with both zeros",        count: 5000,    cell: (next: () => number) => Math.floor(next() * 900) * (next() < 0.5 ? -0 : 5e-324) },
  { what: "parts of many sizes that are alike",   count: 50_000,  cell: (next: () => number) => Math.floor(40 * next() ** 4) + Math.floor(next() * 99) * 2 ** -40 },
  { what: "fewer than before",                    count: 1000,    cell: (next: () => number) => -next() },
];

test.each(kinds)("the positions of $what rise by cells, NaN last, and then by themselves", ({
  count,
  cell,
}) => {
  const next = numbersByChance();
  const cells = Float64Array.from({ length: count }, () => cell(next));
  const cellAt = (at: number): number => cells[at] as number; // positions are within the array
  const expected = Int32Array.from({ length: count }, (_, at) => at).sort((a, b) => {
    const [left, right] = [cellAt(a), cellAt(b)];
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || a - b;
    return left < right ? -1 : left > right ? 1 : a - b;
  });
  expect(
    Buffer.compare(Buffer.from(atOnce(positionSlices(cells)).slice().buffer), Buffer.from(expected.buffer)),
  ).toBe(0);
});
