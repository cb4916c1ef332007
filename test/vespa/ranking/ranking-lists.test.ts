import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { age, ageless, freshness, logarithmicFreshness } from "../../../src/vespa/ranking/features/ages.js";
import { rankList, rankMoves } from "../../../src/vespa/ranking/list/list.js";
import { rescaled } from "../../../src/vespa/ranking/list/rescale.js";
import {
  type MetricName,
  metricNamed,
  metricNames,
  metrics,
} from "../../../src/vespa/ranking/neighbours/metrics.js";
import { linear, ranking, reciprocalRank } from "../../../src/vespa/ranking/program/normalizers.js";
import { holds } from "../../chance.js";

/** What rank profiles are computed with beside tensors: metrics, ages, and scores over lists. Values are by hand. */
const bits = (...cells: number[]) => ({ cells: Float64Array.from(cells), isBits: true });
const vector = (...cells: number[]) => ({ cells: Float64Array.from(cells), isBits: false });

describe("a metric", () => {
  // A quarter of the way around the Earth, whose mean radius is 6371.0088 km.
  const quarter = (Math.PI / 2) * 6371.0088;

  // biome-ignore format: a table
  test.each([
    { name: "euclidean",             query: vector(0, 0),     document: vector(3, 4),   distance: 5,           closeness: 1 / 6 },
    { name: "euclidean",             query: vector(1, 2, 3),  document: vector(1, 2, 3), distance: 0,          closeness: 1 },
    { name: "angular",               query: vector(2, 0),     document: vector(0, 3),   distance: Math.PI / 2, closeness: 1 / (1 + Math.PI / 2) },
    { name: "angular",               query: vector(1, 0),     document: vector(-5, 0),  distance: Math.PI,     closeness: 1 / (1 + Math.PI) },
    { name: "angular",               query: vector(1, 1),     document: vector(0, 0),   distance: Math.PI / 2, closeness: 1 / (1 + Math.PI / 2) },
    { name: "dotproduct",            query: vector(1, 2),     document: vector(3, 4),   distance: -11,         closeness: 11 },
    { name: "dotproduct",            query: vector(1, 0),     document: vector(-2, 9),  distance: 2,           closeness: -2 },
    { name: "prenormalized-angular", query: vector(0.6, 0.8), document: vector(1, 0),   distance: 0.4,         closeness: 1 / 1.4 },
    { name: "prenormalized-angular", query: vector(1, 0),     document: vector(-1, 0),  distance: 2,           closeness: 1 / 3 },
    { name: "geodegrees",            query: vector(0, 0),     document: vector(0, 90),  distance: quarter,     closeness: 1 / (1 + quarter) },
    { name: "geodegrees",            query: vector(90, 17),   document: vector(0, -60), distance: quarter,     closeness: 1 / (1 + quarter) },
    { name: "geodegrees",            query: vector(0, 170),   document: vector(0, -10), distance: 2 * quarter, closeness: 1 / (1 + 2 * quarter) },
    { name: "hamming",               query: bits(15, -1),     document: bits(0, 0),     distance: 12,          closeness: 1 / 13 },
    { name: "hamming",               query: bits(-128, 1),    document: bits(127, 1),   distance: 8,           closeness: 1 / 9 },
    { name: "hamming",               query: vector(1, 2, 3),  document: vector(1, 0, 3), distance: 1,          closeness: 0.5 },
  ])("$name of $query.cells and $document.cells is $distance", ({ name, query, document, distance, closeness }) => {
    const metric = metrics[name as MetricName];
    expect(metric.distance(query, document)).toBeCloseTo(distance, 9);
    expect(metric.closeness(metric.distance(query, document))).toBeCloseTo(closeness, 12);
  });

  test("is known by what schemas call it", () => {
    for (const name of metricNames) expect(metricNamed(name.toUpperCase())).toBe(metrics[name]);
    expect(metricNamed("prenormalized_angular")).toBe(metrics["prenormalized-angular"]);
    expect(metricNamed("manhattan")).toBeUndefined();
  });

  test("does not tell query from document, but for the length that a prenormalized one divides by", () => {
    const numbers = fc.array(fc.integer({ min: -127, max: 127 }), { minLength: 2, maxLength: 2 });
    holds(
      fc.property(numbers, numbers, (left, right) => {
        for (const name of metricNames.filter((each) => each !== "prenormalized-angular")) {
          const { distance } = metrics[name];
          expect(distance(vector(...left), vector(...right))).toBeCloseTo(
            distance(vector(...right), vector(...left)),
            6,
          );
        }
      }),
    );
  });
});

