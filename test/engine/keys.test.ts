import { expect, test } from "vitest";
import { keysOf } from "../../src/backends/engine/sparse/keys.js";

/**
 * Rows of labels as numbers: equal for equal rows and in their order, also where the numbers of all rows that there could be
 * are more than a double tells apart.
 */
test.each([
  { sizes: [2 ** 30, 2 ** 30] },
  { sizes: [2 ** 30, 2 ** 30, 2 ** 30] },
  { sizes: [2 ** 20, 2 ** 20, 2 ** 20, 2 ** 20] },
  { sizes: [3, 2 ** 30, 2 ** 30, 2] },
])("keys of columns of $sizes labels are equal and in order as the rows are", ({ sizes }) => {
  const rows = Array.from({ length: 9 }, (_, row) =>
    sizes.map((size, at) => Math.floor((((row * (at + 3) * 7) % 9) * (size - 1)) / 8)),
  ).sort((one, other) => order(one, other));
  const side = (all: readonly number[][]) => ({
    columns: sizes.map((_, at) => Int32Array.from(all, (row) => row[at] ?? -1)),
    rows: all.length,
  });
  const others = rows.filter((_, at) => at % 2 === 0);
  const { left, right, count } = keysOf(side(rows), side(others), sizes);
  for (const [at, key] of left.entries()) {
    expect(key).toBeLessThan(count);
    if (at > 0)
      expect(Math.sign(key - (left[at - 1] ?? Number.NaN))).toBe(order(rows[at] ?? [], rows[at - 1] ?? []));
  }
  expect([...right]).toEqual([...left].filter((_, at) => at % 2 === 0));
});

/** Rows by their first label, then their second, and so on. */
function order(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((id, column) => id !== other[column]);
  return at < 0 ? 0 : Math.sign((one[at] ?? 0) - (other[at] ?? 0));
}
