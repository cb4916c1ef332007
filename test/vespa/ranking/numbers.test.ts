import { describe, expect, test } from "vitest";
import { age, logarithmicFreshness } from "../../../src/vespa/ranking/features/ages.js";
import { rankList } from "../../../src/vespa/ranking/list/list.js";
import { linear, ranking, reciprocalRank } from "../../../src/vespa/ranking/program/normalizers.js";

/** Borders of the numbers that features, lists and normalizers are made of. */

describe("normalizers", () => {
  test("what no float holds is not among the least and greatest", () => {
    expect(linear([0, 1, 1e39]).slice(0, 2)).toEqual([0, 1]);
    expect(linear([0, 1, Number.POSITIVE_INFINITY]).slice(0, 2)).toEqual([0, 1]);
    expect(linear([3, 3])).toEqual([0.5, 0.5]);
  });

  test("ranks begin at 1, and equal values stay in order", () => {
    expect(ranking([1, 2, 2, Number.NaN, -Infinity])).toEqual([1, 2, 0, 3, 4]);
    expect(reciprocalRank(1)([5, 9])).toEqual([1 / 3, 1 / 2]);
  });
});

describe("ages", () => {
  test("are whole seconds of the time of the document", () => {
    expect(age(1000, 900)).toBe(100);
    expect(age(900, 1000)).toBe(0);
  });

  test("half a response at half the greatest age has a freshness", () => {
    for (const halfResponse of [49, 50, 51, 100])
      expect(Number.isFinite(logarithmicFreshness(10, { maxAge: 100, halfResponse }))).toBe(true);
    expect(logarithmicFreshness(0, { maxAge: 100, halfResponse: 50 })).toBe(1);
    expect(logarithmicFreshness(101, { maxAge: 100, halfResponse: 50 })).toBe(0);
  });
});

test("hits whose scores are equal in a later phase are in the order of the documents", async () => {
  const phase = (scores: readonly number[]) => ({
    scores: async (selected: readonly number[]) => selected.map((hit) => scores[hit] ?? Number.NaN),
  });
  const { first, second } = { first: phase([1, 2, 3]), second: phase([7, 7, 9]) };
  const ranked = await rankList(3, { first, second });
  expect(ranked.map(({ document }) => document)).toEqual([2, 0, 1]);
});