describe("an age", () => {
  test("is the time since, and never before", () => {
    expect(age(1000, 900)).toBe(100);
    expect(age(1000, 1001)).toBe(0);
    expect(age(1000, Number.NaN)).toBe(ageless);
    expect(age(1000, undefined)).toBe(1e10);
  });

  test("makes freshness fall evenly to the greatest age, which is 90 days unless said", () => {
    expect(freshness(0)).toBe(1);
    expect(freshness(45 * 86_400)).toBe(0.5);
    expect(freshness(91 * 86_400)).toBe(0);
    expect(freshness(30, { maxAge: 40 })).toBe(0.25);
  });

  test("makes logarithmic freshness pass one half at its age, which is 7 days unless said", () => {
    expect(logarithmicFreshness(0)).toBe(1);
    expect(logarithmicFreshness(7 * 86_400)).toBeCloseTo(0.5, 12);
    expect(logarithmicFreshness(90 * 86_400)).toBeCloseTo(0, 12);
    expect(logarithmicFreshness(91 * 86_400)).toBe(0);
    expect(logarithmicFreshness(10, { maxAge: 100, halfResponse: 10 })).toBeCloseTo(0.5, 12);
  });
});

describe("over a list", () => {
  const infinity = Number.POSITIVE_INFINITY;

  test("normalize_linear takes the least to 0 and the greatest to 1", () => {
    expect(linear([-4, -1, -5, -3])).toEqual([0.25, 1, 0, 0.5]);
    expect(linear([7, 7, 7])).toEqual([0.5, 0.5, 0.5]);
    expect(linear([-infinity, 1, 9, 5, Number.NaN, infinity])).toEqual([
      -infinity,
      0,
      1,
      0.5,
      Number.NaN,
      infinity,
    ]);
    expect(linear([])).toEqual([]);
  });

  test("reciprocal_rank is one over k and the rank, NaN last", () => {
    expect(reciprocalRank(0)([-4, 11, -50, -3])).toEqual([1 / 3, 1, 1 / 4, 1 / 2]);
    expect(reciprocalRank()([2, 1])).toEqual([1 / 61, 1 / 62]);
    expect(reciprocalRank(0)([-infinity, Number.NaN, infinity, 0])).toEqual([1 / 3, 1 / 4, 1, 1 / 2]);
  });

  test("equal values keep their order", () => {
    expect(ranking([1, 2, 1, 2])).toEqual([1, 3, 0, 2]);
  });

  test("ranks are all there once, whatever the values", () => {
    holds(
      fc.property(fc.array(fc.double()), (values) => {
        expect(ranking(values).sort((a, b) => a - b)).toEqual(values.map((_, at) => at));
        const sum = reciprocalRank(0)(values).reduce((a, b) => a + b, 0);
        const harmonic = values.reduce((total, _, at) => total + 1 / (at + 1), 0);
        expect(sum).toBeCloseTo(harmonic, 9);
      }),
    );
  });
});

describe("scores of hits that were not ranked anew", () => {
  test("stay where they lie below the new ones anyway", () => {
    expect(rescaled([{ before: 5, after: 9 }, { before: 4, after: 8 }, { before: 3 }])).toEqual([9, 8, 3]);
  });

  test("move below the new ones otherwise, by the ratio of the ranges", () => {
    // 4 to 8 became 1 to 3: half as wide, and 4 is 1 now. So 2 is 0, and 0 is -1.
    const hits = [{ before: 8, after: 1 }, { before: 4, after: 3 }, { before: 2 }, { before: 0 }];
    expect(rescaled(hits)).toEqual([1, 3, 0, -1]);
  });

  test("move by a range of at least 1", () => {
    expect(rescaled([{ before: 10, after: 2 }, { before: 9.5 }])).toEqual([2, 1.5]);
  });

  const scores = fc.double({ min: -1e6, max: 1e6, noNaN: true });

  test("never pass those that were, nor each other", () => {
    holds(
      fc.property(fc.array(scores, { minLength: 1 }), fc.array(scores, { minLength: 1 }), (all, again) => {
        const ordered = [...all].sort((a, b) => b - a);
        const hits = ordered.map((before, at) =>
          at < again.length ? { before, after: again[at] } : { before },
        );
        const result = rescaled(hits);
        const [anew, others] = [result.slice(0, again.length), result.slice(again.length)];
        const least = anew.reduce((a, b) => Math.min(a, b));
        const slack = 1e-6 * Math.max(1, ...result.map(Math.abs));
        for (const [at, score] of others.entries()) {
          expect(score).toBeLessThanOrEqual((others[at - 1] ?? least) + slack);
        }
      }),
    );
  });
});

describe("a list through the phases", () => {
  const phase = (values: readonly number[]) => ({
    scores: async (hits: readonly number[]) => hits.map((hit) => values[hit] ?? 0),
  });

  test("is ranked by the first, its best again by the second, and the best of those by the third", async () => {
    const ranked = await rankList(4, {
      first: phase([1, 4, 3, 2]),
      second: { ...phase([0, 10, 30, 20]), rerankCount: 3 },
      global: { ...phase([0, 0, 5, 6]), rerankCount: 2 },
    });
    expect(ranked.map(({ document }) => document)).toEqual([3, 2, 1, 0]);
    expect(ranked.map(({ second }) => second)).toEqual([20, 30, 10, undefined]);
    expect(ranked.map(({ global }) => global)).toEqual([6, 5, undefined, undefined]);
  });

  test("has minus infinity for a first score that is infinite or NaN, and never moves by one", async () => {
    const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
    const first = phase([infinity, -infinity, 2, nan, 3]);
    const ranked = await rankList(5, { first, second: { ...phase([0, 0, 0, 0, 5]), rerankCount: 1 } });
    expect(ranked.map(({ document }) => document)).toEqual([4, 2, 0, 1, 3]);
    expect(ranked.map(({ score }) => score)).toEqual([5, 2, -infinity, -infinity, -infinity]);
    const limited = await rankList(5, { first: { ...first, scoreDropLimit: -10 } });
    expect(limited.map(({ document }) => document)).toEqual([4, 2]);
  });

  test("is rescaled by the scores that are numbers", async () => {
    // From 9 and 10 to -99: the others fall by 108, whatever NaN was there.
    const first = phase([10, 9, 8, 7]);
    for (const [name, last] of [
      ["second", Number.NEGATIVE_INFINITY],
      ["global", Number.NaN],
    ] as const) {
      const ranked = await rankList(4, { first, [name]: { ...phase([Number.NaN, -99]), rerankCount: 2 } });
      expect(ranked.map(({ document, score }) => [document, score])).toEqual([
        [1, -99],
        [2, -100],
        [3, -101],
        [0, last],
      ]);
    }
  });

  // As LeanHit and Relevance of Vespa's container have them.
  test("has minus infinity for a second score that is NaN, and a global one that is NaN behind all", async () => {
    const { NaN: nan, NEGATIVE_INFINITY: least } = Number;
    const first = phase([3, 2, 1]);
    const second = await rankList(3, { first, second: phase([nan, least, nan]) });
    expect(second.map(({ document, score }) => [document, score])).toEqual([
      [0, least],
      [1, least],
      [2, least],
    ]);
    const global = await rankList(3, { first, global: phase([nan, least, nan]) });
    expect(global.map(({ document, score }) => [document, score])).toEqual([
      [1, least],
      [0, nan],
      [2, nan],
    ]);
  });

  test("loses hits at the limit of a score", async () => {
    const ranked = await rankList(3, { first: { ...phase([1, 2, 3]), scoreDropLimit: 2 } });
    expect(ranked.map(({ document }) => document)).toEqual([2]);
  });

  test("asks a phase for hits with the best first, and for a hundred unless told otherwise", async () => {
    const asked: number[][] = [];
    const second = {
      scores: async (hits: readonly number[]) => {
        asked.push([...hits]);
        return hits.map(() => 0);
      },
    };
    await rankList(250, { first: phase(Array.from({ length: 250 }, (_, at) => at)), second });
    expect(asked).toEqual([Array.from({ length: 100 }, (_, at) => 249 - at)]);
  });

  test("has every document once, in falling order, the first phase's best having been ranked anew", async () => {
    const finite = fc.double({ min: -1e3, max: 1e3, noNaN: true });
    await holds(
      fc.asyncProperty(
        fc.array(fc.tuple(finite, finite)),
        fc.integer({ min: 0, max: 12 }),
        async (hits, rerankCount) => {
          const firsts = hits.map(([first]) => first);
          const second = { ...phase(hits.map(([, again]) => again)), rerankCount };
          const ranked = await rankList(hits.length, { first: phase(firsts), second });
          expect(ranked.map(({ document }) => document).sort((a, b) => a - b)).toEqual(
            hits.map((_, at) => at),
          );
          const anew = ranked.filter((each) => each.second !== undefined).map(({ document }) => document);
          expect(new Set(anew)).toEqual(new Set(ranking(firsts).slice(0, rerankCount)));
          for (const [at, { score }] of ranked.entries())
            expect(score).toBeLessThanOrEqual(ranked[at - 1]?.score ?? Number.POSITIVE_INFINITY);
        },
      ),
    );
  });
});

test("moves tell where hits were, where they are, and which came and went", () => {
  const hit = (id: string, score: number) => ({ id, score });
  expect(rankMoves([hit("a", 3), hit("b", 2), hit("c", 1)], [hit("b", 9), hit("a", 8), hit("d", 7)])).toEqual(
    [
      { id: "b", before: { rank: 2, score: 2 }, after: { rank: 1, score: 9 } },
      { id: "a", before: { rank: 1, score: 3 }, after: { rank: 2, score: 8 } },
      { id: "d", before: undefined, after: { rank: 3, score: 7 } },
      { id: "c", before: { rank: 3, score: 1 }, after: undefined },
    ],
  );
});
